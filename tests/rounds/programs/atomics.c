/* Threads that wait for each other without the kernel: only an overflow of the counter gets them out of their loops. */
#include "check.h"
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3 };
static atomic_uint here, total, order;
static _Atomic(struct link *) stack;
struct link {
    struct link *below;
    unsigned id;
};
static unsigned rounds;

static void *work(void *argument) {
    unsigned id = (unsigned)(long)argument;
    atomic_fetch_add(&here, 1);
    while (atomic_load_explicit(&here, memory_order_relaxed) < THREADS) __builtin_ia32_pause();
    struct link *links = calloc(rounds, sizeof *links);
    for (unsigned i = 0; i < rounds; i++) {
        unsigned old = atomic_load(&order);
        while (!atomic_compare_exchange_weak(&order, &old, mix(old, id))) continue;
        atomic_fetch_add(&total, id);
        links[i].id = id;
        links[i].below = atomic_load(&stack);
        while (!atomic_compare_exchange_weak(&stack, &links[i].below, &links[i])) continue;
    }
    return 0;
}

/* Endless, but not without a conditional branch: rr can leave a thread only where there is one. */
static void *spin(void *condition) {
    while (*(volatile unsigned *)condition) continue;
    return 0;
}

int main(int argc, char **argv) {
    pthread_t threads[THREADS], spinner;
    rounds = amount(argc, argv);
    for (long i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], 0, work, (void *)(i + 1)) == 0);
    for (long i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], 0) == 0);
    unsigned length = 0, sum = 0;
    for (struct link *at = stack; at; at = at->below, length++) sum = mix(sum, at->id);
    printf("total %u, stack of %u\n" VARYING "order %u, stack %u\n", total, length, order, sum);
    /* The process ends while this one is in its loop. */
    CHECK(pthread_create(&spinner, 0, spin, &rounds) == 0);
    return 0;
}
