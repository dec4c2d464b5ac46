// gcc moves what follows a call to a cold function out of line, into .text.unlikely.
#include <stdlib.h>

int attempts;

__attribute__((cold, noinline)) void complain(int value) {
    attempts += value;
    if (attempts > 1000)
        abort();
}

__attribute__((noinline)) int risky(int value) {
    if (value < 0) {
        complain(value); /* mark: cold */
        attempts *= 3;
        complain(attempts);
    }
    return value * attempts; /* mark: hot */
}

int main(int argc, char **argv) { return risky(argc) + (argv == 0); }
