/* Ends with a code of its own; prints where rr must find the argument and the environment. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    const char *word = getenv("FIXTURE_WORD");
    printf("%s %s\n", argc > 1 ? argv[1] : "-", word ? word : "-"); /* @print */
    fflush(stdout);
    fprintf(stderr, "to stderr\n");
    return 42; /* @return */
}
