/* A process that replaces its own image once. */
#include <unistd.h>

static int second(int argc) {
    return argc + 40; /* @second */
}

int main(int argc, char **argv) {
    if (argc == 1) {
        char *const arguments[] = {argv[0], "again", 0}; /* @first */
        execv(argv[0], arguments); /* @exec */
        return 1;
    }
    return second(argc) == 42 ? 0 : 2; /* @call-second */
}
