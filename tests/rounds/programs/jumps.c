/* Every way to jump, under every combination of flags; none may change a flag or a register. */
#include "check.h"

static unsigned long sum;

/* The arithmetic flags of a number from 0 to 63: CF PF AF ZF SF and OF. */
static unsigned long flags_of(unsigned n) {
    return 2ul | (n & 1) | (n >> 1 & 1) << 2 | (n >> 2 & 1) << 4 | (n >> 3 & 1) << 6 | (n >> 4 & 1) << 7 |
           (unsigned long)(n >> 5 & 1) << 11;
}

/* A jump, taken or not: to a near place and to one `distance` bytes away, so both its encodings; flags stay as they are. */
#define JUMP_BY(distance, condition)                                                                                          \
    do {                                                                                                            \
        unsigned long before = flags_of(n), after, taken = 0, rcx = n * 3ul;                                        \
        __asm__ volatile("push %[before]\n\tpopfq\n\t"                                                              \
                         "j" condition " 1f\n\tlea 1(%[taken]), %[taken]\n"                                         \
                         "1:\tj" condition " 3f\n\tlea 2(%[taken]), %[taken]\n"                                     \
                         "2:\tpushfq\n\tpop %[after]\n\tjmp 4f\n\t.skip " #distance ", 0x90\n"                                \
                         "3:\tlea 4(%[taken]), %[taken]\n\tjmp 2b\n4:"                                              \
                         : [taken] "+r"(taken), [after] "=&r"(after), "+c"(rcx)                                     \
                         : [before] "r"(before)                                                                     \
                         : "cc", "memory");                                                                         \
        CHECK((after & 0x8d5) == (before & 0x8d5) && rcx == n * 3ul);                                               \
        sum = sum * 31 + taken;                                                                                     \
    } while (0)

#define JUMP(condition) JUMP_BY(200, condition)

/* LOOP and its relatives: rcx counts, the zero flag has a say, no flag changes. */
#define LOOP(instruction)                                                                                           \
    do {                                                                                                            \
        unsigned long before = flags_of(n), after, times = 0, rcx = 1 + n % 5;                                      \
        __asm__ volatile("push %[before]\n\tpopfq\n"                                                                \
                         "1:\tlea 1(%[times]), %[times]\n\t" instruction " 1b\n\t"                                  \
                         "pushfq\n\tpop %[after]"                                                                   \
                         : [times] "+r"(times), [after] "=&r"(after), "+c"(rcx)                                     \
                         : [before] "r"(before)                                                                     \
                         : "cc", "memory");                                                                         \
        CHECK((after & 0x8d5) == (before & 0x8d5));                                                                 \
        sum = sum * 31 + times * 8 + rcx;                                                                           \
    } while (0)

/* A jump by way of memory or a register, a call and a return that pops more, a return that no call belongs to. */
static void indirect(unsigned n) {
    unsigned long before = flags_of(n), after, rsp_before, rsp_after, rcx = n, rax = 7, rdx = 9;
    __asm__ volatile("mov %%rsp, %[rsp_before]\n\t"
                     "lea 1f(%%rip), %%r8\n\tpush %%r8\n\tlea 5f(%%rip), %%r9\n\tpush %%r9\n\t"
                     "push %[before]\n\tpopfq\n\t"
                     "jmp *8(%%rsp)\n\tud2\n"                                  /* to 1 */
                     "1:\tcall *(%%rsp)\n\t"                                   /* to 5, the operand is read first */
                     "lea 2f(%%rip), %%r8\n\tjmp *%%r8\n\tud2\n"               /* to 2 */
                     "2:\tlea 3f(%%rip), %%r8\n\tpush %%r8\n\tret\n\tud2\n"    /* to 3 */
                     "3:\tpush $0\n\tpush $0\n\tcall 6f\n\t"
                     "pushfq\n\tpop %[after]\n\tlea 16(%%rsp), %%rsp\n\tmov %%rsp, %[rsp_after]\n\tjmp 7f\n"
                     "5:\tlea 1(%%rcx), %%rcx\n\tret\n"
                     "6:\tret $16\n7:"
                     : [after] "=&r"(after), [rsp_before] "=&r"(rsp_before), [rsp_after] "=&r"(rsp_after), "+c"(rcx),
                       "+a"(rax), "+d"(rdx)
                     : [before] "r"(before)
                     : "r8", "r9", "cc", "memory");
    CHECK((after & 0x8d5) == (before & 0x8d5) && rsp_after == rsp_before);
    CHECK(rcx == n + 1ul && rax == 7 && rdx == 9);
}

static unsigned choose(unsigned n) {
    switch (n % 16) {
    case 0: return 3;
    case 1: return n + 1;
    case 2: return n * n;
    case 3: return n ^ 0x55;
    case 4: return n >> 1;
    case 5: return ~n;
    case 6: return n << 3;
    case 7: return n % 7;
    case 8: return 100 - n;
    case 9: return n | 1;
    default: return n & 6;
    }
}

__attribute__((noinline)) static unsigned fibonacci(unsigned n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(int argc, char **argv) {
    unsigned (*volatile call[2])(unsigned) = {choose, fibonacci};
    for (unsigned r = amount(argc, argv); r > 0; r--) {
        for (unsigned n = 0; n < 64; n += argc > 2 ? 7 : 1) {
            JUMP("o"); JUMP("no"); JUMP("b"); JUMP("ae"); JUMP("e"); JUMP("ne"); JUMP("be"); JUMP("a");
            JUMP("s"); JUMP("ns"); JUMP("p"); JUMP("np"); JUMP("l"); JUMP("ge"); JUMP("le"); JUMP("g");
            LOOP("loop"); LOOP("loope"); LOOP("loopne");
            JUMP_BY(1, "rcxz"); JUMP_BY(1, "ecxz");
            indirect(n);
            sum = sum * 31 + call[n % 2](n % 12);
        }
    }
    printf("%lu\n", sum);
    return 0;
}
