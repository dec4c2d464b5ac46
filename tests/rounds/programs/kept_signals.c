/* Signals that come while rr's library makes system calls, which rr keeps until those are done, at the ends of time slices:
 * nothing may be blocked after them, in the handler or behind it. */
#include "check.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { THREADS = 2, READS = 50 };

static int zeros, rounds;
static volatile int handled;

/* Whether just this signal is blocked, or none if it is 0. */
static int is_blocked_alone(int number) {
    sigset_t blocked;
    CHECK(pthread_sigmask(SIG_BLOCK, 0, &blocked) == 0);
    for (int other = 1; other < SIGRTMIN; other++)
        if (sigismember(&blocked, other) != (other == number)) return 0;
    return 1;
}

static void on_alarm(int number) {
    CHECK(is_blocked_alone(number));
    handled++;
}

static void *work(void *unused) {
    unsigned long sum = 0;
    for (int i = 0; i < rounds; i++) {
        char bytes[16];
        for (int k = 0; k < READS; k++) {
            CHECK(read(zeros, bytes, sizeof bytes) == sizeof bytes);
            if ((k ^ i) & 3) sum += k;
        }
        CHECK(is_blocked_alone(0));
    }
    CHECK(sum > 0);
    return unused;
}

int main(int argc, char **argv) {
    rounds = argc > 1 ? atoi(argv[1]) : 100;
    zeros = open("/dev/zero", O_RDONLY);
    CHECK(zeros >= 0);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_alarm;
    action.sa_flags = SA_RESTART;
    CHECK(sigaction(SIGALRM, &action, 0) == 0);
    struct itimerval timer = {{0, 500}, {0, 500}};
    CHECK(setitimer(ITIMER_REAL, &timer, 0) == 0);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], 0, work, 0) == 0);
    work(0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], 0) == 0);
    memset(&timer, 0, sizeof timer);
    CHECK(setitimer(ITIMER_REAL, &timer, 0) == 0);
    printf("nothing is left blocked\n~ %d signals\n", handled);
    return 0;
}
