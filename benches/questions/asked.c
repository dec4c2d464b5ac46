/* A million calls of a function with two arguments, a million writes to a variable, and an array that is written all over;
   or, given a number, so many system calls that rr does not buffer. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

long written;
int table[16384];

__attribute__((noinline)) static long mix(long a, long b) {
    return a * 3 + b;
}

int main(int argc, char **argv) {
    if (argc > 1) {
        for (int i = atoi(argv[1]); i > 0; i--) umask(022);
        return 0;
    }
    long sum = 0;
    for (long i = 0; i < 1000000; i++) sum += mix(i, i & 7);
    for (long i = 1; i <= 1000000; i++) *(volatile long *)&written = i;
    for (int round = 0; round < 10; round++)
        for (int i = 0; i < 16384; i++) ((volatile int *)table)[i] = round + i;
    printf("%ld %p %p\n", sum, (void *)&written, (void *)table);
    return 0;
}
