/* Signals that come while rr's library makes a system call for the program: one that blocks, one that is over at once. The
 * program makes its calls itself, so that there are lines. */
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static int ends[2];
static char buffer[16];
static volatile int handled;
static int calls;

static void on_alarm(int number)
{
    handled += number; /* @handler */
} /* @handled */

static long call(long what, long first, void *second, long third)
{
    long result;
    __asm__ volatile("syscall\n\tcmpq $-4095, %%rax" /* @call */
                     : "=a"(result)
                     : "0"(what), "D"(first), "S"(second), "d"(third)
                     : "rcx", "r11", "cc", "memory");
    calls++; /* @behind */
    return result; /* @result */
} /* @left */

static long wait_for(int depth)
{
    long got;
    if (depth > 0) /* @depth */
        return wait_for(depth - 1) + 1; /* @deeper */
    got = call(0, ends[0], buffer, sizeof buffer); /* @read */
    return got; /* @got */
} /* @returned */

int main(void)
{
    struct sigaction action;
    struct itimerval soon = {{0, 0}, {0, 20000}};
    long interrupted, written, got;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_alarm;
    sigaction(SIGALRM, &action, 0);
    if (pipe(ends))
        return 1;
    setitimer(ITIMER_REAL, &soon, 0);
    interrupted = wait_for(2);
    written = call(1, ends[1], "hello", 5); /* @write */
    got = call(0, ends[0], buffer, sizeof buffer); /* @again */
    return interrupted != -2 || written != 5 || got != 5; /* @end */
}
