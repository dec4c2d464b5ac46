// Functions that are chosen when the program is loaded: one of its own, and some of the C library.
#include <stdio.h>
#include <string.h>

static char text[64];

static long doubled(long value) {
    return 2 * value; // @doubled
}

static long tripled(long value) {
    return 3 * value; // @tripled
}

static volatile int wanted = 3;

static long (*choose(void))(long) { return wanted == 3 ? tripled : doubled; }

long scaled(long value) __attribute__((ifunc("choose")));

int main(int argc, char **argv) {
    long sum = 0;
    for (int i = 1; i <= 4; i++) {
        sum += scaled(i);
        strncpy(text, "one two three" + i, 3 + argc); // @copied
    }
    printf("%ld %s %s\n", sum, text, argv[0] ? "named" : "");
    return 0;
}
