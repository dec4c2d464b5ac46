/* Code that is rewritten while it runs: by a signal handler, and by another thread. What comes out depends on when. */
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

typedef unsigned function(unsigned);
static unsigned char *code;
static volatile int done, rewrites;

/* The operand of the addition, which is aligned. */
static volatile unsigned *step(void) {
    return (volatile unsigned *)(code + 4);
}

static void on_alarm(int signal) {
    (void)signal;
    *step() += 2;
    rewrites++;
}

static void *rewrite(void *unused) {
    while (!done) {
        *step() ^= 1;
        usleep(100);
    }
    return unused;
}

int main(int argc, char **argv) {
    /* sum(n): adds an operand of its own n times. */
    static const unsigned char loop[] = {0x31, 0xc0,             /*    xor eax, eax     */
                                         0x90,                   /* 1: nop              */
                                         0x05, 2, 0, 0, 0,       /*    add eax, 2       */
                                         0xff, 0xcf,             /*    dec edi          */
                                         0x75, 0xf6,             /*    jnz 1b           */
                                         0xc3};                  /*    ret              */
    code = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(code != MAP_FAILED);
    memcpy(code, loop, sizeof loop);
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    CHECK(sigaction(SIGALRM, &action, 0) == 0);
    struct itimerval timer = {{0, 2000}, {0, 2000}};
    CHECK(setitimer(ITIMER_REAL, &timer, 0) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, rewrite, 0) == 0);
    unsigned sum = 0;
    for (unsigned i = 0; i < 20 || rewrites < 5; i++) {
        unsigned value = ((function *)code)(amount(argc, argv));
        sum = mix(sum, value);
    }
    done = 1;
    CHECK(pthread_join(thread, 0) == 0);
    printf(VARYING "%u %d\n", sum, rewrites);
    puts("rewritten");
    return 0;
}
