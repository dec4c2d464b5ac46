/* A signal that the first thread gets while another one waits for it. */
#include <pthread.h>
#include <signal.h>

static volatile int handled;
static pthread_barrier_t both;

static void on_usr1(int signal) {
    (void)signal;
    handled = 1; /* @handler */
}

static void *wait_for_both(void *unused) {
    pthread_barrier_wait(&both);
    return unused;
}

int main(void) {
    pthread_t other;
    signal(SIGUSR1, on_usr1);
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&other, 0, wait_for_both, 0);
    pthread_kill(pthread_self(), SIGUSR1); /* @kill */
    pthread_barrier_wait(&both);
    pthread_join(other, 0);
    return handled ? 3 : 1; /* @return */
}
