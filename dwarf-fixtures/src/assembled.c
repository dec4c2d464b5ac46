/* A function that is written in assembler: its debug info says nothing of what it takes and returns. */
#include <stdio.h>
#include <string.h>

extern int added();

int main(int argc, char **argv) {
    int sum = added(argc, 2); /* @call */
    printf("%d %zu\n", sum, strlen(argv[0]));
    return 0;
}
