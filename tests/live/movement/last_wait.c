/* A thread waits when its program ends, and much is computed in between. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t posted, never;
volatile unsigned long sink;

static void *wait_for_both(void *nothing) {
    sem_wait(&posted);
    sem_wait(&never); /* never */
    return nothing;
}

int main(void) {
    pthread_t thread;
    sem_init(&posted, 0, 0);
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, wait_for_both, NULL);
    usleep(10000); /* The thread waits. */
    sem_post(&posted);
    usleep(10000); /* It waits again. */
    for (unsigned long turn = 0; turn < 20000000; turn++)
        sink += turn;
    exit(0);
}
