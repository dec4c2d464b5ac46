/* Writes and calls between system calls, some without a conditional branch between them; then a fault. */
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int counter;
static char text[8];
static int *volatile nowhere;

__attribute__((noinline)) void adds(int number)
{
    counter += number; /* @adds */
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        adds(i);
    }
    for (int i = 0; i < 4; i++) {
        syscall(SYS_getppid);
        counter++; /* @counts */
    }
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], "hello", 5) != 5 || read(ends[0], text, 5) != 5) {
        return 1;
    }
    counter = 77; /* @sets */
    /* Two system calls of the program's own. */
    __asm__ volatile("mov $110, %%eax\n\tsyscall\n\tmovl $78, counter(%%rip)\n\t"
                     "mov $110, %%eax\n\tsyscall\n\tmovl $79, counter(%%rip)" /* @between */
                     :
                     :
                     : "rax", "rcx", "r11", "memory");
    adds(5);
    adds(6);
    adds(7);
    *nowhere = 1; /* @fault */
    return 0;
}
