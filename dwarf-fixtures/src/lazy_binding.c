// The first call of a function of a library, while a register that calls preserve points to data of the program.
#include <stdlib.h>

const char digits[] = "12";

int main(int argc, char **argv) {
    register const char *kept __asm__("rbx") = digits;
    __asm__ volatile("nop" : "+r"(kept));
    int number = atoi(digits); /* @call */
    __asm__ volatile("nop" : "+r"(kept));
    return number + *kept + argc - (argv != 0);
}
