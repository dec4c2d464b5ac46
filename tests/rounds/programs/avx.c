/* AVX2 and FMA: three-operand encodings, operands relative to rip, gathers, branches on what a vector says. */
#include "check.h"
#include <immintrin.h>

static int table[64];
static const int eights[8] __attribute__((aligned(32))) = {8, 8, 8, 8, 8, 8, 8, 8};

__attribute__((target("avx2,fma"))) int main(int argc, char **argv) {
    unsigned rounds = amount(argc, argv), hits = 0;
    for (int i = 0; i < 64; i++) table[i] = i * i;
    __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), sum = _mm256_setzero_si256();
    __m256d product = _mm256_set1_pd(1.5);
    for (unsigned i = 0; i < rounds; i++) {
        sum = _mm256_add_epi32(sum, _mm256_i32gather_epi32(table, index, 4));
        __asm__ volatile("vpaddd %1, %0, %0" : "+x"(index) : "m"(eights));
        index = _mm256_and_si256(index, _mm256_set1_epi32(63));
        product = _mm256_fmadd_pd(product, _mm256_set1_pd(0.5), _mm256_set1_pd(i % 4));
        if (_mm256_testz_si256(sum, _mm256_set1_epi32(16)))
            hits++;
        if (_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(sum, _mm256_set1_epi32(5000)))) == 0xff)
            sum = _mm256_srli_epi32(sum, 3);
    }
    int out[8];
    double products[4];
    _mm256_storeu_si256((__m256i *)out, sum);
    _mm256_storeu_pd(products, product);
    unsigned all = hits;
    for (int i = 0; i < 8; i++) all = mix(all, (unsigned)out[i]);
    printf("%u %.6f\n", all, products[3]);
    return 0;
}
