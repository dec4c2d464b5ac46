/* Four threads with 2.6 million branches each, stopped only by the ends of their time slices, which now and then write
 * to the same variable. */
#include <pthread.h>
#include <stdio.h>

static volatile unsigned last;
static unsigned long sums[4];

static void *work(void *number) {
    unsigned long x = (unsigned long)number + 1, sum = 0;
    for (int i = 0; i < 1300000; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        sum += x & 1 ? x : (unsigned long)i;
        if (i % 100000 == 0) {
            last = (unsigned)sum; /* @write */
        }
    }
    sums[(unsigned long)number] = sum;
    return 0;
}

static void done(void) {
    printf("%lu %u\n", sums[0] ^ sums[1] ^ sums[2] ^ sums[3], last); /* @done */
}

int main(void) {
    pthread_t threads[4];
    for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    done();
    return 0;
}
