/* A function that is inlined into a loop, which optimising compilers unroll. */
volatile int last;

static inline int clamp(int value, int most) {
    last = value; /* @clamp */
    return value > most ? most : value;
}

__attribute__((noinline)) int total(const int *values, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += clamp(values[i] * 3, 20); /* @call */
    return sum;
}

int main(int argc, char **argv) {
    int values[] = {1, 9, 4, argc, 7};
    return total(values, 5) + (argv == 0) == 76 ? 0 : 1;
}
