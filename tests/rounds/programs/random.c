/* Random numbers of the processor, in each width: a replay sees those of the recording. */
#include "check.h"
#include <stdint.h>

#define DRAW(instruction, type)                                                            \
    ({                                                                                     \
        type number = 0;                                                                   \
        unsigned char carry = 0;                                                           \
        while (!carry) __asm__ volatile(instruction " %0; setc %1" : "+r"(number), "=q"(carry) : : "cc"); \
        number;                                                                            \
    })

int main(void) {
    uint64_t before = 0;
    unsigned sum = 0, different = 0;
    for (int i = 0; i < 200; i++) {
        uint64_t number = i % 2 ? DRAW("rdrand", uint64_t) : DRAW("rdseed", uint64_t);
        different += number != before;
        before = number;
        sum = mix(sum, (unsigned)number) + DRAW("rdrand", uint32_t) + DRAW("rdseed", uint16_t);
        /* What is executed depends on it. */
        for (unsigned turn = number % 7; turn; turn--) sum = mix(sum, turn);
    }
    CHECK(different == 200);
    printf("drawn\n" VARYING "%u\n", sum);
    return 0;
}
