/* Two stacks, one thread: swapcontext returns to where nobody called from. */
#include "check.h"
#include <ucontext.h>

static ucontext_t home, away;
static char stack[64 * 1024];
static unsigned sum;

static void other(unsigned step) {
    for (unsigned i = 0;; i++) {
        sum = i % 2 ? mix(sum, i * step) : sum + step;
        CHECK(swapcontext(&away, &home) == 0);
    }
}

int main(int argc, char **argv) {
    CHECK(getcontext(&away) == 0);
    away.uc_stack.ss_sp = stack;
    away.uc_stack.ss_size = sizeof stack;
    makecontext(&away, (void (*)(void))other, 1, 3u);
    for (unsigned i = amount(argc, argv); i > 0; i--) {
        CHECK(swapcontext(&home, &away) == 0);
        sum = mix(sum, i);
    }
    printf("%u\n", sum);
    return 0;
}
