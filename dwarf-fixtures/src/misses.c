/* Calls a function thousands of times, a few of them with what one may wait for. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

int turned, handled, passed;

static void turn(int n) {
    turned += n; /* @turn */
}

static void on_signal(int number) {
    handled = number; /* @handler */
}

static void *other(void *argument) {
    turn(*(int *)argument); /* @other */
    return 0;
}

static void pass(int n) {
    passed = n; /* @pass */
}

static int many(int count) {
    for (int i = 0; i < count; i++)
        pass(i);
    return passed; /* @passed */
}

int main(void) {
    int seven = -7;
    signal(SIGUSR1, on_signal);
    for (int i = 0; i < 1500; i++) {
        turn(i); /* @call */
        if (i % 50 == 0)
            getppid();
        if (i == 500) {
            pthread_t thread;
            pthread_create(&thread, 0, other, &seven);
            pthread_join(thread, 0);
        }
        if (i == 1000)
            raise(SIGUSR1); /* @raise */
    }
    int last = many(800); /* @many */
    return turned == 1124243 && last == 799 ? 0 : 1; /* @return */
}
