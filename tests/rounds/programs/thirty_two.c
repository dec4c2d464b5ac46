/* A program of 32-bit code, without a library: says hello. */
static int call(int number, int first, const void *second, int third) {
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second), "d"(third) : "memory");
    return result;
}

void _start(void) {
    enum { EXIT = 1, WRITE = 4 };
    call(WRITE, 1, "hello\n", 6);
    call(EXIT, 3, 0, 0);
}
