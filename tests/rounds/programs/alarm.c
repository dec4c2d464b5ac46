/* SIGALRM in the middle of a hot loop: the one kind of event whose place is known by the counter alone. */
#include "check.h"
#include <signal.h>
#include <string.h>
#include <sys/time.h>

enum { ALARMS = 5 };
static volatile sig_atomic_t alarms;
static volatile unsigned spins, seen[ALARMS];

static void on_alarm(int number) {
    (void)number;
    if (alarms < ALARMS)
        seen[alarms] = spins;
    alarms++;
}

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_alarm;
    CHECK(sigaction(SIGALRM, &action, 0) == 0);
    struct itimerval timer = {{0, 5000}, {0, 5000}};
    CHECK(setitimer(ITIMER_REAL, &timer, 0) == 0);
    while (alarms < ALARMS) spins++;
    memset(&timer, 0, sizeof timer);
    CHECK(setitimer(ITIMER_REAL, &timer, 0) == 0);
    unsigned sum = 0;
    for (int i = 0; i < ALARMS; i++) sum = mix(sum, seen[i]);
    printf("%d alarms\n" VARYING "%u spins, %u\n", ALARMS, spins, sum);
    return 0;
}
