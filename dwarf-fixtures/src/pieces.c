// A struct that lives in two registers, and one of whose members is a constant.
struct pair {
    long first;
    long second;
};

__attribute__((noinline)) long consume(struct pair pair) {
    __asm__ volatile("nop" : : "r"(pair.first), "r"(pair.second));
    return pair.first - pair.second;
}

__attribute__((noinline)) long half(long first) {
    struct pair pair = {first, 42};
    __asm__ volatile("nop" : "+r"(pair.first));
    return pair.first + pair.second;
}

int main(int argc, char **argv) {
    struct pair pair = {argc, (long)argv};
    return (int)(consume(pair) + half(argc));
}
