/* Functions without a byte between them: the first has nothing but an inlined function, whose line marks the end of the
   prologue. */
#include "packed.h"

__attribute__((noinline)) void first(void) { work(); } /* @first */

__attribute__((noinline)) int second(int n) {
    __asm__ volatile("" : "+r"(n));
    return n + 1;
}

int main(void) {
    first();
    return second(2);
}
