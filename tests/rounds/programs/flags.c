/* Loads and stores the flags in code that is writable, where it may have to be stepped, and one thread interrupts another. */
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

typedef unsigned long function(unsigned long);

/* Flips bits of the flags and flips them back; returns all the flags it saw on the way, or-ed. */
static const unsigned char code[] = {0x9c,             /* pushfq          */
                                     0x9c,             /* pushfq          */
                                     0x58,             /* pop rax         */
                                     0x48, 0x89, 0xc1, /* mov rcx, rax    */
                                     0x48, 0x31, 0xf9, /* xor rcx, rdi    */
                                     0x51,             /* push rcx        */
                                     0x9d,             /* popfq           */
                                     0x9c,             /* pushfq          */
                                     0x59,             /* pop rcx         */
                                     0x48, 0x09, 0xc8, /* or rax, rcx     */
                                     0x66, 0x9c,       /* pushfw          */
                                     0x66, 0x9d,       /* popfw           */
                                     0x75, 0x00,       /* jnz 1f          */
                                     0x9c,             /* 1: pushfq       */
                                     0x59,             /* pop rcx         */
                                     0x48, 0x09, 0xc8, /* or rax, rcx     */
                                     0x9d,             /* popfq           */
                                     0xc3};            /* ret             */

static function *flip;

static void *work(void *result) {
    enum { CARRY = 1 << 0, TRAP = 1 << 8, OVERFLOW = 1 << 11, ALIGNMENT = 1 << 18, IDENTIFICATION = 1 << 21 };
    unsigned sum = 0;
    for (int i = 0; i < 60; i++) {
        CHECK(flip(ALIGNMENT) & ALIGNMENT);
        CHECK(flip(IDENTIFICATION) & IDENTIFICATION);
        unsigned long seen = flip(CARRY) | flip(OVERFLOW);
        CHECK((seen & (CARRY | OVERFLOW | TRAP)) == (CARRY | OVERFLOW));
        sum = mix(sum, seen & (CARRY | OVERFLOW));
    }
    *(unsigned *)result = sum;
    return 0;
}

int main(void) {
    unsigned sums[2];
    pthread_t thread;
    void *memory = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    memcpy(memory, code, sizeof code);
    flip = (function *)memory;
    CHECK(pthread_create(&thread, 0, work, &sums[0]) == 0);
    work(&sums[1]);
    CHECK(pthread_join(thread, 0) == 0);
    printf("%u %u\n", sums[0], sums[1]);
    return 0;
}
