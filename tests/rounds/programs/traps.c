/* SIGTRAP belongs to the program: blocked, ignored or handled, it must find the signal as it left it. */
#include "check.h"
#include <signal.h>
#include <string.h>

static volatile int handled;

static void on_trap(int number) {
    (void)number;
    handled++;
}

/* Some branches, calls and system calls, so that whatever counts them has a chance to interfere. */
static unsigned work(void) {
    unsigned sum = 0;
    sigset_t pending;
    for (unsigned i = 0; i < 50; i++) {
        sum = i % 3 ? mix(sum, i) : sum + 1;
        if (i % 10 == 0)
            sigpending(&pending);
    }
    return sum;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    sigset_t set, pending;
    struct sigaction action;
    unsigned sum = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGTRAP);
    if (!strcmp(mode, "blocked")) {
        signal(SIGTRAP, on_trap);
        sigprocmask(SIG_BLOCK, &set, 0);
        raise(SIGTRAP);
        sum = work();
        sigpending(&pending);
        CHECK(sigismember(&pending, SIGTRAP) && handled == 0);
        sigprocmask(SIG_UNBLOCK, &set, 0);
        CHECK(handled == 1);
    } else if (!strcmp(mode, "ignored")) {
        signal(SIGTRAP, SIG_IGN);
        raise(SIGTRAP);
        /* Not asked what becomes of the disposition: the kernel resets it when the thread is stepped. */
        sum = work();
    } else if (!strcmp(mode, "handled")) {
        signal(SIGTRAP, on_trap);
        for (int i = 0; i < 3; i++) {
            __asm__ volatile("int3");
            sum += work();
        }
        raise(SIGTRAP);
        CHECK(handled == 4);
        CHECK(sigaction(SIGTRAP, 0, &action) == 0 && action.sa_handler == on_trap);
    }
    printf("%s %u, handled %d\n", mode, sum, handled);
    return 0;
}
