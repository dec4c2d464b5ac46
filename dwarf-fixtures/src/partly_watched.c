// Stores that reach beyond what is watched, and calls through a register without a conditional branch between them.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 1000
#define CHANGE 100

struct pair {
    int a, b;
} __attribute__((aligned(8)));

struct pair pair;
unsigned long slots[64];
static sigjmp_buf behind;
static char stack[1 << 16];

// `b` changes in each round, `a` in two of them.
static void store_both(void) {
    for (long round = 0; round < ROUNDS; round++) {
        long both = (round + 1) << 32 | (round < CHANGE ? 5 : 7);
        __asm__ volatile("mov %1, %0" : "=m"(pair) : "r"(both)); // both
    }
}

static void leave(int number) {
    siglongjmp(behind, number);
}

void one(void);

__asm__(".pushsection .text\n"
        ".globl one\n"
        "one:\n"
        "    add $8, %rbx\n"
        "    mov (%rbx), %rax\n"
        "    ret\n"
        ".popsection\n");

// Three calls are of `one`; the fourth leads to where no program is, and the fault there ends them.
static void call_often(void) {
    unsigned long one_address = (unsigned long)one;
    unsigned long targets[] = {one_address, one_address, one_address, 0xffffff0000000000};
    __asm__ volatile("mov %0, %%rbx\n"
                     "mov %1, %%rsp\n"
                     "mov (%%rbx), %%rax\n"
                     "1: call *%%rax\n"
                     "jmp 1b\n"
                     :
                     : "r"(targets), "r"(&slots[32])
                     : "rax", "rbx", "memory");
}

void finish(void) {
    printf("%d %d %lx\n", pair.a, pair.b, slots[31]);
}

int main(void) {
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = leave, .sa_flags = SA_ONSTACK};
    if (sigaltstack(&other, NULL) || sigaction(SIGSEGV, &action, NULL)) {
        return 1;
    }
    store_both();
    puts("stored");
    fflush(stdout);
    if (!sigsetjmp(behind, 1)) {
        call_often();
    }
    puts("called");
    fflush(stdout);
    finish();
    return 0;
}
