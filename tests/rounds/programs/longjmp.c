/* Returns that match no call: longjmp over frames, and out of a signal handler back to before the fault. */
#include "check.h"
#include <setjmp.h>
#include <signal.h>

static jmp_buf back;
static sigjmp_buf after_fault;
static volatile unsigned sum;

static void descend(unsigned depth) {
    sum = mix(sum, depth);
    if (depth > 0)
        descend(depth - 1);
    else if (sum)
        longjmp(back, 7);
    sum = 0;
}

static void on_fault(int number) { siglongjmp(after_fault, number); }

int main(void) {
    for (volatile unsigned i = 1; i <= 20; i++) {
        int how = setjmp(back);
        if (how == 0)
            descend(i);
        CHECK(how == 7);
    }
    signal(SIGSEGV, on_fault);
    volatile unsigned faults = 0;
    for (volatile unsigned long i = 0; i < 10; i++) {
        int number = sigsetjmp(after_fault, 1);
        if (number == 0)
            *(volatile char *)(i * 8) = 1;
        CHECK(number == SIGSEGV);
        faults++;
    }
    printf("%u, %u faults\n", sum, faults);
    return 0;
}
