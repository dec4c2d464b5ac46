/* Sets a few bytes to what they are already, by a routine of the C library: it uses masked stores where the processor
 * has AVX-512. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    char name[16];
    long count;
};

int main(void) {
    struct record *one = malloc(sizeof *one), *other = malloc(sizeof *other);
    volatile size_t size = sizeof *one;
    volatile int seven = 7;
    memset(one, seven, size);
    memset(one, seven, size); /* fills again */
    memset(other, 0, size);   /* clears what is clear */
    one->count = 5;           /* counts */
    memset(one, 0, size);     /* empties */
    memset(one, 0, size);     /* empties again */
    /* A part of it: the count is beside what is set. */
    memset(other, seven, size - sizeof other->count);
    printf("%ld %ld\n", one->count, other->count); /* prints */
    return 0;
}
