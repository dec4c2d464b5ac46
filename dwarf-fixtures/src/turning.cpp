// Stops of each kind, in an order that the program itself writes down: `made` counts them.
#include <csignal>
#include <pthread.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int made, looked, seen;
static int turns[2], answers[2];

static void mark(int n) {
    made = n; // @mark
}

static void take(int from) {
    char turn;
    while (read(from, &turn, 1) != 1) // @take
        ;
}

static void give(int to) {
    if (write(to, "", 1) != 1)
        _exit(2);
}

static void on_signal(int) {
    mark(made + 1);
}

static void on_alarm(int) {
    mark(made + 1);
    give(turns[1]);
}

// Does something while the first thread waits for it, then has a timer interrupt that, and goes on.
static void *work(void *) {
    itimerval once = {{0, 0}, {0, 1000}};
    for (int i = 0; i < 2; i++) {
        mark(made + 1);
        mark(made + 1);
        setitimer(ITIMER_REAL, &once, nullptr);
        take(turns[0]);
    }
    mark(made + 1);
    give(answers[1]);
    return nullptr;
}

static void wait_for_work() {
    sigset_t alarm;
    pthread_t worker;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm, nullptr);
    pthread_create(&worker, nullptr, work, nullptr);
    pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
    take(answers[0]);
    pthread_join(worker, nullptr);
}

int main() {
    struct sigaction alarm = {};
    alarm.sa_handler = on_alarm;
    sigaction(SIGALRM, &alarm, nullptr);
    signal(SIGUSR1, on_signal);
    if (pipe(turns) || pipe(answers))
        return 2;
    mark(1);
    seen = looked; // @look
    mark(2);
    raise(SIGUSR1);
    mark(made + 1);
    getppid();
    mark(made + 1);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, nullptr, 0);
    mark(made + 1);
    try {
        throw made;
    } catch (int) {
        mark(made + 1);
    }
    wait_for_work();
    mark(made + 1);
    return 0;
}
