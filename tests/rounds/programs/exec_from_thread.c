/* exec by a thread that is not the first: it takes the first one's id, and all others, here in a loop, are gone. */
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static char *program;
static unsigned forever = 1;

/* Endless, but not without a conditional branch: rr can leave a thread only where there is one. */
static void *spin(void *condition) {
    while (*(volatile unsigned *)condition) continue;
    return 0;
}

static void *replace(void *nothing) {
    execl("/proc/self/exe", program, "again", (char *)0);
    return nothing;
}

int main(int argc, char **argv) {
    if (argc > 1) {
        CHECK(getpid() == gettid());
        printf("%s\n", argv[1]);
        return 4;
    }
    program = argv[0];
    printf("first\n");
    fflush(stdout);
    pthread_t spinner, replacer;
    CHECK(pthread_create(&spinner, 0, spin, &forever) == 0);
    CHECK(pthread_create(&replacer, 0, replace, 0) == 0);
    pthread_join(replacer, 0);
    return 98;
}
