// A function of which the compiler makes a copy that does without a parameter: nobody reads it, and the callers do not
// agree on it.
__attribute__((noinline)) static int scale(int value, int unused) {
    __asm__ volatile("" : "+r"(value));
    return value * 3;
}

__attribute__((noinline)) int caller(int value) {
    int result = scale(value, 77);
    __asm__ volatile("" : "+r"(result));
    return result + 1;
}

__attribute__((noinline)) int another(int value) {
    int result = scale(value, 78);
    __asm__ volatile("" : "+r"(result));
    return result + 2;
}

int main(int argc, char **argv) { return caller(argc) + another(argc) + (argv == 0); }
