/* A handled signal in the middle of a function that is being stepped over, and one with GDB's silent treatment. */
#include <signal.h>
#include <unistd.h>

static volatile int handled;
static volatile int children;

static void on_usr1(int signal) {
    handled += signal; /* @handler */
}

static void on_child(int signal) {
    (void)signal;
    children++; /* @child-handler */
}

static int work(void) {
    int before = handled;       /* @before */
    kill(getpid(), SIGUSR1);    /* @kill */
    return handled - before;    /* @after */
}

int main(void) {
    signal(SIGUSR1, on_usr1);
    signal(SIGCHLD, on_child);
    kill(getpid(), SIGCHLD);    /* @ignored */
    int got = work();           /* @work */
    return got == SIGUSR1 && children == 1 ? 0 : 1; /* @return */
}
