/* Writes to a few objects, in ways that a debugger has to tell apart: by lines, by libraries, by system calls, by threads. It prints what is
   in them at the end, and crashes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

struct point { int x, y; };
struct shape { struct point corners[4]; char name[16]; long area; };

struct shape *shape;
int total;
static int turns;
char *one, *two;

__attribute__((noinline)) static void add(int amount) {
    total += amount; /* @adds */
}

__attribute__((noinline)) static void move(struct point *point, int by) {
    point->x += by; /* @moves_x */
    point->y = by;  /* @sets_y */
}

static void *work(void *argument) {
    (void)argument;
    total = 500; /* @thread */
    return NULL;
}

int main(void) {
    static const struct point start = {7, 8};
    struct iovec piece;
    pthread_t thread;
    int ends[2];
    shape = malloc(sizeof *shape);
    memset(shape, 0x11, sizeof *shape); /* @sets_all */
    for (turns = 1; turns <= 3; turns++) add(turns);
    shape->corners[2] = start; /* @copies */
    move(&shape->corners[2], 10);
    if (pipe(ends) || write(ends[1], "square", 7) != 7) return 1;
    piece.iov_base = shape->name;
    piece.iov_len = 7;
    if (readv(ends[0], &piece, 1) != 7) return 1; /* @reads */
    if (pthread_create(&thread, NULL, work, NULL) || pthread_join(thread, NULL)) return 1;
    add(1000);
    /* The same memory under two addresses. */
    int file = memfd_create("shared", 0);
    if (ftruncate(file, 4096)) return 1;
    one = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    two = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    *one = 'a'; /* @one */
    *two = 'b'; /* @two */
    shape->area = shape->area; /* @nothing */
    printf("%d %d %d %s\n", total, shape->corners[2].x, shape->corners[2].y, shape->name);
    fflush(stdout);
    abort();
}
