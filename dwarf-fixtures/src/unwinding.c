// Stacks that are hard to walk: code without unwind information, calls through bad pointers, a runaway recursion, an
// overwritten return address, a vfork.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void (*function)(int);

long leaf(long), framed(long), frameless(long), aligned(long);
volatile int sink;

__attribute__((noinline)) void marker(void) { sink++; /* @marker */ }

__attribute__((noinline)) long calls(long n) {
    long kept = n * 3;
    long sum = leaf(n);
    sum += framed(n + 1);
    sum += frameless(n + 2); /* @frameless */
    sum += aligned(n + 3);
    return sum + kept;
}

__attribute__((noinline)) long deep(int n, volatile char *outer) {
    volatile char pad[16];
    pad[0] = outer[0];
    if (n == 0) {
        marker();
        return pad[0];
    }
    return deep(n - 1, pad) + pad[1]; /* @deeper */
}

__attribute__((noinline)) void bad_call(function f, int a) {
    f(a); /* @bad-call */
    sink = 2;
}

__attribute__((noinline)) void smash(void *to) {
    void **frame = __builtin_frame_address(0);
    frame[1] = to;
    marker();
}

__attribute__((noinline)) void smashed(void *to) {
    smash(to);
    sink = 3;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    char first = 1;
    long result = calls(argc);
    if (strcmp(what, "deep") == 0)
        result += deep(100000, &first);
    if (strcmp(what, "null") == 0)
        bad_call(NULL, 1); /* @null */
    if (strcmp(what, "data") == 0)
        bad_call((function)(unsigned long)&sink, 1); /* @data */
    if (strcmp(what, "heap") == 0)
        bad_call((function)malloc(100), 1); /* @heap */
    if (strcmp(what, "smash") == 0)
        smashed((void *)0x1234);
    pid_t child = vfork();
    if (child == 0)
        _exit(3);
    int status = 0;
    waitpid(child, &status, 0);
    return (result + status) == 0;
}
