/* The x87 unit remembers where its last instruction was, and stores that in several formats: the address, never one that
 * the program does not have. Processors of AMD save it for another thread's turn only if an exception is pending. So
 * there a program finds 0 if it was interrupted since, which each recorded one is: whether it is 0 may differ between a
 * run and its recording, but not between a recording and its replay. */
#include "check.h"
#include <string.h>

struct environment {
    unsigned control, status, tag, instruction, selector_opcode, operand, operand_selector;
};

int main(void) {
    static unsigned char area[4096] __attribute__((aligned(64)));
    struct environment environment;
    double x = 0.5, y = 0;
    unsigned long where, stored;
    unsigned sum = 0, kept = 0;

    for (int i = 0; i < 3; i++) {
        __asm__ volatile("fninit\n\tlea 1f(%%rip), %0\n1:\tfldl %2\n\tfnstenv %1\n\tfstp %%st(0)"
                         : "=&r"(where), "=m"(environment)
                         : "m"(x));
        CHECK(environment.instruction == (unsigned)where || environment.instruction == 0);
        kept = mix(kept, environment.instruction);

        __asm__ volatile("fninit\n\tlea 1f(%%rip), %0\n1:\tfldl %2\n\tfxsave64 %1\n\tfstpl %3"
                         : "=&r"(where), "=m"(area)
                         : "m"(x), "m"(y)
                         : "memory");
        memcpy(&stored, area + 8, 8);
        CHECK(stored == where || stored == 0);
        kept = mix(kept, (unsigned)stored);

        __asm__ volatile("fninit\n\tlea 1f(%%rip), %0\n1:\tfldl %2\n\tfmul %%st(0)\n\tfnsave %1" /* ends empty */
                         : "=&r"(where), "=m"(area)
                         : "m"(x)
                         : "memory");
        unsigned instruction;
        memcpy(&instruction, area + 12, 4);
        CHECK(instruction == 0 || (instruction > (unsigned)where && instruction < (unsigned)where + 8));
        kept = mix(kept, instruction);

        long double root;
        __asm__ volatile("fldpi\n\tfsqrt\n\tfstpt %0" : "=m"(root));
        sum = mix(sum, (unsigned)(root * 1000000));
    }
    /* All of it, the way the dynamic linker does at its first call of each function. */
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    memset(area, 0, sizeof area);
    __asm__ volatile("fninit\n\tlea 1f(%%rip), %0\n1:\tfldl %2\n\txsave64 %1\n\tfstp %%st(0)"
                     : "=&r"(where), "=m"(area)
                     : "m"(x), "a"(3), "d"(0)
                     : "memory");
    memcpy(&stored, area + 8, 8);
    CHECK(stored == where || stored == 0);
    printf("%u\n" VARYING "xcr0 %x, %x, %d\n", sum, low, kept, stored != 0);
    return 0;
}
