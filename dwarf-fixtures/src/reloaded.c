/* A library, argv[1], that is loaded, called, unloaded, and all that once more. argv[2]: how many turns a call makes. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long sum = 0;
    for (int n = 1; n <= 6 && argc == 3; n++) {
        void *library = dlopen(argv[1], RTLD_NOW);
        if (!library) {
            fprintf(stderr, "%s\n", dlerror());
            return 3;
        }
        long (*part)(int, long) = (long (*)(int, long))dlsym(library, "part");
        sum += part(n, atol(argv[2]));
        if (n % 3 == 0) {
            dlclose(library);
            dlclose(library);
            dlclose(library); /* @unloaded */
        }
    }
    printf("%ld\n", sum);
    return 0;
}
