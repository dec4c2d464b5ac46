// A function that nothing refers to: a linker may drop it.
int unused(int value) {
    return value * 7; /* mark: unused */
}

int used(int value) { return value + 1; }

int main(int argc, char **argv) { return used(argc) + (argv == 0); }
