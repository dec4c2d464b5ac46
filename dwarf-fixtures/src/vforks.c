/* Children that share the memory of their parent until they execute a program or end, while another thread runs. */
#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 3, TURNS = 5 };
extern char **environ;
int work, passed;
static pthread_barrier_t barrier;

__attribute__((noinline)) void tick(int n) {
    if (n) passed++;
}

static void *run(void *unused) {
    for (int i = 0; i < CHILDREN; i++) {
        pthread_barrier_wait(&barrier);
        for (int turn = 0; turn < TURNS; turn++) tick(1);
    }
    return unused;
}

static void wait_for(pid_t child) {
    waitpid(child, NULL, 0);
}

int main(void) {
    pthread_t thread;
    char *words[] = {"true", NULL};
    pid_t child;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, run, NULL);
    for (int i = 0; i < CHILDREN; i++) {
        pthread_barrier_wait(&barrier);
        child = vfork(); /* @vfork */
        if (child == 0) { /* @child */
            tick(1000);
            usleep(1000);
            if (i) execl(i % 2 ? "/no/such/program" : "/bin/true", "true", (char *)NULL);
            _exit(7);
        }
        wait_for(child); /* @wait */
        tick(100); /* @tick */
    }
    posix_spawn(&child, "/bin/true", NULL, NULL, words, environ); /* @spawn */
    wait_for(child); /* @spawned */
    work = system("exit 3"); /* @system */
    FILE *stream = popen("exit 4", "r"); /* @popen */
    work += pclose(stream); /* @pclose */
    pthread_join(thread, NULL); /* @join */
    return work == (7 << 8) ? 0 : 1; /* @return */
}
