/* Functions that are inlined into each other at -O2, and a tail that keeps values alive in registers. */
int sink;

static inline __attribute__((always_inline)) int innermost(int n) {
    sink = n; /* @innermost */
    return n + 1;
}

static inline __attribute__((always_inline)) int middle(int n) {
    return innermost(n * 2) + 1; /* @middle */
}

__attribute__((noinline)) int outer(int n) {
    int got = middle(n + 3); /* @outer */
    sink += got;
    return got; /* @outer-return */
}

int main(int argc, char **argv) {
    (void)argv;
    return outer(argc) == 10 ? 0 : 1; /* @main */
}
