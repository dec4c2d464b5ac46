/* Runs for seconds in a loop without a system call, which is one stretch between two events of a recording. What ends
   it is a call, a fault, or a signal from outside. */
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile long turns;

static void spin(long rounds) {
    for (long i = 0; i < rounds; i++) /* @loop */
        turns += i & 3;
}

static void rung(int signal) {
    _exit(signal != SIGVTALRM || turns == 0);
}

int main(int argc, char **argv) {
    const char *end = argc > 1 ? argv[1] : "call";
    long rounds = 1500000000;
    if (!strcmp(end, "signal")) {
        struct itimerval end = {.it_value = {.tv_sec = 3}};
        signal(SIGVTALRM, rung);
        setitimer(ITIMER_VIRTUAL, &end, NULL);
        rounds = 1L << 60;
    }
    spin(rounds);
    if (!strcmp(end, "fault"))
        *(volatile int *)8 = 1; /* @fault */
    return turns != 2250000000;
}
