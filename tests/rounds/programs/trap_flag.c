/* Sets the trap flag itself, the way debuggers and copy protections do, and counts the traps. */
#define _GNU_SOURCE
#include "check.h"
#include <signal.h>
#include <string.h>
#include <ucontext.h>

enum { TRAP = 1 << 8 };
static volatile int traps;

static void on_signal(int number, siginfo_t *info, void *context) {
    greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];
    (void)info;
    if (number == SIGUSR1)
        *flags |= TRAP;
    else if (++traps == 5)
        *flags &= ~TRAP;
}

int main(int argc, char **argv) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &action, 0);
    sigaction(SIGUSR1, &action, 0);
    if (argc > 1 && !strcmp(argv[1], "frame"))
        raise(SIGUSR1);
    else
        __asm__ volatile("pushfq\n\torl %0, (%%rsp)\n\tpopfq\n\t.rept 8\n\tnop\n\t.endr" : : "i"(TRAP) : "memory", "cc");
    printf("%d traps\n", traps);
    return 0;
}
