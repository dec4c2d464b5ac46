/* Children that are busy with computing and cheap system calls until somebody kills them: "killed killer FIFO" does so, from
   outside a recording, for each process that "killed FIFO" names to it. */
#define _GNU_SOURCE
#include "check.h"
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHILDREN = 300 };
static volatile unsigned total;

static unsigned once(unsigned value) { return value * 3 + 1; }
static unsigned twice(unsigned value) { return value % 5 ? value / 2 : value + 7; }

static void work(void) {
    unsigned (*volatile steps[])(unsigned) = {once, twice};
    unsigned sum = 1;
    for (;;) {
        for (unsigned i = 0; i < 300; i++)
            sum = mix(steps[sum & 1](sum), i);
        for (unsigned i = 0; i < 3000; i++)
            total += 7;
        total += sum;
        sched_yield();
    }
}

static int kill_all(const char *fifo) {
    int names = open(fifo, O_RDONLY);
    pid_t child;
    CHECK(names >= 0);
    for (long i = 0; read(names, &child, sizeof child) == sizeof child; i++) {
        struct timespec some = {0, 20000 * (i % 40)};
        nanosleep(&some, 0);
        kill(child, SIGKILL);
    }
    return 0;
}

int main(int argc, char **argv) {
    CHECK(argc > 1);
    if (argc > 2)
        return kill_all(argv[2]);
    int names = open(argv[1], O_WRONLY), count = 0;
    CHECK(names >= 0);
    for (int i = 0; i < CHILDREN; i++) {
        int status;
        pid_t child = fork();
        if (child == 0)
            work();
        CHECK(write(names, &child, sizeof child) == sizeof child);
        CHECK(waitpid(child, &status, 0) == child);
        count += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    }
    printf("%d killed\n", count);
    return 0;
}
