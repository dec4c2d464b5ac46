/* Two threads that add to one counter under a mutex. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void *adder(void *argument) {
    int by = *(int *)argument;
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        shared += by; /* @add */
        pthread_mutex_unlock(&lock);
    }
    return 0; /* @thread-return */
}

int main(void) {
    pthread_t a, b;
    int one = 1, hundred = 100;
    pthread_create(&a, 0, adder, &one);     /* @create-a */
    pthread_create(&b, 0, adder, &hundred); /* @create-b */
    pthread_join(a, 0);                     /* @join-a */
    pthread_join(b, 0);
    return shared == 303 ? 0 : 1;           /* @return */
}
