/* What the compiler compiles: it includes a large header and needs some optimisation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_length(const void *a, const void *b) {
    return (int)strlen(*(char *const *)a) - (int)strlen(*(char *const *)b);
}

int main(int argc, char **argv) {
    qsort(argv, (size_t)argc, sizeof *argv, by_length);
    for (int i = 0; i < argc; i++) printf("%s\n", argv[i]);
    return 0;
}
