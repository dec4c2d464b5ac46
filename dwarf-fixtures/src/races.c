/* Variables that two threads access, in order and not. Each line that does so has a mark. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t many = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t done;

static volatile int racy, locked, mixed, handed, split, shared, misread, spun, counted, posted, tried, looked;

static void both(int number)
{
    racy = racy + number; /* @racy */
    pthread_mutex_lock(&first);
    locked = locked + number; /* @locked */
    pthread_mutex_unlock(&first);
    pthread_rwlock_wrlock(&many);
    shared = shared + number; /* @shared-write */
    pthread_rwlock_unlock(&many);
    pthread_rwlock_rdlock(&many);
    misread = misread + shared; /* @misread */
    pthread_rwlock_unlock(&many);
    pthread_spin_lock(&spin);
    spun = spun + number; /* @spun */
    pthread_spin_unlock(&spin);
    __atomic_fetch_add(&counted, number, __ATOMIC_SEQ_CST); /* @counted */
}

static void *one(void *argument)
{
    int number = *(int *)argument;
    both(number);
    pthread_mutex_lock(&first);
    mixed = number; /* @mixed-locked */
    split = number; /* @split-first */
    pthread_mutex_unlock(&first);
    if (pthread_mutex_trylock(&second) == 0) {
        /* Who has it cannot take it again. */
        if (pthread_mutex_trylock(&second) != 0)
            tried = tried + 1; /* @tried-first */
        pthread_mutex_unlock(&second);
    }
    handed = handed + 1; /* @handed-thread */
    posted = number; /* @posted-write */
    sem_post(&done);
    return 0;
}

static void *other(void *argument)
{
    both(*(int *)argument);
    mixed = mixed + 1; /* @mixed-free */
    pthread_mutex_lock(&second);
    split = split + 1; /* @split-second */
    tried = tried + 1; /* @tried-second */
    pthread_mutex_unlock(&second);
    sem_wait(&done);
    posted = posted + 1; /* @posted-read */
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {1, 2};
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&done, 0, 0);
    handed = 10; /* @handed-before */
    racy = 5; /* @before */
    pthread_create(&threads[0], 0, one, &numbers[0]);
    pthread_create(&threads[1], 0, other, &numbers[1]);
    looked = racy; /* @looked */
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    handed = handed + 1; /* @handed-after */
    printf("%d %d %d %d %d %d\n", locked, shared, spun, counted, handed, posted);
    fflush(stdout);
    abort();
}
