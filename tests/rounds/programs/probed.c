// Calls a function from threads and processes, and writes down each call itself: its thread, what it was given, what it
// returned.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct point {
    long x, y;
    const char *name;
};

static FILE *calls, *results;

__attribute__((noinline, noclone)) long work(long depth, const struct point *point, double weight) {
    long tid = syscall(SYS_gettid);
    fprintf(calls, "%ld %ld %ld %s %g\n", tid, depth, point->y, point->name, weight);
    long result = depth * 10;
    if (depth > 0) {
        struct point next = {point->x + 1, point->y * 3 + depth, depth & 1 ? "odd" : "even"};
        result += work(depth - 1, &next, weight / 2);
    }
    fprintf(results, "%ld %ld\n", tid, result);
    return result;
}

static void *thread(void *seed) {
    for (long i = 0; i < 20; i++) {
        struct point point = {i, (long)seed * 1000 + i, "start"};
        work(i % 7, &point, (double)i);
    }
    return 0;
}

int main(int argc, char **argv) {
    calls = fopen(argv[1], "a");
    results = fopen(argv[2], "a");
    setvbuf(calls, 0, _IOLBF, 0);
    setvbuf(results, 0, _IOLBF, 0);
    if (argc > 3) {
        thread((void *)9);
        return 0;
    }
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, thread, (void *)(i + 1));
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    pid_t child = fork();
    if (!child) {
        thread((void *)8);
        execl(argv[0], argv[0], argv[1], argv[2], "again", (char *)0);
        _exit(1);
    }
    int status;
    waitpid(child, &status, 0);
    thread((void *)7);
    return status;
}
