/* A loop on one line whose body begins with a function that is inlined: behind it, the line goes on in the middle of a
   statement. */
static unsigned seed = 1;
unsigned long sum;

static inline unsigned next(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

__attribute__((noinline)) static unsigned long add(unsigned long to, unsigned n) {
    return to + n;
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 60000; i++) sum = add(sum, next() % 50000); /* @loop */
        sum ^= round + 1; /* @after */
    }
    return sum == 0; /* @return */
}
