/* 300 KB of output: more than any pipe holds. */
#include <string.h>
#include <unistd.h>

int main(void) {
    static char block[10000];
    memset(block, 'x', sizeof block);
    block[sizeof block - 1] = '\n';
    int written = 0;
    for (int i = 0; i < 30; i++) {
        written += (int)write(1, block, sizeof block); /* @write */
    }
    return written == 300000 ? 0 : 1; /* @return */
}
