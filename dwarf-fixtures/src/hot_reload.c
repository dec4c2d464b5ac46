/* Loads argv[1], which it copies from argv[2] first, and then once more from argv[3]: another library at the same path
   and address. */
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

static int copy(const char *from, const char *to) {
    char bytes[4096];
    size_t length;
    unlink(to);
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    if (!in || !out) return 1;
    while ((length = fread(bytes, 1, sizeof bytes, in)) > 0) fwrite(bytes, 1, length, out);
    return fclose(in) | fclose(out);
}

int main(int argc, char **argv) {
    void *at[2] = {NULL, NULL};
    for (int turn = 0; turn < 2 && argc == 4; turn++) {
        if (copy(argv[2 + turn], argv[1])) return 2;
        void *library = dlopen(argv[1], RTLD_NOW);
        if (!library) return 3;
        void (*part)(void) = (void (*)(void))dlsym(library, "part");
        at[turn] = (void *)part;
        part();
        dlclose(library); /* @close */
    }
    return at[0] != at[1];
}
