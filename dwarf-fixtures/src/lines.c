// Lines with code, lines without, a line whose code is in two places, and a function on one line.
#include <stdio.h>

int counter;

int loop(int count) { /* mark: opening */
    /* mark: comment */
    int sum = 0;                      /* mark: body */
    for (int i = 0; i < count; i++) { /* mark: for */
        int twice = i * 2;            /* mark: block */
        sum += twice;
    }
    counter += sum; /* mark: store */
    return sum;     /* mark: return */
} /* mark: closing */

int short_one(void) { return counter; } /* mark: short */

/* mark: gap */

int main(int argc, char **argv) {
    int result = loop(argc + 3); /* mark: call */
    printf("%d %d %p\n", result, short_one(), (void *)argv);
    return 0;
}
