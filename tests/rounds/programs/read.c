/* Reads `arena` in many ways, and says each of its reads: the way, the offset, the length. What is read and written by
 * one instruction is said by a way that begins with `both`; what another processor would see done at once, by one with
 * `lock` in it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SIZE 65536
__attribute__((aligned(4096))) unsigned char arena[SIZE];
static unsigned char elsewhere[4096];
static FILE *words;

static void say(const char *way, long offset, long length) { fprintf(words, "%s %ld %ld\n", way, offset, length); }

#define AT(offset) (arena + (offset))
#define DO(way, offset, length, ...) \
    do { \
        say(way, offset, length); \
        __asm__ volatile(__VA_ARGS__); \
    } while (0)

static void plain(long o) {
    DO("movb", o, 1, "movb (%0), %%al" ::"r"(AT(o)) : "rax");
    DO("movw", o + 2, 2, "movw 2(%0), %%ax" ::"r"(AT(o)) : "rax");
    DO("movl", o + 8, 4, "movl (%0,%1,4), %%eax" ::"r"(AT(o)), "r"(2L) : "rax");
    DO("movq rax", o + 16, 8, "movq %0, %%rax; movq (%%rax), %%rax" ::"r"(AT(o + 16)) : "rax");
    DO("movq rcx", o + 24, 8, "movq %0, %%rcx; movq (%%rcx), %%rcx" ::"r"(AT(o + 24)) : "rcx");
    DO("movzx", o + 32, 1, "movzbl (%0), %%eax" ::"r"(AT(o + 32)) : "rax");
    DO("cmp", o + 40, 4, "cmpl $1, (%0)" ::"r"(AT(o + 40)) : "cc");
    DO("test", o + 44, 1, "testb $1, (%0)" ::"r"(AT(o + 44)) : "cc");
    DO("add to register", o + 48, 8, "addq (%0), %%rax" ::"r"(AT(o + 48)) : "rax", "cc");
    DO("cmov", o + 56, 8, "cmpl %%eax, %%eax; cmovneq (%0), %%rax" ::"r"(AT(o + 56)) : "rax", "cc");
    DO("bt", o + 80, 8, "btq %1, (%0)" ::"r"(AT(o + 64)), "r"(130L) : "cc");
    DO("xlat", o + 100 + 7, 1, "movl $7, %%eax; xlatb" ::"b"(AT(o + 100)) : "rax");
    DO("both addl", o + 120, 4, "addl $3, (%0)" ::"r"(AT(o + 120)) : "memory", "cc");
    DO("both notw", o + 128, 2, "notw (%0)" ::"r"(AT(o + 128)) : "memory");
    long old = 5;
    DO("both lock xadd", o + 136, 8, "lock xaddq %0, (%1)" : "+r"(old) : "r"(AT(o + 136)) : "memory", "cc");
    DO("both lock cmpxchg", o + 144, 4, "xorl %%eax, %%eax; lock cmpxchgl %%ecx, (%0)" ::"r"(AT(o + 144)), "c"(9) : "memory", "rax", "cc");
    DO("both lock xchg", o + 152, 8, "xchgq %%rax, (%0)" ::"r"(AT(o + 152)), "a"(0x77L) : "memory");
}

static void stack(long o) {
    unsigned char *top = AT(o + 256), *top2 = AT(o + 512);
    say("pop", o + 256, 8);
    say("popw", o + 264, 2);
    say("popfq", o + 266, 8);
    __asm__ volatile("pushfq; popq %%rdx; movq %%rdx, 10(%0); xchgq %%rsp, %0; popq %%rax; popw %%ax; popfq; movq %0, %%rsp"
                     : "+r"(top)::"memory", "rax", "rdx", "cc");
    /* A call writes what its return reads. */
    say("ret", o + 504, 8);
    say("pop memory", o + 512, 8);
    say("push memory", o + 600, 8);
    __asm__ volatile("xchgq %%rsp, %0\n call 1f\n jmp 2f\n 1: ret\n 2: popq %1\n pushq %2\n movq %0, %%rsp"
                     : "+r"(top2), "=m"(elsewhere[8]) : "m"(arena[o + 600]) : "memory");
    void *target = 0;
    __asm__ volatile("leaq 1f(%%rip), %0; jmp 2f; 1: ret; 2:" : "=r"(target));
    memcpy(AT(o + 608), &target, 8);
    say("call through", o + 608, 8);
    __asm__ volatile("subq $128, %%rsp; call *(%0); addq $128, %%rsp" ::"r"(AT(o + 608)) : "memory", "cc");
    say("leave", o + 640, 8);
    void *frame = AT(o + 640), *kept = elsewhere;
    memcpy(frame, &kept, 8);
    __asm__ volatile("movq %%rbp, %%rdx; movq %%rsp, %%rcx; movq %0, %%rbp; leave; movq %%rcx, %%rsp; movq %%rdx, %%rbp"
                     ::"r"(frame) : "memory", "rcx", "rdx");
}

static void strings(long o) {
    unsigned char *to = elsewhere, *from = AT(o);
    long count = 100;
    DO("rep movsb", o, 100, "rep movsb" : "+D"(to), "+S"(from), "+c"(count)::"memory");
    to = elsewhere, from = AT(o + 128), count = 5;
    DO("rep movsq", o + 128, 40, "rep movsq" : "+D"(to), "+S"(from), "+c"(count)::"memory");
    to = elsewhere + 99, from = AT(o + 199), count = 30;
    DO("rep movsb backward", o + 170, 30, "std; rep movsb; cld" : "+D"(to), "+S"(from), "+c"(count)::"memory");
    to = elsewhere, from = AT(o + 208);
    DO("movsw", o + 208, 2, "movsw" : "+D"(to), "+S"(from)::"memory");
    from = AT(o + 216);
    DO("lodsq", o + 216, 8, "lodsq" : "+S"(from)::"rax");
    /* Found at the fourth byte; different at the third. */
    memcpy(AT(o + 240), "abcdef", 6);
    to = AT(o + 240), count = 50;
    DO("repne scasb", o + 240, 4, "repne scasb" : "+D"(to), "+c"(count) : "a"('d') : "cc");
    memcpy(elsewhere, "abX", 3);
    to = elsewhere, from = AT(o + 240), count = 50;
    DO("repe cmpsb", o + 240, 3, "repe cmpsb" : "+D"(to), "+S"(from), "+c"(count)::"cc");
    to = AT(o + 300), from = AT(o + 320);
    say("cmpsl", o + 320, 4);
    DO("cmpsl", o + 300, 4, "cmpsl" : "+D"(to), "+S"(from)::"cc");
    from = AT(o + 340), count = 0;
    __asm__ volatile("rep lodsb" : "+S"(from), "+c"(count)::"rax");
}

static void vectors(long o) {
    DO("movss", o, 4, "movss (%0), %%xmm3" ::"r"(AT(o)) : "xmm3");
    DO("movhps", o + 8, 8, "movhps (%0), %%xmm3" ::"r"(AT(o + 8)) : "xmm3");
    DO("movups", o + 17, 16, "movups (%0), %%xmm3" ::"r"(AT(o + 17)) : "xmm3");
    DO("paddd", o + 48, 16, "paddd (%0), %%xmm3" ::"r"(AT(o + 48)) : "xmm3");
    DO("pmovzxbw", o + 64, 8, "pmovzxbw (%0), %%xmm3" ::"r"(AT(o + 64)) : "xmm3");
    DO("cvtsi2sd", o + 72, 4, "cvtsi2sdl (%0), %%xmm3" ::"r"(AT(o + 72)) : "xmm3");
    DO("fldt", o + 80, 10, "fldt (%0); fstp %%st(0)" ::"r"(AT(o + 80)));
    DO("fildl", o + 96, 4, "fildl (%0); fstp %%st(0)" ::"r"(AT(o + 96)));
    if (__builtin_cpu_supports("avx2")) {
        DO("vmovups", o + 201, 32, "vmovups (%0), %%ymm3" ::"r"(AT(o + 201)) : "xmm3");
        DO("vpbroadcastb", o + 240, 1, "vpbroadcastb (%0), %%ymm3" ::"r"(AT(o + 240)) : "xmm3");
        DO("masked", o + 256, 32, "vpcmpeqd %%xmm4, %%xmm4, %%xmm4; vpmaskmovd (%0), %%ymm4, %%ymm3" ::"r"(AT(o + 256)) : "xmm3", "xmm4");
    }
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
        DO("vmovdqu64", o + 320, 64, "vmovdqu64 64(%0), %%zmm3" ::"r"(AT(o + 256)) : "xmm3");
        DO("broadcast", o + 384 + 8, 4, "vpaddd 8(%0)%{1to16%}, %%zmm3, %%zmm3" ::"r"(AT(o + 384)) : "xmm3");
        DO("vpcmpeqb", o + 448 + 32, 32, "vpcmpeqb 32(%0), %%ymm3, %%k1" ::"r"(AT(o + 448)));
    }
    __asm__ volatile("vzeroupper" ::: "memory");
}

static __thread unsigned char local;

static void segments(long o) {
    unsigned char *base;
    __asm__("movq %%fs:0, %0" : "=r"(base));
    DO("fs", o, 4, "movl %%fs:(%0), %%eax" ::"r"(AT(o) - base) : "rax");
    local = 1;
}

static void *thread(void *argument) {
    long o = (long)argument;
    for (int i = 0; i < 50; i++) {
        (void)*(volatile unsigned int *)AT(o);
        if (i % 16 == 0)
            usleep(1);
    }
    return 0;
}

int main(int argc, char **argv) {
    words = fopen(argc > 1 ? argv[1] : "/dev/null", "w");
    setvbuf(words, 0, _IOLBF, 4096);
    for (int i = 0; i < SIZE; i++)
        arena[i] = (unsigned char)(i * 7);
    for (int round = 0; round < 3; round++) {
        long o = round * 8192;
        plain(o);
        strings(o + 3072);
        vectors(o + 4096);
        segments(o + 960);
        stack(o + 6144);
    }
    say("end", 0, 0);
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, thread, (void *)(61000 + i * 4));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    puts("done");
    return 0;
}
