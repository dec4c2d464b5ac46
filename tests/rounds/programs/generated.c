/* Code made at run time: in writable memory, in memory that changes its protection, or through a second mapping of it. */
#define _GNU_SOURCE
#include "check.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 4096 };
typedef unsigned function(unsigned);
static unsigned char *writable, *executable;
static int switching;

static void protect(int protection) {
    if (switching)
        CHECK(mprotect(executable, SIZE, protection) == 0);
}

/* sum(n): adds `step` n times, in a loop, and then `plus`. */
static void generate(unsigned step, unsigned char plus) {
    unsigned char code[] = {0x31, 0xc0,                   /*    xor eax, eax   */
                            0x05, 0,    0,    0,    0,    /* 1: add eax, step  */
                            0xff, 0xcf,                   /*    dec edi        */
                            0x75, 0xf7,                   /*    jnz 1b         */
                            0x83, 0xc0, plus,             /*    add eax, plus  */
                            0xc3};                        /*    ret            */
    memcpy(code + 3, &step, 4);
    protect(PROT_READ | PROT_WRITE);
    memcpy(writable, code, sizeof code);
    protect(PROT_READ | PROT_EXEC);
}

/* next(): returns how often it was called so far; it counts in the operand of an instruction of its own, behind a jump
   or the one that is executed next. */
static void generate_self_modifying(int jumps) {
    static const unsigned char code[] = {0xff, 0x05, 3, 0,    0, 0, /*    inc dword ptr [1f + 1] */
                                         0xeb, 0,                   /*    jmp 1f                 */
                                         0xb8, 0,    0, 0,    0,    /* 1: mov eax, 0             */
                                         0xc3};                     /*    ret                    */
    static const unsigned char straight[] = {0xff, 0x05, 1, 0, 0, 0, 0xb8, 0, 0, 0, 0, 0xc3};
    memcpy(writable, jumps ? code : straight, jumps ? sizeof code : sizeof straight);
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    unsigned sum = 0;
    if (!strcmp(how, "shared")) {
        int file = memfd_create("code", 0);
        CHECK(file >= 0 && ftruncate(file, SIZE) == 0);
        writable = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        executable = mmap(0, SIZE, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
    } else {
        switching = !strcmp(how, "switched");
        writable = executable = mmap(0, SIZE, PROT_READ | PROT_WRITE | (switching ? 0 : PROT_EXEC),
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    CHECK(writable != MAP_FAILED && executable != MAP_FAILED);
    for (unsigned i = 1; i <= 20; i++) {
        generate(i, (unsigned char)(i * 2));
        CHECK(((function *)executable)(i) == i * i + i * 2);
        /* Only one byte changes, in the middle of code that has just run. */
        protect(PROT_READ | PROT_WRITE);
        writable[13] = (unsigned char)i;
        protect(PROT_READ | PROT_EXEC);
        sum = mix(sum, ((function *)executable)(3));
        CHECK(((function *)executable)(3) == 3 * i + i);
    }
    if (!strcmp(how, "writable")) {
        for (int jumps = 0; jumps < 2; jumps++) {
            generate_self_modifying(jumps);
            for (unsigned i = 1; i <= 20; i++) CHECK(((function *)executable)(0) == i);
        }
    }
    /* The same place, other memory. */
    CHECK(munmap(executable, SIZE) == 0);
    writable = mmap(executable, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    CHECK(writable == executable);
    switching = 0;
    generate(5, 1);
    CHECK(((function *)executable)(10) == 51);
    printf("%s %u\n", how, sum);
    return 0;
}
