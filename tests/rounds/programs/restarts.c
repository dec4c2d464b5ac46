/* System calls that a signal interrupts: some fail with EINTR, some go on where they were, some are made again. */
#include "check.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms;
static int ends[2];

static void on_alarm(int number) {
    (void)number;
    alarms++;
    /* What the interrupted read waits for. */
    if (write(ends[1], "x", 1) != 1)
        _exit(98);
}

static void handle(int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_alarm;
    action.sa_flags = flags;
    CHECK(sigaction(SIGALRM, &action, 0) == 0);
}

static void alarm_soon(void) {
    struct itimerval timer = {{0, 0}, {0, 20000}};
    CHECK(setitimer(ITIMER_REAL, &timer, 0) == 0);
}

int main(void) {
    char byte;
    struct timespec nap = {0, 30000000}, rest = {0, 0};
    CHECK(pipe(ends) == 0);

    handle(SA_RESTART);
    alarm_soon();
    CHECK(read(ends[0], &byte, 1) == 1 && alarms == 1);

    /* Never restarted, whatever the handler says. Again, if the alarm was there before the call. */
    struct pollfd none = {ends[1], 0, 0};
    for (int ready = 0; ready == 0;) {
        alarms = 0;
        alarm_soon();
        ready = poll(&none, 1, 1000);
        CHECK(ready == 0 || (ready == -1 && errno == EINTR));
        CHECK(read(ends[0], &byte, 1) == 1 && alarms == 1);
    }

    handle(0);
    struct timespec longer = {1, 0};
    for (int slept = 0; slept == 0;) {
        alarms = 0;
        alarm_soon();
        slept = nanosleep(&longer, &rest);
        CHECK(slept == 0 || (slept == -1 && errno == EINTR && rest.tv_sec == 0 && rest.tv_nsec > 0));
        CHECK(read(ends[0], &byte, 1) == 1 && alarms == 1);
    }

    /* A stop without a handler: the sleep goes on by restart_syscall. */
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) _exit(nanosleep(&nap, 0) == 0 ? 6 : 7);
    int status;
    CHECK(kill(child, SIGSTOP) == 0 && waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
    CHECK(kill(child, SIGCONT) == 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 6);

    /* An ignored signal interrupts nothing. */
    signal(SIGALRM, SIG_IGN);
    alarm_soon();
    CHECK(nanosleep(&nap, 0) == 0 && alarms == 1);
    printf("%d alarm\n" VARYING "%ld.%09ld s left\n", alarms, (long)rest.tv_sec, rest.tv_nsec);
    return 0;
}
