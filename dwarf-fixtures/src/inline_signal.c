// A signal arrives in an inlined function, between two of its instructions.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

volatile int handled, before, after;
volatile long result;

static void on_alarm(int number) { handled = number; }

static inline __attribute__((always_inline)) void interrupted(long self) {
    before = 1; /* mark: before */
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(SYS_kill), "D"(self), "S"(SIGALRM)
                     : "rcx", "r11", "memory");
    after = 1; /* mark: after */
}

__attribute__((noinline)) static void caller(long self) {
    handled = 0;
    interrupted(self); /* mark: call */
    handled++;         /* mark: behind */
}

int main(void) {
    signal(SIGALRM, on_alarm);
    caller(getpid());
    return handled != SIGALRM + 1;
}
