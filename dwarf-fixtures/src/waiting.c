/* Others write what a thread that waits for them writes, too: a system call, signals, and the order of all that. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile int state;
static pthread_t first;
static int values[2], turns[2];

static void set(int s) {
    state = s; /* @set */
}

static void wait_for_turn(void) {
    char turn;
    if (read(turns[0], &turn, 1) != 1)
        _exit(2);
}

static void give_turn(void) {
    if (write(turns[1], "", 1) != 1)
        _exit(2);
}

static void on_alarm(int signal) {
    (void)signal;
    set(60);
    give_turn();
}

/* Writes while the first thread waits for a value, then while it waits for the end of this one. */
static void *write_all(void *unused) {
    int value = 99;
    set(10);
    set(20);
    if (write(values[1], &value, sizeof value) != sizeof value)
        _exit(2);
    wait_for_turn();
    set(30);
    set(40);
    set(50);
    pthread_kill(first, SIGALRM);
    wait_for_turn();
    set(70);
    set(80);
    pthread_kill(first, SIGINT);
    for (;;)
        pause();
    return unused;
}

int main(void) {
    pthread_t other;
    first = pthread_self();
    signal(SIGALRM, on_alarm);
    if (pipe(values) || pipe(turns))
        return 2;
    set(1);
    pthread_create(&other, 0, write_all, 0);
    if (read(values[0], (void *)&state, sizeof state) != sizeof state) /* @read */
        return 2;
    give_turn();
    return pthread_join(other, 0);
}
