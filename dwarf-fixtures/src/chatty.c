/* 300 KB of output: more than any pipe holds. As many times 10 KB as the argument says, if there is one. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int blocks = argc > 1 ? atoi(argv[1]) : 30;
    static char block[10000];
    memset(block, 'x', sizeof block);
    block[sizeof block - 1] = '\n';
    int written = 0;
    for (int i = 0; i < blocks; i++) {
        written += (int)write(1, block, sizeof block); /* @write */
    }
    return written == 10000 * blocks ? 0 : 1; /* @return */
}
