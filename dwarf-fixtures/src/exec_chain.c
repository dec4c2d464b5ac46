/* A process that replaces its own image twice, and counts in each of the three. */
#include <unistd.h>

static volatile int made;

static void mark(int n) {
    made = n; /* @mark */
}

int main(int argc, char **argv) {
    char *again[] = {argv[0], "again", argc > 1 ? "again" : 0, 0};
    mark(argc);
    if (argc < 3)
        execv(argv[0], again);
    mark(argc + 10);
    return made == 13 ? 0 : 1;
}
