/* Programs that die of a signal of their own making, each in its way. */
#include "check.h"
#include <string.h>

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    volatile int zero = 0;
    printf("about to %s\n", how);
    fflush(stdout);
    if (!strcmp(how, "write"))
        *(volatile int *)16 = zero;
    else if (!strcmp(how, "call"))
        ((void (*)(void))(long)zero)();
    else if (!strcmp(how, "return"))
        __asm__ volatile("movabs $0x4141414141414141, %%rax\n\tpush %%rax\n\tret" ::: "rax", "memory");
    else if (!strcmp(how, "divide"))
        printf("%d\n", 100 / zero);
    else if (!strcmp(how, "ud2"))
        __asm__ volatile("ud2");
    else if (!strcmp(how, "int3"))
        __asm__ volatile("int3");
    else if (!strcmp(how, "abort"))
        abort();
    return 0;
}
