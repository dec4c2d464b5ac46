// Three functions inlined into each other, the middle one twice.
volatile int sink;

static inline __attribute__((always_inline)) int innermost(int value) {
    __asm__ volatile("nop # in innermost" : "+r"(value)); /* mark: innermost */
    return value + 1;
}

static inline __attribute__((always_inline)) int middle(int value) {
    return innermost(value) * 3; /* mark: middle */
}

__attribute__((noinline)) int outer(int value) {
    int first = middle(value); /* mark: first call */
    sink = first;
    int second = middle(first + 2); /* mark: second call */
    sink = second;
    return first ^ second;
}

int main(int argc, char **argv) { return outer(argc) + (argv == 0); }
