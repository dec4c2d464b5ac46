// Thread-local variables of the program and of a library that it loads, in two threads.
#include <dlfcn.h>
#include <pthread.h>

__thread int own = 7;
__thread long zeroed;
static int (*touch)(int);
volatile int passed;

void here(void) { passed++; }

static void *worker(void *argument) {
    own = 8;
    zeroed = 9;
    here();
    touch(3);
    here();
    return argument;
}

int main(int argc, char **argv) {
    void *plugin = dlopen(argv[1], RTLD_NOW);
    if (plugin == 0)
        return argc;
    touch = (int (*)(int))dlsym(plugin, "plugin_touch");
    here();
    touch(2);
    here();
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
