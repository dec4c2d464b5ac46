/* A thread waits in a system call, which it makes itself, while another one gets signals. */
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms, done;

static void on_alarm(int signal) {
    alarms += 1;
}

/* rr writes over no call that stands among such instructions. */
static long wait_for(long milliseconds) {
    struct timespec time = {0, milliseconds * 1000000};
    long result = SYS_nanosleep;
    __asm__ volatile("xchg %%rax, %%r9\n\txchg %%rax, %%r9\n\tsyscall\n\txchg %%rax, %%r9\n\txchg %%rax, %%r9" /* @wait */
                     : "+a"(result)
                     : "D"(&time), "S"(0)
                     : "rcx", "r11", "memory");
    return result; /* @waited */
}

static void *waiter(void *unused) {
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm, 0);
    long result = wait_for(50);
    done = 1;
    return (void *)result;
}

int main(void) {
    struct itimerval every = {{0, 2000}, {0, 2000}};
    pthread_t thread;
    void *result;
    signal(SIGALRM, on_alarm);
    pthread_create(&thread, 0, waiter, 0);
    setitimer(ITIMER_REAL, &every, 0);
    while (!done)
        usleep(1000);
    pthread_join(thread, &result);
    return result != 0 || alarms == 0;
}
