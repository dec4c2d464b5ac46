/* A debugger: its child is traced twice, by this program and by rr; a breakpoint changes code that has run already. */
#include "check.h"
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned value = 1;

__attribute__((noinline)) static void marked(void) { value = value * 3 + 1; }

static int run(int request, pid_t child) {
    int status;
    CHECK(ptrace(request, child, 0, 0) == 0 && waitpid(child, &status, 0) == child);
    return status;
}

int main(void) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
            _exit(90);
        marked();
        raise(SIGUSR1);
        for (int i = 0; i < 3; i++) marked();
        raise(SIGUSR2);
        marked();
        _exit((int)value % 100);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFSTOPPED(status) && WSTOPSIG(status) == SIGUSR1);
    long original = ptrace(PTRACE_PEEKTEXT, child, (void *)marked, 0);
    unsigned hits = 0;
    struct user_regs_struct registers;
    CHECK(ptrace(PTRACE_POKETEXT, child, (void *)marked, (original & ~0xffl) | 0xcc) == 0);
    for (;;) {
        status = run(PTRACE_CONT, child);
        CHECK(WIFSTOPPED(status));
        if (WSTOPSIG(status) == SIGUSR2)
            break;
        CHECK(WSTOPSIG(status) == SIGTRAP && ptrace(PTRACE_GETREGS, child, 0, &registers) == 0);
        CHECK(registers.rip == (unsigned long)marked + 1);
        hits++;
        /* Does what the function would have done, and returns for it. */
        long now = ptrace(PTRACE_PEEKDATA, child, (void *)&value, 0);
        CHECK(ptrace(PTRACE_POKEDATA, child, (void *)&value, (now & ~0xffffffffl) | (((unsigned)now * 3 + 1) & 0xffffffff)) == 0);
        registers.rip = (unsigned long)ptrace(PTRACE_PEEKDATA, child, (void *)registers.rsp, 0);
        registers.rsp += 8;
        CHECK(ptrace(PTRACE_SETREGS, child, 0, &registers) == 0);
    }
    CHECK(ptrace(PTRACE_POKETEXT, child, (void *)marked, original) == 0);
    unsigned system_calls = 0;
    do {
        status = run(PTRACE_SYSCALL, child);
        system_calls++;
    } while (WIFSTOPPED(status) && system_calls < 10);
    CHECK(WIFEXITED(status));
    printf("%u hits, then %u stops, ended with %d\n", hits, system_calls, WEXITSTATUS(status));
    return 0;
}
