/* Functions that optimising compilers inline, whole or in part, and count their calls. */
#include <stdio.h>

static volatile int seen, calls_of_partial, calls_of_clamp, calls_of_mix, calls_of_walk;
static int table[64];

/* gcc inlines the test, and splits off the loop: partial.part.0. */
static int partial(int n) {
    calls_of_partial++;
    if (n == 0)
        return 0;
    for (int i = 0; i < 40; i++) {
        seen = seen + n;
        seen = seen ^ i;
        seen = seen * 3 + table[i & 63];
        table[(seen + i) & 63] += seen;
        table[(seen * 7) & 63] ^= i;
        table[(seen * 5 + n) & 63] -= i * n;
    }
    return seen;
}

static inline int clamp(int value, int most) {
    calls_of_clamp++;
    return value > most ? most : value;
}

static inline int mix(int a, int b) {
    int c = a * 31 + b;
    c ^= c >> 3;
    calls_of_mix++;
    if (c & 1)
        c += table[b & 63];
    else
        c -= table[a & 63];
    return c * 7;
}

static inline int walk(const int *values, int count) {
    int sum = 0;
    calls_of_walk++;
    for (int i = 0; i < count; i++)
        sum += values[i] * i;
    return sum;
}

__attribute__((noinline)) int use(int n) { return partial(n) + 1; }
__attribute__((noinline)) int use_twice(int n) { return partial(n - 1) + partial(n - 2) * 2; }

__attribute__((noinline)) int total(const int *values, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += clamp(values[i] * 3, 20);
    return sum;
}

__attribute__((noinline)) int four(const int *values) {
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += clamp(values[i], 3) * mix(values[i], sum);
    return sum;
}

__attribute__((noinline)) int walked(const int *values, int count) {
    return walk(values, count) + walk(values + 1, count - 1);
}

int main(int argc, char **argv) {
    int values[] = {1, 9, 4, argc, 7, 3, 2, 8, 5};
    int sum = argv == 0;
    for (int i = 0; i < 3; i++)
        sum += use(i) + use_twice(i + 1);
    sum += total(values, 9) + four(values) + walked(values, 9);
    printf("partial %d clamp %d mix %d walk %d\n", calls_of_partial, calls_of_clamp, calls_of_mix, calls_of_walk);
    return sum == 76;
}
