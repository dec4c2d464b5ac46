/* A program that may have any place below 2 GiB but its own heap, as Lisps want it for their images, and does not know of a
 * code cache. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { FIRST = 0x44000000, LAST = 0x66000000, STEP = 0x1000000, PAGE = 4096 };

int main(void) {
    /* lea eax, [rdi + 1]; ret */
    static const unsigned char next[] = {0x8d, 0x47, 0x01, 0xc3};
    int count = 0;
    for (unsigned long place = FIRST; place < LAST; place += STEP) {
        void *found = mmap((void *)place, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        CHECK(found == (void *)place);
        memcpy(found, next, sizeof next);
        count = ((int (*)(int))place)(count);
        /* What the program itself has there stays. */
        CHECK(mmap((void *)place, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED);
        CHECK(errno == EEXIST && !memcmp(found, next, sizeof next));
    }
    CHECK(count == (LAST - FIRST) / STEP);
    printf("%d places\n", count);
    return 0;
}
