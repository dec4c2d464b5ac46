// The first instruction of an inlined function writes, and faults.
volatile int sink;

static inline __attribute__((always_inline)) void store(volatile int *to) {
    *to = 5; /* mark: store */
}

__attribute__((noinline)) static void write_to(volatile int *where) {
    store(where); /* mark: call */
    sink++;
}

int main(int argc, char **argv) {
    write_to(&sink);
    write_to(argc ? (volatile int *)16 : &sink);
    return argv == 0;
}
