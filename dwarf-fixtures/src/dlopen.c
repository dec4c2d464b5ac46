/* A breakpoint in a library that is loaded only later; its address depends on argv[1], the library's path. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    void *library = dlopen(argv[1], RTLD_NOW); /* @dlopen */
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 3;
    }
    int (*entry)(int) = (int (*)(int))dlsym(library, "plugin_entry"); /* @dlsym */
    int got = entry(14);    /* @call */
    return got == 42 ? 0 : 1; /* @return */
}
