/* dlopen and dlclose: a second library comes to lie where the first one was. */
#include "check.h"
#include <dlfcn.h>
#include <limits.h>
#include <string.h>

/* Calls `answer` of the library of this name beside the program. */
static unsigned ask(const char *program, const char *name, void **where) {
    char path[PATH_MAX];
    const char *slash = strrchr(program, '/');
    snprintf(path, sizeof path, "%.*s/%s", slash ? (int)(slash - program) : 1, slash ? program : ".", name);
    void *library = dlopen(path, RTLD_NOW);
    if (!library) {
        puts(dlerror());
        exit(99);
    }
    unsigned (*answer)(unsigned) = (unsigned (*)(unsigned))dlsym(library, "answer");
    CHECK(answer);
    *where = (void *)answer;
    unsigned result = answer(10);
    CHECK(dlclose(library) == 0);
    return result;
}

int main(int argc, char **argv) {
    (void)argc;
    void *first, *second;
    int same = 0;
    for (int i = 0; i < 5; i++) {
        CHECK(ask(argv[0], "libone.so", &first) == 55);
        CHECK(ask(argv[0], "libtwo.so", &second) == 5050);
        same += first == second;
    }
    printf("loaded\n" VARYING "%d times at the same place\n", same);
    return 0;
}
