/* So long that what follows it, a `ret`, is the last byte in front of the next function. */
static inline __attribute__((always_inline)) void work(void) {
    __asm__ volatile("nop; .p2align 4; .fill 15, 1, 0x90");
}
