/* What the programs share: a check that ends the program, and lines whose content differs from run to run. */
#pragma once
#include <stdio.h>
#include <stdlib.h>

/* A condition that holds in every run; a program that finds it violated exits with 99. */
#define CHECK(condition)                                              \
    do {                                                              \
        if (!(condition)) {                                           \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);    \
            exit(99);                                                 \
        }                                                             \
    } while (0)

/* Starts a line that is the same in a recording and its replays only. */
#define VARYING "~ "

/* One step of a checksum. */
static inline unsigned mix(unsigned sum, unsigned value) {
    return (sum ^ value) * 16777619u + (sum >> 13);
}

/* How much work to do: the first argument. */
static inline unsigned amount(int argc, char **argv) {
    return argc > 1 ? (unsigned)strtoul(argv[1], 0, 10) : 0;
}
