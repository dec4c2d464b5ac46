/* A hot loop whose branches go either way: the number of ticks is nearly all there is. */
#include "check.h"

int main(int argc, char **argv) {
    unsigned state = 2463534242u, sum = 0;
    for (unsigned i = amount(argc, argv); i > 0; i--) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        if (state % 3 == 0)
            sum += state;
        else if (state & 64)
            sum ^= i;
    }
    printf("%u\n", sum);
    return 0;
}
