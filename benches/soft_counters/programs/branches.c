/* One conditional branch an iteration and nearly nothing else: what counting itself costs. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    unsigned long left = argc > 1 ? strtoul(argv[1], 0, 10) : 0, sum = 0;
    while (left > 0) {
        sum += left * left;
        __asm__ volatile("" : "+r"(sum)); /* the compiler must not do it all at once */
        left--;
    }
    printf("%lu\n", sum);
    return 0;
}
