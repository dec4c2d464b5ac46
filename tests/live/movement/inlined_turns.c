/* An inlined function of several lines that takes many turns. */
volatile unsigned long sink, odd, limit = 300000;

static inline __attribute__((always_inline)) unsigned long count(unsigned long turns) {
    unsigned long found = 0;
    for (unsigned long turn = 0; turn < turns; turn++) {
        sink += turn; /* turn */
        if (sink & 1)
            found++;
    }
    return found;
}

__attribute__((noinline)) void mark(unsigned long number) { odd = number; }

int main(void) {
    mark(7);
    unsigned long found = count(limit); /* counted */
    mark(found); /* behind */
    return 0;
}
