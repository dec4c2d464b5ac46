// Ends in the way that the second argument names, after a last system call that the first argument names. One variable is
// written on both sides of the call.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { WRITES = 3 };

static int total;
static int zero, zeros, half[2], pipes[2], word;
static char *page;
static const char *last, *end;

__attribute__((noinline)) static void add(int by) {
    total += by; // @write
}

static int is(const char *chosen, const char *name) {
    return strcmp(chosen, name) == 0;
}

static void call(void) {
    char bytes[8] = {0};
    struct stat status;
    struct timespec time, moment = {0, 1000};
    struct timeval now;
    struct pollfd ready = {pipes[0], POLLIN, 0};
    if (is(last, "fstat")) fstat(zeros, &status);
    if (is(last, "read")) read(zeros, bytes, sizeof bytes);
    if (is(last, "lseek")) lseek(zeros, 0, SEEK_SET);
    if (is(last, "clock_gettime")) clock_gettime(CLOCK_MONOTONIC, &time);
    if (is(last, "poll")) poll(&ready, 1, 0);
    if (is(last, "send")) send(half[0], bytes, sizeof bytes, 0);
    if (is(last, "recv")) recv(half[0], bytes, sizeof bytes, 0);
    if (is(last, "getpid")) getpid();
    if (is(last, "write")) write(1, "last\n", 5);
    if (is(last, "open")) open("/dev/null", O_RDONLY);
    if (is(last, "nanosleep")) nanosleep(&moment, 0);
    if (is(last, "futex")) syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
    if (is(last, "pipe")) read(pipes[0], bytes, 1);
    if (is(last, "gettimeofday")) gettimeofday(&now, 0);
    if (is(last, "sched_yield")) sched_yield();
}

static void segv(void) {
    int *volatile wild = (int *)0x10; // @before_segv
    *wild = 1; // @segv
}

static void jump(void) {
    void (*volatile wild)(void) = (void (*)(void))0x20; // @before_jump
    wild(); // @jump
}

static void fpe(void) {
    volatile int dividend = 7; // @before_fpe
    dividend /= zero; // @fpe
}

static void ill(void) {
    volatile int before = 7; // @before_ill
    __asm__ volatile("ud2"); // @ill
    (void)before;
}

static void bus(void) {
    volatile int before = 7; // @before_bus
    page[before] = 1; // @bus
}

static void trap(void) {
    volatile int before = 7; // @before_trap
    __asm__ volatile("int3"); // @trap
    before++; // @after_trap
    __builtin_trap();
}

__attribute__((noinline)) static int overflow(int depth) {
    volatile char frame[131072];
    frame[depth & 1023] = 1;
    return overflow(depth + 1) + frame[0];
}

static void assertion(void) {
    volatile int before = 7;
    assert(before == 8); // @assert
}

static void terminate(void) {
    volatile int before = SIGTERM;
    raise(before); // @sigterm
}

static void leave(int number) {
    _exit(number == SIGSEGV ? 6 : 7); // @leave
}

static void handled(void) {
    signal(SIGSEGV, leave);
    segv(); // @called_handler
}

static int finish(void) {
    if (is(end, "segv")) segv(); // @called_segv
    if (is(end, "jump")) jump(); // @called_jump
    if (is(end, "fpe")) fpe(); // @called_fpe
    if (is(end, "ill")) ill(); // @called_ill
    if (is(end, "bus")) bus(); // @called_bus
    if (is(end, "trap")) trap(); // @called_trap
    if (is(end, "overflow")) overflow(0);
    if (is(end, "abort")) abort(); // @called_abort
    if (is(end, "assert")) assertion();
    if (is(end, "sigterm")) terminate();
    if (is(end, "exit")) exit(3); // @called_exit
    if (is(end, "_exit")) _exit(4); // @called__exit
    if (is(end, "thread")) segv(); // @called_thread
    if (is(end, "handler")) handled();
    return 5;
}

static void *work(void *argument) {
    for (int i = 1; i <= WRITES; i++) add(i);
    call();
    for (int i = WRITES + 1; i <= 2 * WRITES; i++) add(i);
    finish();
    return argument;
}

int main(int argc, char **argv) {
    if (argc < 3) return 1;
    last = argv[1];
    end = argv[2];
    zeros = open("/dev/zero", O_RDONLY);
    socketpair(AF_UNIX, SOCK_STREAM, 0, half);
    pipe(pipes);
    write(half[1], "12345678", 8);
    write(pipes[1], "1", 1);
    int file = memfd_create("file", 0);
    ftruncate(file, 4096);
    page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ftruncate(file, 0);
    if (is(end, "thread")) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, 0);
    } else {
        work(0);
    }
    return 5;
}
