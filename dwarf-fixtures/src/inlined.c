// An inlined function with a local and a parameter that the compiler need not keep.
static inline __attribute__((always_inline)) int clamp(int value, int unused, int limit) {
    int clipped = value > limit ? limit : value;
    __asm__ volatile("nop # in clamp" : "+r"(clipped) : : "memory");
    return clipped;
}

__attribute__((noinline)) int twice(int input) {
    int doubled = input * 2;
    int result = clamp(doubled, 7, 100);
    __asm__ volatile("" : "+r"(result));
    return result + input;
}

int main(int argc, char **argv) { return twice(argc) + (argv == 0); }
