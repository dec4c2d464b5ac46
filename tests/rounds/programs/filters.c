/* Seccomp filters of the program's own: an error, a signal with a handler, and in a child a stricter one that ends it. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int trapped;

static void on_trap(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    trapped = trapped * 1000 + info->si_syscall;
}

static void filter(int number, unsigned verdict) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, verdict),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO;
    CHECK(sigaction(SIGSYS, &action, 0) == 0);
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    filter(SYS_getppid, SECCOMP_RET_ERRNO | 77);
    filter(SYS_gettid, SECCOMP_RET_TRAP);
    for (int i = 0; i < 3; i++) {
        CHECK(syscall(SYS_getppid) == -1 && errno == 77);
        CHECK(getpid() > 0);
    }
    syscall(SYS_gettid);
    CHECK(trapped == SYS_gettid);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        signal(SIGSYS, SIG_DFL);
        filter(SYS_getuid, SECCOMP_RET_TRAP);
        syscall(SYS_getuid);
        _exit(1);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    printf("trapped %d, child killed by %d\n", trapped, WTERMSIG(status));
    return 0;
}
