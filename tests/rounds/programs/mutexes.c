/* Threads that wait for each other in the kernel: mutex, condition variable, join. Who came first is up to the scheduler. */
#include "check.h"
#include <pthread.h>

enum { THREADS = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static unsigned here, total, order, rounds;

static void *work(void *argument) {
    unsigned id = (unsigned)(long)argument;
    pthread_mutex_lock(&lock);
    if (++here == THREADS)
        pthread_cond_broadcast(&all_here);
    while (here < THREADS) pthread_cond_wait(&all_here, &lock);
    pthread_mutex_unlock(&lock);
    for (unsigned i = 0; i < rounds; i++) {
        pthread_mutex_lock(&lock);
        order = mix(order, id);
        total += id;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(int argc, char **argv) {
    pthread_t threads[THREADS];
    rounds = amount(argc, argv);
    for (long i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], 0, work, (void *)(i + 1)) == 0);
    for (long i = 0; i < THREADS; i++) {
        void *result;
        CHECK(pthread_join(threads[i], &result) == 0 && result == (void *)(i + 1));
    }
    printf("total %u\n" VARYING "order %u\n", total, order);
    return 0;
}
