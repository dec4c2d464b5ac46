/* SIGALRM where the flags are loaded: the kernel takes the trap flag of a step from there for the program's own, and a
   handler would find it in its frame. */
#define _GNU_SOURCE
#include "check.h"
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

enum { ALARMS = 60, TRAP_FLAG = 1 << 8 };
static volatile int alarms, loading, trapping;

static void on_alarm(int number, siginfo_t *info, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    (void)number;
    (void)info;
    alarms++;
    loading += *(unsigned char *)registers[REG_RIP] == 0x9d;
    trapping += (registers[REG_EFL] & TRAP_FLAG) != 0;
}

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_alarm;
    action.sa_flags = SA_SIGINFO;
    CHECK(sigaction(SIGALRM, &action, 0) == 0);
    struct itimerval timer = {{0, 1000}, {0, 1000}};
    CHECK(setitimer(ITIMER_REAL, &timer, 0) == 0);
    while (alarms < ALARMS)
        for (int i = 0; i < 1000; i++)
            __asm__ volatile("sub $128, %%rsp\n\tpushf\n\tpopf\n\tpushf\n\tpopf\n\tpushf\n\tpopf\n\tadd $128, %%rsp"
                             :
                             :
                             : "memory", "cc");
    memset(&timer, 0, sizeof timer);
    CHECK(setitimer(ITIMER_REAL, &timer, 0) == 0);
    printf("%d with the trap flag\n" VARYING "%d alarms, %d where flags are loaded\n", trapping, alarms, loading);
    return 0;
}
