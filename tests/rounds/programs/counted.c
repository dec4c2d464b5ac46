// Programs that know how often their functions are called: each process writes the numbers to its standard output.
// Loops, recursion, threads, fork, vfork, execve, signals, longjmp, faults with a handler.

#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEAF, RECURSIVE, JUMPING, HANDLER, FAULTING, TURN, COUNT };
static const char *const names[COUNT] = {"leaf", "recursive", "jumping", "handler", "faulting", "turn"};
static long counts[COUNT];
static sigjmp_buf back;
static char from[1 << 20], to[1 << 20];

#define COUNTED __attribute__((noinline, noclone))

COUNTED int leaf(int x) {
    __atomic_add_fetch(&counts[LEAF], 1, __ATOMIC_RELAXED);
    return x * 3 + 1;
}

COUNTED long recursive(int n) {
    counts[RECURSIVE]++;
    return n < 2 ? n : recursive(n - 1) + recursive(n - 2);
}

COUNTED void jumping(int depth) {
    counts[JUMPING]++;
    if (depth == 0)
        siglongjmp(back, 1);
    jumping(depth - 1);
    leaf(depth);
}

COUNTED void handler(int signal) {
    counts[HANDLER]++;
    if (signal == SIGSEGV)
        siglongjmp(back, 1);
}

COUNTED void faulting(volatile int *nowhere) {
    counts[FAULTING]++;
    *nowhere = 1;
    leaf(0);
}

COUNTED unsigned turn(unsigned n) {
    unsigned sum = 0;
    counts[TURN]++;
    for (unsigned i = 0; i < n; i++)
        sum += i ^ (sum >> 3);
    return sum;
}

static void *thread(void *argument) {
    long sum = 0;
    for (int i = 0; i < 3000; i++)
        sum += leaf(i);
    (void)argument;
    return (void *)sum;
}

static void tell(void) {
    char text[512];
    int length = 0;
    for (int i = 0; i < COUNT; i++)
        length += snprintf(text + length, sizeof text - length, "%s %ld\n", names[i], counts[i]);
    if (write(1, text, length) != length)
        _exit(9);
}

int main(int argc, char **argv) {
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    unsigned sum = turn(100003);
    if (argc > 1) {
        tell();
        return 0;
    }
    recursive(16);
    for (int i = 0; i < 7; i++)
        if (sigsetjmp(back, 1) == 0)
            jumping(i);
    for (int i = 0; i < 11; i++)
        if (sigsetjmp(back, 1) == 0)
            faulting(NULL);
    for (int i = 0; i < 13; i++)
        raise(SIGUSR1);
    for (int i = 0; i < 5; i++) {
        memset(from, i, sizeof from);
        memcpy(to, from, sizeof to - i);
    }
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    pid_t child = fork();
    if (child == 0) {
        memset(counts, 0, sizeof counts);
        for (int i = 0; i < 100; i++)
            leaf(i);
        tell();
        // What nobody tells of, and what must not be lost when a process ends like this.
        turn(17);
        raise(SIGKILL);
    }
    waitpid(child, NULL, 0);
    child = vfork();
    if (child == 0) {
        execl(argv[0], argv[0], "again", (char *)NULL);
        _exit(8);
    }
    waitpid(child, NULL, 0);
    leaf((int)sum + to[0]);
    tell();
    return 0;
}
