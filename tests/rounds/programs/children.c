/* Children that share nothing but their past: computing side by side, stopped and continued, killed in a loop. */
#include "check.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 4 };

static unsigned compute(unsigned from, unsigned count) {
    unsigned sum = from;
    for (unsigned i = 0; i < count; i++) sum = i % 3 ? mix(sum, i) : sum + i;
    return sum;
}

int main(int argc, char **argv) {
    unsigned count = amount(argc, argv);
    int status, results[2];
    CHECK(pipe(results) == 0);
    for (unsigned i = 0; i < CHILDREN; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            unsigned pair[2] = {i, compute(i, count)};
            _exit(write(results[1], pair, sizeof pair) == sizeof pair ? 0 : 1);
        }
    }
    unsigned own = compute(CHILDREN, count), results_of[CHILDREN], order = 0;
    for (int i = 0; i < CHILDREN; i++) {
        unsigned pair[2];
        CHECK(read(results[0], pair, sizeof pair) == sizeof pair && pair[0] < CHILDREN);
        results_of[pair[0]] = pair[1];
        order = order * 10 + pair[0];
    }
    for (int i = 0; i < CHILDREN; i++) CHECK(wait(&status) > 0 && status == 0);
    printf("%u", own);
    for (int i = 0; i < CHILDREN; i++) printf(" %u", results_of[i]);
    printf("\n" VARYING "order %u\n", order);
    fflush(stdout);

    pid_t looping = fork();
    CHECK(looping >= 0);
    if (looping == 0) {
        char ready = 1;
        CHECK(write(results[1], &ready, 1) == 1);
        /* Endless, but not without a conditional branch: rr can leave a process only where there is one. */
        while (*(volatile unsigned *)&count) continue;
        _exit(97);
    }
    char ready;
    CHECK(read(results[0], &ready, 1) == 1);
    CHECK(kill(looping, SIGSTOP) == 0 && waitpid(looping, &status, WUNTRACED) == looping && WIFSTOPPED(status));
    /* Not waited for: rr does not report that a child continues. */
    CHECK(kill(looping, SIGCONT) == 0 && kill(looping, SIGKILL) == 0 && waitpid(looping, &status, 0) == looping);
    printf("killed by %d\n", WTERMSIG(status));
    return 0;
}
