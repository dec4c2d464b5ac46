/* Ends in one of many ways, by its argument. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct inner { int a, b; };
struct node { long id; struct inner in; struct node *next; };
struct cache { int size; pthread_mutex_t lru_lock; };
struct shard { long id; pthread_mutex_t lock; };

static const char text[] = "constant";
static int table[4];
static struct cache cache = { 0, PTHREAD_MUTEX_INITIALIZER };
static pthread_barrier_t both;

__attribute__((noinline)) static int of_null(struct node *p) {
    return p->in.b;             /* @member */
}

__attribute__((noinline)) static int of_two(struct node *p) {
    struct node *same = p;
    return same->in.b + p->in.b; /* @two */
}

__attribute__((noinline)) static void write_to(char *p) {
    p[2] = 'x';                 /* @read-only */
}

__attribute__((noinline)) static int deeper(int n) { /* @deeper */
    volatile char pad[4096];
    pad[0] = (char)n;
    return deeper(n + 1) + pad[0];
}

static void *other(void *given) {
    struct shard *mine = given;
    pthread_mutex_lock(&cache.lru_lock);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&mine->lock); /* @other-lock */
    return given;
}

static int lock_both(void) {
    pthread_t thread;
    pthread_barrier_init(&both, 0, 2);
    struct shard *shard = calloc(1, sizeof *shard);
    pthread_mutex_init(&shard->lock, 0);
    pthread_mutex_lock(&shard->lock);
    pthread_create(&thread, 0, other, shard);
    struct sigevent ring = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
    struct itimerspec soon = { .it_value.tv_sec = 5 }; /* both have come to their locks by then */
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, &ring, &timer);
    timer_settime(timer, 0, &soon, 0);
    pthread_barrier_wait(&both);
    return pthread_mutex_lock(&cache.lru_lock); /* @lock */
}

int main(int argc, char **argv) {
    int which = argc > 1 ? atoi(argv[1]) : 0;
    switch (which) {
    case 0: return of_null(0);
    case 1: write_to((char *)text); break;
    case 2: return deeper(0);
    case 3: assert(which == 4); break; /* @assert */
    case 4: abort();                   /* @abort */
    case 5: return *(volatile int *)0x4141414141414141; /* @strange */
    case 6: return ((int (*)(void))table)(); /* @data */
    case 7: return 7 / (argc - 2);     /* @divide */
    case 8: return lock_both();
    case 9: return raise(SIGUSR1);
    case 10: return raise(SIGSEGV);
    case 11: return of_null((struct node *)0x500000000000);
    case 12: return of_two((struct node *)0x500000000000);
    case 14: return (int)0x80000000 / (1 - argc); /* @overflows */
    case 13: return ((int (*)(void))text)(); /* @constant */
    }
    return 0;
}
