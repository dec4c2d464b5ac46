#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static int total, count;
static volatile sig_atomic_t heard;

static inline __attribute__((always_inline)) int inner(int a) {
    total = total * 3 + a; /* total */
    return total & 15;
}

static inline __attribute__((always_inline)) int outer(int a, int b) {
    int r = inner(a);
    count += r;
    r += inner(b);
    count -= 1;
    return r;
}

static __attribute__((noinline)) int work(int i) {
    int x = outer(i, i + 1);
    printf("%d %d\n", total, count);
    return x;
}

static void hear(int number) { heard += number; }

int main(int argc, char **argv) {
    int sum = 0;
    struct stat state;
    signal(SIGUSR1, hear);
    for (int i = 1; i < 4; i++) {
        sum += work(i);
        if (i == 2)
            raise(SIGUSR1);
        sum ^= fstat(1, &state);
    }
    fflush(stdout);
    fstat(1, &state);
    int *volatile nowhere = (int *)16;
    if (argc < 2)
        return *nowhere;
    if (argv[1][0] == 'd')
        return sum / (argc - 2);
    abort();
}
