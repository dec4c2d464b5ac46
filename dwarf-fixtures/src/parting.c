/* Goes well, badly or shifted, by its second argument: what threads call, with what, and what comes back is written down. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int out;
static __thread int number;
static int usual = 2;
static unsigned long seed = 0x9e3779b97f4a7c15;

struct job { int number, wild; const char *name; };

static int scaled(int x, int factor) {
    dprintf(out, "C %d scaled x=%d factor=%d\n", number, x, factor);
    int found = x * factor;
    dprintf(out, "R %d scaled %d\n", number, found);
    return found;
}

static unsigned long keyed(unsigned long key) {
    dprintf(out, "C %d keyed key=%lu\nR %d keyed %lu\n", number, key, number, ~key);
    return ~key;
}

static void even(int x) {
    dprintf(out, "C %d even x=%d\nR %d even\n", number, x, number);
}

static void odd(int x) {
    dprintf(out, "C %d odd x=%d\nR %d odd\n", number, x, number);
}

static int sorted(int x) {
    dprintf(out, "C %d sorted x=%d\n", number, x);
    if (x % 2 == 0)
        even(x);
    else
        odd(x);
    dprintf(out, "R %d sorted %d\n", number, x % 2);
    return x % 2;
}

static int named(const char *name, const struct job *job) {
    dprintf(out, "C %d named name=%s\n", number, name);
    int length = (int)strlen(name) + job->number;
    dprintf(out, "R %d named %d\n", number, length);
    return length;
}

static void *work(void *given) {
    struct job *job = given;
    number = job->number;
    dprintf(out, "C %d work\n", number);
    named(job->name, job);
    for (int i = 0; i < 20; i++) {
        keyed(seed ^ (unsigned long)i);
        sorted(scaled(i, i == job->wild ? 3 : usual));
    }
    dprintf(out, "R %d work\n", number);
    return 0;
}

static void went_well(int jobs) {
    dprintf(out, "C 1 went_well jobs=%d\nR 1 went_well\n", jobs);
}

static void went_badly(int jobs) {
    dprintf(out, "C 1 went_badly jobs=%d\nR 1 went_badly\n", jobs);
}

int main(int argc, char **argv) {
    int goes_badly = argc > 2 && strcmp(argv[2], "badly") == 0;
    if (argc > 2 && strcmp(argv[2], "shifted") == 0) {
        usual = 4;
        seed = 0xc2b2ae3d27d4eb4f;
    }
    out = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
    number = 1;
    dprintf(out, "C 1 main\n");
    struct job jobs[2] = { { 2, -1, "steady" }, { 3, goes_badly ? 7 : -1, goes_badly ? "wild" : "tame" } };
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], 0, work, &jobs[i]);
        pthread_join(threads[i], 0);
    }
    if (goes_badly)
        went_badly(2);
    else
        went_well(2);
    dprintf(out, "R 1 main\n");
    return 0;
}
