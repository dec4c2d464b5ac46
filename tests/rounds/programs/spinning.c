/* Four threads that only compute: nothing but the end of a time slice stops one. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long turns = 100000;
static volatile unsigned last;

static void *work(void *number) {
    unsigned long x = (unsigned long)number + 1;
    for (long i = 0; i < turns; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        if (x % 5 == 0) last = (unsigned)x;
        if (x % 7 == 0) last++;
    }
    return 0;
}

int main(int argc, char **argv) {
    pthread_t threads[4];
    if (argc > 1) turns = atol(argv[1]);
    for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    printf("%u\n", last);
    return 0;
}
