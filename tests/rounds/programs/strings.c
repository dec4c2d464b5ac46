/* String instructions with a repeat prefix: one instruction, many steps, and possibly a fault in the middle. */
#define _GNU_SOURCE
#include "check.h"
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { PAGE = 4096, PAGES = 3 };
static sigjmp_buf away;
static unsigned long left, at_destination;

static void on_fault(int number, siginfo_t *info, void *opaque) {
    (void)number, (void)info;
    ucontext_t *context = opaque;
    left = (unsigned long)context->uc_mcontext.gregs[REG_RCX];
    at_destination = (unsigned long)context->uc_mcontext.gregs[REG_RDI];
    siglongjmp(away, 1);
}

static void copy(char *to, const char *from, unsigned long count) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}

static void copy_down(char *to, const char *from, unsigned long count) {
    to += count - 1;
    from += count - 1;
    __asm__ volatile("std\n\trep movsb\n\tcld" : "+D"(to), "+S"(from), "+c"(count) : : "memory", "cc");
}

static void fill(char *to, unsigned value, unsigned long words) {
    __asm__ volatile("rep stosl" : "+D"(to), "+c"(words) : "a"(value) : "memory");
}

static unsigned long length(const char *text) {
    unsigned long count = ~0ul;
    __asm__ volatile("repne scasb" : "+D"(text), "+c"(count) : "a"(0) : "memory", "cc");
    return ~count - 1;
}

static unsigned long common(const char *a, const char *b, unsigned long count) {
    unsigned long rest = count;
    __asm__ volatile("cmp %%rax, %%rax\n\trepe cmpsb" : "+D"(a), "+S"(b), "+c"(rest) : : "memory", "cc");
    return count - rest;
}

int main(int argc, char **argv) {
    const unsigned size = amount(argc, argv);
    volatile unsigned sum = 0;
    CHECK(size <= PAGE * PAGES);
    char *memory = mmap(0, PAGE * (2 * PAGES + 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    char *other = memory + PAGE * PAGES;
    fill(memory, 0x64636261, size / 4);
    copy(other, memory, size);
    CHECK(common(memory, other, size) == size);
    other[size / 2] = 'X';
    CHECK(common(memory, other, size) == size / 2 + 1);
    memory[size - 1] = 0;
    CHECK(length(memory) == size - 1);
    copy_down(memory + 1, memory, size - 1); /* overlapping */
    copy(memory, other, 0);
    for (unsigned i = 0; i < size; i += 5) sum = mix(sum, (unsigned char)memory[i]);

    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO;
    CHECK(sigaction(SIGSEGV, &action, 0) == 0);
    char *end = other + PAGE * PAGES;
    CHECK(mprotect(end, PAGE, PROT_NONE) == 0);
    if (!sigsetjmp(away, 1)) {
        copy(end - 100, memory, 300);
        CHECK(0);
    }
    CHECK(left == 200 && at_destination == (unsigned long)end);
    printf("%u\n", sum);
    return 0;
}
