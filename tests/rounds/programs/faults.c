/* Faults that are survived: a handler sees the very registers of the instruction, mends them, and the program goes on. */
#define _GNU_SOURCE
#include "check.h"
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

static char page[4096] __attribute__((aligned(4096)));
static char stack[64 * 1024];
static unsigned long rip, registers;
static unsigned faults;
static void *resume_at;
static sigjmp_buf away;

static void on_fault(int number, siginfo_t *info, void *opaque) {
    ucontext_t *context = opaque;
    greg_t *g = context->uc_mcontext.gregs;
    rip = (unsigned long)g[REG_RIP];
    registers = (unsigned long)(g[REG_RBX] ^ g[REG_RSI] << 1 ^ g[REG_RDI] << 2 ^ g[REG_RCX] << 3 ^ g[REG_RDX] << 4 ^
                                g[REG_RAX] << 5 ^ g[REG_R8] << 6 ^ (g[REG_EFL] & 0x8d5) << 8);
    faults = mix(faults, (unsigned)(number * 256 + info->si_code));
    if (!resume_at)
        siglongjmp(away, 1);
    g[REG_RIP] = (greg_t)resume_at;
    g[REG_RAX] = 77;
}

/* Runs one instruction that faults, with known registers; it must fault where it stands, with nothing changed. */
#define FAULTING(instruction)                                                                                        \
    do {                                                                                                             \
        unsigned long where, after, result;                                                                          \
        __asm__ volatile("lea 2f(%%rip), %[after]\n\tmov %[after], %[resume]\n\tlea 1f(%%rip), %[where]\n\t"         \
                         "mov $0x1111, %%ebx\n\tmov $0x2222, %%esi\n\tmov $0x3333, %%edi\n\tmov $0x4444, %%ecx\n\t"  \
                         "mov $0x5555, %%edx\n\txor %%r8d, %%r8d\n\tmov $0x6666, %%eax\n\tstc\n"                     \
                         "1:\t" instruction "\n2:\t"                                                                 \
                         : [where] "=&r"(where), [after] "=&r"(after), [resume] "=m"(resume_at), "=&a"(result)       \
                         : [page] "m"(page)                                                                          \
                         : "rbx", "rsi", "rdi", "rcx", "rdx", "r8", "cc", "memory");                                 \
        CHECK(result == 77 && rip == where);                                                                         \
        sum = mix(sum, (unsigned)registers);                                                                         \
    } while (0)

int main(void) {
    volatile unsigned sum = 0;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    CHECK(sigaltstack(&alternate, 0) == 0);
    int all[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) CHECK(sigaction(all[i], &action, 0) == 0);
    CHECK(mprotect(page, sizeof page, PROT_NONE) == 0);
    for (int i = 0; i < 3; i++) {
        FAULTING("mov %[page], %%ebx");                       /* relative to rip, destination kept */
        FAULTING("add %%esi, %[page]");                       /* flags kept */
        FAULTING("vpaddd %[page], %%ymm0, %%ymm1");           /* the same in a VEX encoding */
        FAULTING("mov (%%r8), %%rcx");
        FAULTING("call *(%%r8)");                             /* the return address must not have been pushed */
        FAULTING("call *%[page]");
        FAULTING("jmp *8(%%r8)");
        FAULTING("pushq %[page]");
        FAULTING("divl %%r8d");
        FAULTING("ud2");
    }
    /* A jump into nowhere faults at its target. */
    resume_at = 0;
    unsigned long nowhere[] = {0, 0x1000, 0x4141414141414141};
    for (unsigned i = 0; i < 2; i++) {
        if (!sigsetjmp(away, 1))
            ((void (*)(void))nowhere[i])();
        CHECK(rip == nowhere[i]);
    }
    /* A return to an address that cannot be one faults where it is. */
    if (!sigsetjmp(away, 1))
        __asm__ volatile("push %0\n\tret" : : "r"(nowhere[2]) : "memory");
    CHECK(rip != nowhere[2]);
    printf("registers %u, faults %u\n", sum, faults);
    return 0;
}
