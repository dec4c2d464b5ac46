/* A thread whose stack is a variable of the program, at a low address: what rr maps for it, its stack for system calls
   too, lies above. */
#include <pthread.h>
#include <unistd.h>

static char stack[1 << 20] __attribute__((aligned(4096)));
static int pipes[2], ready[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int taken;

__attribute__((noinline)) static char receive(int from) {
    char byte = 0;
    if (read(from, &byte, 1) != 1) byte = 0; /* @read */
    return byte;
}

static void *run(void *unused) {
    for (int i = 0; i < 3; i++) receive(ready[0]);
    pthread_mutex_lock(&lock);
    taken = receive(pipes[0]); /* @wait */
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    if (pipe(pipes) || pipe(ready)) return 1;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, sizeof stack);
    if (pthread_create(&thread, &attributes, run, NULL)) return 2;
    for (int i = 0; i < 3; i++)
        if (write(ready[1], "r", 1) != 1) return 3;
    while (pthread_mutex_trylock(&lock) == 0) {
        pthread_mutex_unlock(&lock);
        usleep(1000);
    }
    usleep(20000);
    if (write(pipes[1], "x", 1) != 1) return 4; /* @write */
    pthread_join(thread, NULL);
    return taken != 'x';
}
