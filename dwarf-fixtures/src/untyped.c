/* Functions of assembler code of which no debug info tells, and functions that go on in others by jumps. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long adds(long left, long right);
long typed(long value);
void stores(long *to, long value);
long through_register(long value);
unsigned long through_stub(const char *text);
long plus_three(long value);
long doubles(long value);

/* No types, no sizes and no frames but where they are said. The first has not even the type of a function. */
__asm__("        .text\n"
        "        .globl  adds\n"
        "adds:   lea     (%rdi,%rsi), %rax\n"
        "        ret\n"
        "        .globl  typed\n"
        "        .type   typed, @function\n"
        "typed:  mov     %rdi, %rax\n"
        "        add     $5, %rax\n"
        "        ret\n"
        "        .size   typed, .-typed\n"
        "        .globl  stores\n"
        "        .type   stores, @function\n"
        "stores: push    %rbx\n"
        "        mov     %rsi, %rbx\n"
        "        test    %rbx, %rbx\n"
        "        je      1f\n"
        "        push    %rdi\n"
        "        mov     $1, %edi\n"
        "        call    typed\n"
        "        pop     %rdi\n"
        "        mov     %rbx, (%rdi)\n"
        "1:      pop     %rbx\n"
        "        ret\n"
        "        .size   stores, .-stores\n"
        "        .globl  plus_three\n"
        "        .type   plus_three, @function\n"
        "plus_three:\n"
        "        push    %rbp\n"
        "        mov     %rdi, %rbp\n"
        "        test    %rbp, %rbp\n"
        "        je      1f\n"
        "        nop\n"
        "1:      lea     3(%rbp), %rax\n"
        "        pop     %rbp\n"
        "        ret\n"
        "        .size   plus_three, .-plus_three\n"
        "        .globl  through_register\n"
        "        .type   through_register, @function\n"
        "through_register:\n"
        "        lea     doubles(%rip), %rax\n"
        "        jmp     *%rax\n"
        "        .size   through_register, .-through_register\n"
        "        .globl  through_stub\n"
        "        .type   through_stub, @function\n"
        "through_stub:\n"
        "        jmp     strlen@plt\n"
        "        .size   through_stub, .-through_stub\n");

long stored, summed;
int plain = 41;
static char from[200], to[200];
long (*volatile chosen)(long) = doubles;

__attribute__((noinline)) long doubles(long value)
{
    return value * 2;
}

__attribute__((noinline)) long calls_chosen(long value)
{
    return chosen(value + 1); /* @calls_chosen */
}

__attribute__((noinline)) void ticks(int number)
{
    plain += number; /* @ticks */
}

int main(int count, char **arguments)
{
    (void)arguments;
    long sum = 0;
    for (int i = 0; i < 3; i++) { /* @loop */
        sum += adds(i, 10);
        sum += typed(i);
        sum += through_register(i);
        sum += (long)through_stub(i == 1 ? "abc" : "abcdef");
        sum += calls_chosen(i);
        ticks(i);
    }
    stores(&stored, sum); /* @stores */
    summed = plus_three(sum); /* @summed */
    size_t length = 150 * (size_t)count;
    /* One piece of code for several names, in the C library. */
    memcpy(to, from, length);
    memmove(from, to, length);
    mempcpy(to, from, length);
    mempcpy(to, from, length);
    printf("%ld %ld %ld %d %p\n", sum, stored, summed, plain, (void *)&plain);
    fflush(stdout);
    abort();
}
