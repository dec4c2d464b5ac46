// Parameters that only the caller still knows after a call, and the call sites that tell.
#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif

OPAQUE void sink(long value) { __asm__ volatile("" : : "r"(value) : "memory"); }

OPAQUE long forget(long lost, long constant) {
    sink(lost + constant);
    sink(1);
    return 0;
}

OPAQUE long outer(long kept) {
    long result = forget(kept + 1, 1234);
    sink(kept);
    return result;
}

OPAQUE long indirect(void (*callee)(long), long kept) {
    callee(7);
    return kept;
}

int main(int argc, char **argv) { return (int)(outer(argc) + indirect(sink, argc)) + (argv == 0); }
