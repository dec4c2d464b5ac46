/* A tracer of its own: has a thread's counter overflow, and the thread go on from there with a signal. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LATE = 1 };

/* Named as rr's own function, which is asked how late overflows may come: none do while rr records. */
unsigned _ZN2rr12PerfCounters9skid_sizeEv(void) { return LATE; }

static void on_signal(int number, siginfo_t *info, void *context) {
    (void)context;
    _exit(number == SIGUSR1 && info->si_code == SI_QUEUE ? info->si_value.sival_int : 1);
}

static void spin(int begin) {
    char byte;
    if (read(begin, &byte, 1) != 1) _exit(3);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR1, &action, 0);
    raise(SIGSTOP);
    for (volatile unsigned long i = 0; i != ~0ul; i++) {}
    _exit(4);
}

static int next(pid_t child) {
    int status;
    if (waitpid(child, &status, __WALL) != child) exit(2);
    return status;
}

/* How the thread ends that is resumed by this request, with its counter running or not. */
static int deliver(int request, int running) {
    int begin[2];
    if (pipe(begin)) return -9;
    pid_t child = fork();
    if (child == 0) spin(begin[0]);
    if (ptrace(PTRACE_SEIZE, child, 0, (void *)(long)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL))) return -1;
    if (write(begin[1], "", 1) != 1 || next(child) >> 8 != SIGSTOP) return -2;
    struct perf_event_attr ticks;
    memset(&ticks, 0, sizeof ticks);
    ticks.size = sizeof ticks;
    ticks.type = PERF_TYPE_RAW;
    ticks.config = 0x5101c4;
    ticks.sample_period = 1000;
    ticks.exclude_kernel = 1;
    int counter = (int)syscall(SYS_perf_event_open, &ticks, child, -1, -1, 0);
    if (counter < 0 || fcntl(counter, F_SETSIG, SIGSTKFLT)) return -3;
    if (ptrace(request, child, 0, 0)) return -4;
    int status = next(child);
    if (status >> 8 != SIGSTKFLT) return status;
    unsigned long count = 0;
    if (read(counter, &count, sizeof count) != sizeof count || count != 1000 + LATE) return -5;
    siginfo_t info;
    if (ptrace(PTRACE_GETSIGINFO, child, 0, &info) || info.si_signo != SIGSTKFLT || info.si_code != POLL_IN) return -6;
    memset(&info, 0, sizeof info);
    info.si_signo = SIGUSR1;
    info.si_code = SI_QUEUE;
    info.si_value.sival_int = 42;
    if (ptrace(PTRACE_SETSIGINFO, child, 0, &info)) return -7;
    if (!running) ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
    if (ptrace(request, child, 0, SIGUSR1)) return -8;
    /* The handler's only system call ends it. */
    while (!WIFEXITED(status = next(child)) && !WIFSIGNALED(status)) {
        if (ptrace(request == PTRACE_SYSEMU ? PTRACE_CONT : request, child, 0, 0)) return -10;
    }
    close(counter);
    return status;
}

int main(void) {
    const int requests[] = {PTRACE_CONT, PTRACE_SYSCALL, PTRACE_SYSEMU};
    for (int i = 0; i < 3; i++) {
        for (int running = 0; running < 2; running++) {
            int status = deliver(requests[i], running);
            if (status != 42 << 8) {
                printf("request %d, counter running %d: %d\n", requests[i], running, status);
                return 1;
            }
        }
    }
    return 0;
}
