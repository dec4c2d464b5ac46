/* Threads that wait for each other and for other things; who has what, and who wants what, is written down. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct account { long balance; pthread_mutex_t lock; };

static int out;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t third = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t both;
static volatile int tids[5];
static volatile int waiting[5]; /* it has said what it wants, and goes to sleep */
static pthread_t threads[5];

static void has(const char *what) { dprintf(out, "has %d %s\n", gettid(), what); }
static void wants(const char *what) { dprintf(out, "wants %d %s\n", gettid(), what); }

static void *forth(void *given) {
    struct account *account = given;
    tids[0] = gettid();
    pthread_mutex_lock(&first); /* @first-taken */
    has("first");
    pthread_barrier_wait(&both);
    wants("account->lock");
    waiting[0] = 1;
    pthread_mutex_lock(&account->lock); /* @account-wanted */
    return 0;
}

static void *back(void *given) {
    struct account *account = given;
    tids[1] = gettid();
    pthread_mutex_lock(&account->lock); /* @account-taken */
    has("account->lock");
    pthread_barrier_wait(&both);
    wants("first");
    waiting[1] = 1;
    pthread_mutex_lock(&first); /* @first-wanted */
    return 0;
}

static void *reader(void *given) {
    tids[2] = gettid();
    wants("table");
    waiting[2] = 1;
    pthread_rwlock_rdlock(&table);
    return given;
}

static void *waiter(void *given) {
    tids[3] = gettid();
    pthread_mutex_lock(&third);
    wants("ready");
    waiting[3] = 1;
    pthread_cond_wait(&ready, &third);
    return given;
}

/* Reads whether a thread sleeps. */
static int sleeps(int tid) {
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    int file = open(path, O_RDONLY);
    if (file < 0)
        return 0;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length > 0 ? length : 0] = 0;
    char state = 0;
    sscanf(text, "%*d (%*[^)]) %c", &state);
    return state == 'S';
}

/* Ends the program when all others sleep. */
static void *watcher(void *given) {
    for (int asleep = 0; asleep < 5;) {
        asleep = sleeps(getpid());
        for (int i = 0; i < 4; i++)
            asleep += waiting[i] && sleeps(tids[i]);
        sched_yield();
    }
    abort();
    return given;
}

int main(int argc, char **argv) {
    out = open(argv[argc - 1], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
    struct account *account = malloc(sizeof *account);
    account->balance = 1;
    pthread_mutex_init(&account->lock, 0);
    pthread_barrier_init(&both, 0, 2);
    pthread_rwlock_wrlock(&table); /* @table-taken */
    has("table");
    pthread_create(&threads[0], 0, forth, account);
    pthread_create(&threads[1], 0, back, account);
    pthread_create(&threads[2], 0, reader, 0);
    pthread_create(&threads[3], 0, waiter, 0);
    while (!tids[0])
        sched_yield();
    pthread_create(&threads[4], 0, watcher, 0);
    dprintf(out, "joins %d %d\n", gettid(), tids[0]);
    pthread_join(threads[0], 0);
    return 0;
}
