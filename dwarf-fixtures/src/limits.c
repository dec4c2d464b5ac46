/* What is larger, longer or more than a reader wants: an array of a gigabyte, a list without an end, threads by the thousand
   (as many as the argument says). */
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static char huge[1 << 30];
static struct node ring;
static pthread_barrier_t all_here;

static void *wait_for_all(void *unused) {
    pthread_barrier_wait(&all_here);
    return unused;
}

static int here(int threads) {
    return threads; /* @here */
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 0;
    pthread_t *threads = calloc(count + 1, sizeof *threads);
    pthread_attr_t small;
    huge[0] = 'a';
    huge[sizeof huge - 1] = 'z';
    ring.next = &ring;
    ring.value = 7;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16384);
    pthread_barrier_init(&all_here, NULL, count + 1);
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], &small, wait_for_all, NULL) != 0)
            return 2;
    int all = here(count);
    pthread_barrier_wait(&all_here);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return all == count ? 0 : 1;
}
