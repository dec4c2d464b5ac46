/* Loops with all their code on one line, of which one is entered in the middle. */
unsigned sum;

int main(int argc, char **argv) {
    sum = 1; /* @before */
    for (unsigned i = 0; i < 3000000; i++) sum += i; /* @loop */
    unsigned i = 0; /* @after */
    switch (argc) { /* @switch */
    default: for (i = 7; i < 1000000; i++) { case 1: sum ^= i; } /* @entered */
    }
    return sum == 0 && argv; /* @return */
}
