// Members and variables with the names of enumerators, which they hide.
#include <cstdio>

enum Colour { red = 3, limit = 7 };

struct Sample {
    int red;
    __attribute__((noinline)) int look(int n) { return red + n; } // @look
};

__attribute__((noinline)) static int bounded(int n) {
    int limit = n * 2;
    return limit + 1; // @bounded
}

int main() {
    int sum = 0;
    for (int n = 0; n < 10; n++) {
        Sample sample = {n};
        sum += sample.look(n) + bounded(n);
    }
    std::printf("%d %d\n", sum, Colour::red);
    return 0;
}
