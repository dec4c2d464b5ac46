/* Moments that look alike: the same instruction, again in the same tick, with equal registers and often with an equal stack. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <ucontext.h>

#define APART __attribute__((noinline))

/* Calls in a row, some of them of an unrolled loop. */
int row;
APART void add_row(void) { row++; }

/* The caller is a function of its own, called in a row with equal arguments. */
int deep;
APART void add_deep(void) { deep++; }
APART int between(int x) { add_deep(); return x + 1; }

/* The return address that differs is behind a frame. */
int framed;
APART void add_framed(void) { framed++; }
APART void frame(void) {
    volatile long room[4];
    room[0] = 1;
    add_framed();
    room[1] = 2;
}

/* Farther up than anybody hashes the stack. */
int far;
APART void add_far(void) { far++; }
APART int wide(int x) {
    volatile char room[8192];
    room[0] = 1;
    add_far();
    return x + room[0];
}

/* Two calls a turn. */
int turn;
APART void add_turn(void) { turn++; }

/* There and back. */
int flag;
APART void toggle(void) { flag ^= 1; }

/* Repeated instructions. */
char text[16], source[16];
APART void fill(void) {
    char *to = text;
    unsigned long count = 8;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(text[7] + 1) : "memory");
}
APART void copy(void) {
    char *to = text + 8, *from = source;
    unsigned long count = 8;
    source[7]++;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}

/* Only memory tells one turn from another. */
int hop;
void hop_about(void);
__asm__(".pushsection .data\n"
        "hops: .quad 1f, 1f, 1f, 1f, 2f\n"
        "hops_at: .quad hops\n"
        ".popsection\n"
        ".pushsection .text\n"
        ".globl hop_about\n.type hop_about, @function\n"
        "hop_about:\n"
        "1: xorl %eax, %eax\n"
        "incl hop(%rip)\n"
        "movq hops_at(%rip), %rax\n"
        "addq $8, hops_at(%rip)\n"
        "jmp *(%rax)\n"
        "2: ret\n"
        ".size hop_about, . - hop_about\n"
        ".popsection\n");

/* Signals in the tick. */
int before, caught;
APART void add_before(void) { before++; }
static void handler(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    caught++;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
}

/* Threads. */
int shared;
APART void add_shared(void) { __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST); }
static void *work(void *unused) {
    (void)unused;
    add_shared();
    add_shared();
    for (int i = 0; i < 3; i++) {
        add_shared();
        add_shared();
    }
    return 0;
}

int main(int count, char **arguments) {
    (void)arguments;
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    sigaction(SIGILL, &action, 0);
    struct stat status;
    for (int i = 1; i < count; i++) fstat(0, &status);
    if (count > 2) hop_about();
    for (int i = 0; i < 3; i++) add_row();
    add_row();
    add_row();
    int sum = between(1) + between(1) + between(1) + wide(1) + wide(1) + wide(1);
    frame(); frame(); frame(); frame();
    for (int i = 0; i < 4; i++) {
        add_turn();
        add_turn();
    }
    toggle(); toggle(); toggle(); toggle(); toggle(); toggle();
    fill(); fill(); fill();
    copy(); copy(); copy();
    add_before();
    __asm__ volatile("ud2");
    add_before();
    add_before();
    __asm__ volatile("ud2");
    add_before();
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return sum == 0;
}
