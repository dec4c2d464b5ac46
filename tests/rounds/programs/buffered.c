/* Many cheap system calls of several threads, some of which block, under signals whose handlers make such calls, too, and
 * look for addresses of the code cache. In a child the calls are judged by a filter. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* Below the red zone lies the signal's own frame, which ends with what the vector registers held. */
enum { THREADS = 3, RED_ZONE = 16, ABOVE = 16, STACK = 1 << 20, REGION = 0x5c000000, REGION_END = 0x5f000000 };

static int zeros, rounds;
static int pipes[THREADS][2];
static volatile int handled;

/* Whether an address is one of the code cache. Any number can look like one: where there is no cache, nothing is mapped; and
 * of an address of the stack one half may be left where another number was written over the other. */
static int is_of_cache(uintptr_t word) {
    unsigned char resident;
    uintptr_t half = (uint32_t)(uintptr_t)&resident;
    if (word + STACK > half && word < half + STACK) return 0;
    return word >= REGION && word < REGION_END && mincore((void *)(word & -4096), 4096, &resident) == 0;
}

static void on_signal(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    ucontext_t *interrupted = context;
    int before = errno;
    CHECK(!is_of_cache((uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP]));
    uintptr_t *stack = (uintptr_t *)interrupted->uc_mcontext.gregs[REG_RSP];
    for (int i = -RED_ZONE; i < ABOVE; i++) CHECK(!is_of_cache(stack[i]));
    char bytes[4];
    CHECK(read(zeros, bytes, sizeof bytes) == sizeof bytes);
    handled++;
    errno = before;
}

/* Passes a byte on to the next thread, for which that one waits: by `read`, or by `poll` at first. */
static void *pass(void *argument) {
    int self = (int)(intptr_t)argument;
    long sum = 0;
    char *page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    for (int i = 0; i < rounds; i++) {
        char byte, bytes[16];
        struct pollfd ready = {pipes[self][0], POLLIN, 0};
        if (i % 3 == 0) while (poll(&ready, 1, -1) != 1) CHECK(errno == EINTR);
        CHECK(read(pipes[self][0], &byte, 1) == 1);
        for (int k = 0; k < 20; k++) sum += read(zeros, bytes, sizeof bytes) + (syscall(SYS_getuid) >= 0);
        if (i % 5 == 0) CHECK(mprotect(page, 4096, i % 2 ? PROT_READ : PROT_READ | PROT_WRITE) == 0);
        if (i % 7 == 0) CHECK(madvise(page + 4096, 4096, MADV_DONTNEED) == 0);
        sum += byte;
        byte = (char)(byte % 100 + 1);
        CHECK(write(pipes[(self + 1) % THREADS][1], &byte, 1) == 1);
    }
    CHECK(munmap(page, 8192) == 0);
    return (void *)sum;
}

static long pass_round(void) {
    pthread_t threads[THREADS];
    long sum = 0;
    for (int i = 0; i < THREADS; i++) CHECK(pipe(pipes[i]) == 0);
    for (intptr_t i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], 0, pass, (void *)i) == 0);
    char byte = 1;
    CHECK(write(pipes[0][1], &byte, 1) == 1);
    for (int i = 0; i < THREADS; i++) {
        void *part;
        CHECK(pthread_join(threads[i], &part) == 0);
        sum += (long)part;
    }
    CHECK(read(pipes[0][0], &byte, 1) == 1);
    return sum;
}

static void filter(void) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 77),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

int main(int argc, char **argv) {
    rounds = argc > 1 ? atoi(argv[1]) : 20;
    zeros = open("/dev/zero", O_RDONLY);
    CHECK(zeros >= 0);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    CHECK(sigaction(SIGALRM, &action, 0) == 0);
    struct itimerval timer = {{0, 700}, {0, 700}};
    CHECK(setitimer(ITIMER_REAL, &timer, 0) == 0);
    printf("%ld\n", pass_round());
    fflush(stdout);
    memset(&timer, 0, sizeof timer);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        filter();
        CHECK(syscall(SYS_getppid) == -1 && errno == 77);
        printf("judged %ld\n", pass_round());
        fflush(stdout);
        struct timespec pause = {0, 2000000};
        nanosleep(&pause, 0);
        _exit(5);
    }
    int status;
    while (waitpid(child, &status, 0) != child) CHECK(errno == EINTR);
    CHECK(setitimer(ITIMER_REAL, &timer, 0) == 0);
    printf("child ended with %d\n", WEXITSTATUS(status));
    printf("~ %d signals\n", handled);
    return 0;
}
