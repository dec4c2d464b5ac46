/* Two places, with a known number of instructions between them: five an iteration. */
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned reached;

__attribute__((noinline)) void near(void) { reached++; }
__attribute__((noinline)) void far(void) { reached++; }

int main(int argc, char **argv) {
    unsigned long left = argc > 1 ? strtoul(argv[1], 0, 10) / 5 : 0, sum = 0;
    near();
    __asm__ volatile("test %0, %0\n\tjz 2f\n"
                     "1:\tadd %0, %1\n\trol $3, %1\n\txor %0, %1\n\tdec %0\n\tjnz 1b\n2:"
                     : "+r"(left), "+r"(sum)
                     :
                     : "cc");
    far();
    printf("%u %lu\n", reached, sum);
    return 0;
}
