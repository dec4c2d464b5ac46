/* The smallest program with a C library; built statically and dynamically. */
#include <stdio.h>

int main(void) {
    puts("hello");
    return 0;
}
