/* Code that is written, executed and written over. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { CALLS = 16, APART = 64 };
typedef int (*function)(void);
int calls, total;
unsigned char *code;

__attribute__((noinline)) static void emit(unsigned char *at, int result) {
    at[0] = 0xb8; /* mov $result,%eax; ret */
    memcpy(at + 1, &result, sizeof result);
    at[5] = 0xc3;
}

__attribute__((noinline)) static int use(function generated) {
    calls++;
    return generated();
}

int main(void) {
    code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED) return 1; /* @mapped */
    for (int i = 1; i <= CALLS; i++) {
        unsigned char *at = code + i % 2 * APART;
        emit(at, i * 3);
        /* Branches between the writing and the call: rr comes back to a moment by a breakpoint of its own, set one branch
           before it. */
        for (int byte = 0; byte < 6; byte++)
            if (at[byte] == 0xff) return 2;
        total += use((function)at);
    }
    printf("calls %d total %d\n", calls, total); /* @end */
    return 0;
}
