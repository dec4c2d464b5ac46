/* Each call of `work` writes down its arguments and its result, to compare with what a whole execution tells of them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct node {
    int value;
    double weight;
    struct node *next;
    char tag[4];
};

static int out;
static __thread int calls;
static __thread jmp_buf back;

static int self(void) { return (int)syscall(SYS_gettid); }

__attribute__((noinline)) long work(int n, struct node *p, const char *label, double w) {
    int number = calls++;
    dprintf(out, "C %d %d %d %d %s %.17g\n", self(), number, n, p->value, label, w); /* @called */
    if (n == 77)
        longjmp(back, 1);
    long result = p->value; /* @value */
    if (n > 0) {
        result += work(n - 1, p->next, label + 1, w / 2) * 3;
        if (n % 3 == 0)
            result += work(n - 2, p, "twice", w + n);
    }
    dprintf(out, "R %d %d %ld\n", self(), number, result); /* @returning */
    return result;
}

/* Leaves by a tail call where that is optimised. */
__attribute__((noinline)) int last(int a, int b) {
    __asm__ volatile("");
    return a * 10 + b;
}
__attribute__((noinline)) int first(int a) {
    if (a & 1)
        return last(a, 3);
    return -a;
}

/* Begins in one process, and returns in two. */
__attribute__((noinline)) int both(int a) {
    pid_t child = fork();
    if (child > 0) {
        int status;
        waitpid(child, &status, 0);
        return a + WEXITSTATUS(status);
    }
    return a;
}

static struct node ring[3] = {{4, 0.5, &ring[1], "one"}, {-7, 1.5, &ring[2], "two"}, {9, 2.5, &ring[0], "six"}};

static void *thread(void *argument) {
    long n = (long)argument;
    for (int i = 0; i < 6; i++)
        work((int)(n + i) % 5, &ring[i % 3], "a thread has a label", 0.25 * i + n);
    return NULL;
}

int main(int argc, char **argv) {
    out = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    for (int i = 0; i < 5; i++)
        work(i, &ring[i % 3], "hello, every call", i * 1.25);
    if (!setjmp(back))
        work(79, &ring[0], "it does not come back", 3);
    work(1, &ring[1], "after", 4);
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    int sum = 0;
    for (int i = 0; i < 6; i++)
        sum += first(i);
    calls = 1000;
    if (both(sum & 7) == (sum & 7)) {
        work(3, &ring[2], "in a child", 1);
        _exit(5);
    }
    dprintf(out, "S %d\n", sum);
    work(2, &ring[0], "its end", 1);
    if (!setjmp(back)) {
        calls = 2000;
        work(78, &ring[1], "left again", 1);
    }
    return 0;
}
