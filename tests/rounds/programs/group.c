// Sends signals to its whole process group, in which whoever records it may be, too, and dies of the last one.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t arrived;

static void count(int number)
{
    (void)number;
    arrived++;
}

int main(void)
{
    static const int survived[] = {SIGHUP, SIGINT, SIGQUIT, SIGTRAP, SIGTTIN, SIGTTOU, SIGWINCH};
    for (unsigned i = 0; i < sizeof survived / sizeof *survived; i++) {
        signal(survived[i], count);
        kill(0, survived[i]);
        printf("signal %d: %d arrived\n", survived[i], arrived);
    }
    fflush(stdout);
    kill(0, SIGABRT);
    return 1;
}
