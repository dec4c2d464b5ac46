// Variables at fixed places and of threads, and what they were at each call, as the program writes it to a file.
#include <pthread.h>
#include <stdio.h>

struct totals { long calls, sum; int last[4]; };

int counter;
struct totals totals;
static short hidden = -3;
static _Thread_local long mine = 100;
_Thread_local char letters[8] = "abc";
struct totals *current = &totals;

static FILE *out;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) long add(long value) {
    static unsigned own;
    own += 3;
    fprintf(out, "%d %ld %d %d %ld %s %u\n", counter, totals.sum, totals.last[2], hidden, mine, letters, own); // @told
    totals.calls++;
    totals.sum += value;
    totals.last[value & 3] = (int)value;
    counter += 2;
    hidden--;
    mine++;
    letters[1]++;
    return totals.sum;
}

static void *work(void *argument) {
    for (long i = 0; i < 5; i++) {
        pthread_mutex_lock(&lock);
        add((long)argument + i);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 2 || !(out = fopen(argv[1], "w"))) return 1;
    pthread_t thread;
    pthread_create(&thread, 0, work, (void *)7L);
    work((void *)1L);
    pthread_join(thread, 0);
    fclose(out);
    return 0;
}
