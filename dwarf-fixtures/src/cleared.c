/* The kernel's own write at the end of a thread: where `set_tid_address` says, and in what `pthread_join` waits for. */
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile int running, after;
static pthread_t joined;

static void *end(void *place) {
    if (place) {
        running = 7;
        syscall(SYS_set_tid_address, place);
    }
    return place;
}

int main(void) {
    pthread_t detached;
    running = 1;
    pthread_create(&detached, 0, end, (void *)&running);
    pthread_detach(detached);
    while (running)
        syscall(SYS_futex, &running, FUTEX_WAIT, 7, 0, 0, 0);
    after = 1;
    running = 2;
    pthread_create(&joined, 0, end, 0);
    pthread_join(joined, 0);
    after = 2;
    return 0;
}
