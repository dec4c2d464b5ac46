/* AVX-512: mask registers, EVEX operands relative to rip with broadcast and compressed displacement, ymm16 and above. */
#include "check.h"
#include <immintrin.h>

static int table[256];
static const int three = 3;
static const int sixteens[16] __attribute__((aligned(64))) = {16, 16, 16, 16, 16, 16, 16, 16,
                                                              16, 16, 16, 16, 16, 16, 16, 16};

__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"))) int main(int argc, char **argv) {
    unsigned rounds = amount(argc, argv), hits = 0;
    for (int i = 0; i < 256; i++) table[i] = i * 7;
    __m512i index = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i sum = _mm512_setzero_si512();
    for (unsigned i = 0; i < rounds; i++) {
        __mmask16 odd = _mm512_test_epi32_mask(index, _mm512_set1_epi32(1 + (int)(i % 3)));
        sum = _mm512_mask_add_epi32(sum, odd, sum, _mm512_i32gather_epi32(index, table, 4));
        __asm__ volatile("vpaddd %1, %0, %0" : "+v"(index) : "m"(sixteens));
        __asm__ volatile("vpmulld %1%{1to16%}, %0, %0%{%2%}" : "+v"(sum) : "m"(three), "Yk"(odd));
        index = _mm512_and_si512(index, _mm512_set1_epi32(255));
        __m512i loaded;
        __asm__ volatile("vpxord %%zmm31, %%zmm31, %%zmm31\n\tvmovdqu64 64(%1), %%zmm30\n\tvpaddd %%zmm30, %%zmm31, %0"
                         : "=v"(loaded)
                         : "r"(table)
                         : "xmm30", "xmm31", "memory");
        sum = _mm512_add_epi32(sum, loaded);
        if (_mm512_cmpgt_epi32_mask(sum, _mm512_set1_epi32(100000)) & 0xff)
            hits++;
        if (_ktestz_mask16_u8(odd, odd))
            hits += 3;
    }
    int out[16];
    _mm512_storeu_si512(out, sum);
    unsigned all = hits;
    for (int i = 0; i < 16; i++) all = mix(all, (unsigned)out[i]);
    printf("%u\n", all);
    return 0;
}
