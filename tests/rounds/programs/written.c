/* Writes to `arena` in many ways, and says each of its writes: the way, the offset, the length, how often. `model` lines
 * say what is known of the effect alone. The last words are the arena as it is in the end. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define SIZE 65536
__attribute__((aligned(4096))) unsigned char arena[SIZE];
static unsigned char source[SIZE];
static FILE *words;

/* What is written begins at `offset`, `length` bytes, each write by itself. */
static void say(const char *way, long offset, long length) { fprintf(words, "%s %ld %ld\n", way, offset, length); }

#define AT(offset) (arena + (offset))
#define DO(way, offset, length, ...) \
    do { \
        say(way, offset, length); \
        __asm__ volatile(__VA_ARGS__); \
    } while (0)

static void plain(long o) {
    DO("movb", o, 1, "movb $0x5a, (%0)" ::"r"(AT(o)) : "memory");
    DO("movw", o + 2, 2, "movw $0x1234, 2(%0)" ::"r"(AT(o)) : "memory");
    DO("movl", o + 4, 4, "movl %%eax, 4(%0)" ::"r"(AT(o)), "a"(77) : "memory");
    DO("movq", o + 8, 8, "movq %%rax, (%0,%1,4)" ::"r"(AT(o)), "r"(2L), "a"(0x1122334455667788) : "memory");
    DO("movq rax", o + 16, 8, "movq %%rax, (%%rax)" ::"a"(AT(o + 16)) : "memory");
    DO("movq rcx", o + 24, 8, "movq %%rcx, (%%rcx)" ::"c"(AT(o + 24)) : "memory");
}

static void arithmetic(long o) {
    long old = 5;
    DO("addl", o, 4, "addl $3, (%0)" ::"r"(AT(o)) : "memory", "cc");
    DO("lock xaddq", o + 8, 8, "lock xaddq %0, (%1)" : "+r"(old) : "r"(AT(o + 8)) : "memory", "cc");
    DO("cmpxchg", o + 16, 4, "movl $0, %%eax; lock cmpxchgl %%ecx, (%0)" ::"r"(AT(o + 16)), "c"(9) : "memory", "rax", "cc");
    DO("cmpxchg fails", o + 16, 4, "movl $1, %%eax; lock cmpxchgl %%ecx, (%0)" ::"r"(AT(o + 16)), "c"(8) : "memory", "rax", "cc");
    DO("cmpxchg16b", o + 32, 16, "lock cmpxchg16b (%0)" ::"r"(AT(o + 32)), "a"(0L), "d"(0L), "b"(1L), "c"(2L) : "memory", "cc");
    DO("xchg", o + 48, 8, "xchgq %%rax, (%0)" ::"r"(AT(o + 48)), "a"(0x77L) : "memory");
    DO("btsq", o + 80, 8, "btsq %1, (%0)" ::"r"(AT(o + 64)), "r"(130L) : "memory", "cc");
    DO("btsl back", o + 60, 4, "btsl %1, (%0)" ::"r"(AT(o + 64)), "r"(-3) : "memory", "cc");
    DO("sete", o + 90, 1, "cmpl %%eax, %%eax; sete (%0)" ::"r"(AT(o + 90)) : "memory", "cc");
    DO("shrd", o + 96, 8, "shrdq $4, %1, (%0)" ::"r"(AT(o + 96)), "r"(-1L) : "memory", "cc");
    DO("negw", o + 104, 2, "negw (%0)" ::"r"(AT(o + 104)) : "memory", "cc");
    DO("same", o + 112, 8, "movq $0, (%0)" ::"r"(AT(o + 112)) : "memory");
}

static void stack(long o) {
    unsigned char *top = AT(o + 256), *top2 = AT(o + 512);
    say("push", o + 248, 8);
    say("pushw", o + 246, 2);
    say("pushfq", o + 238, 8);
    __asm__ volatile("xchgq %%rsp, %0; pushq %%rax; pushw $3; pushfq; movq %0, %%rsp" : "+r"(top)::"memory");
    say("call", o + 504, 8);
    say("call indirect", o + 504, 8);
    say("push memory", o + 504, 8);
    say("pop memory", o + 600, 8);
    __asm__ volatile("xchgq %%rsp, %0\n call 1f\n jmp 2f\n 1: ret\n 2: leaq 1b(%%rip), %%rdx\n call *%%rdx\n pushq %1\n popq %2\n movq %0, %%rsp"
                     : "+r"(top2) : "m"(source[8]), "m"(arena[o + 600]) : "memory", "rdx");
    say("enter", o + 700, 8);
    unsigned char *top3 = AT(o + 708);
    __asm__ volatile("movq %%rbp, %%rdx; xchgq %%rsp, %0; enter $64, $0; movq %0, %%rsp; movq %%rdx, %%rbp" : "+r"(top3)::"memory", "rdx");
}

static void strings(long o) {
    unsigned char *to = AT(o), *from = source + 64;
    long count = 100;
    DO("rep stosb", o, 100, "rep stosb" : "+D"(to), "+c"(count) : "a"(7) : "memory");
    to = AT(o + 128), count = 5;
    DO("rep movsq", o + 128, 40, "rep movsq" : "+D"(to), "+S"(from), "+c"(count)::"memory");
    to = AT(o + 199), from = source + 40, count = 30;
    DO("rep movsb backward", o + 170, 30, "std; rep movsb; cld" : "+D"(to), "+S"(from), "+c"(count)::"memory");
    to = AT(o + 208);
    DO("stosl", o + 208, 4, "stosl" : "+D"(to) : "a"(0x01020304) : "memory");
    to = AT(o + 216), from = source + 3;
    DO("movsw", o + 216, 2, "movsw" : "+D"(to), "+S"(from)::"memory");
    to = AT(o + 220), count = 0;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(7) : "memory");
    /* From outside, the arena's beginning alone. */
    to = AT(SIZE - 24), count = 24;
    DO("rep stosb end", SIZE - 24, 24, "rep stosb" : "+D"(to), "+c"(count) : "a"(0x31) : "memory");
}

static void vectors(long o) {
    for (int i = 0; i < 64; i++)
        source[i] = (unsigned char)(i * 3 + 1);
    DO("movss", o, 4, "movups %1, %%xmm3; movss %%xmm3, (%0)" ::"r"(AT(o)), "m"(source) : "memory", "xmm3");
    DO("movlps", o + 8, 8, "movups %1, %%xmm3; movlps %%xmm3, (%0)" ::"r"(AT(o + 8)), "m"(source) : "memory", "xmm3");
    DO("movups", o + 17, 16, "movups %1, %%xmm3; movups %%xmm3, (%0)" ::"r"(AT(o + 17)), "m"(source) : "memory", "xmm3");
    DO("movntdq", o + 48, 16, "movups %1, %%xmm3; movntdq %%xmm3, (%0)" ::"r"(AT(o + 48)), "m"(source) : "memory", "xmm3");
    DO("movd", o + 64, 4, "movups %1, %%xmm3; movd %%xmm3, (%0)" ::"r"(AT(o + 64)), "m"(source) : "memory", "xmm3");
    DO("fstpt", o + 80, 10, "fldpi; fstpt (%0)" ::"r"(AT(o + 80)) : "memory");
    DO("fstcw", o + 96, 2, "fnstcw (%0)" ::"r"(AT(o + 96)) : "memory");
    DO("fnstenv", o + 100, 28, "fnstenv (%0)" ::"r"(AT(o + 100)) : "memory");
    unsigned char *to = AT(o + 160);
    /* Of what is masked, that is written which the mask names, even if it is the same again. */
    say("maskmovdqu", o + 160, 7);
    say("same maskmovdqu", o + 160, 7);
    __asm__ volatile("pcmpeqd %%xmm4, %%xmm4; psrldq $9, %%xmm4; movups %1, %%xmm3; maskmovdqu %%xmm4, %%xmm3; maskmovdqu %%xmm4, %%xmm3"
                     : : "D"(to), "m"(source) : "memory", "xmm3", "xmm4");
    to = AT(o + 176);
    say("maskmovq", o + 181, 3);
    __asm__ volatile("pcmpeqd %%mm4, %%mm4; psllq $40, %%mm4; movq %1, %%mm3; maskmovq %%mm4, %%mm3; emms"
                     : : "D"(to), "m"(source) : "memory", "mm3", "mm4");
    if (__builtin_cpu_supports("avx2")) {
        DO("vmovups", o + 201, 32, "vmovups %1, %%ymm3; vmovups %%ymm3, (%0)" ::"r"(AT(o + 201)), "m"(source) : "memory", "xmm3");
        DO("vextracti128", o + 240, 16, "vextracti128 $1, %%ymm3, (%0)" ::"r"(AT(o + 240)) : "memory");
        say("vpmaskmovd", o + 256, 16);
        say("same vpmaskmovd", o + 256, 16);
        __asm__ volatile("vpcmpeqd %%xmm4, %%xmm4, %%xmm4; vpmaskmovd %%ymm3, %%ymm4, (%0); vpmaskmovd %%ymm3, %%ymm4, (%0)"
                         ::"r"(AT(o + 256)) : "memory", "xmm4");
    }
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
        DO("vmovdqu64", o + 320, 64, "vmovdqu64 %1, %%zmm3; vmovdqu64 %%zmm3, 64(%0)" ::"r"(AT(o + 256)), "m"(source) : "memory", "xmm3");
        say("vmovdqu8", o + 408, 8);
        say("same vmovdqu8", o + 408, 8);
        __asm__ volatile("kmovd %1, %%k1; vmovdqu8 %%ymm3, (%0)%{%%k1%}; vmovdqu8 %%ymm3, (%0)%{%%k1%}"
                         ::"r"(AT(o + 400)), "r"(0xff00) : "memory");
        say("vpcompressd", o + 384, 8);
        say("same vpcompressd", o + 384, 8);
        __asm__ volatile("kmovd %1, %%k1; vpcompressd %%zmm3, (%0)%{%%k1%}; vpcompressd %%zmm3, (%0)%{%%k1%}"
                         ::"r"(AT(o + 384)), "r"(0x8010) : "memory");
        /* From the first to the last of what is scattered. */
        say("vpscatterdq", o + 424, 20);
        say("same vpscatterdq", o + 424, 20);
        __asm__ volatile("movl $12, %%eax; vmovd %%eax, %%xmm17; vpslldq $12, %%xmm17, %%xmm17; kmovd %1, %%k1; kmovd %1, %%k2; "
                         "vpscatterdq %%ymm3, (%0,%%xmm17)%{%%k1%}; vpscatterdq %%ymm3, (%0,%%xmm17)%{%%k2%}"
                         ::"r"(AT(o + 424)), "r"(0xa) : "memory", "rax");
    }
    say("partial", o + 448, 512);
    __asm__ volatile("fxsave64 (%0)" ::"r"(AT((o + 448) & ~15L)) : "memory");
    say("partial", o + 1024, 4096);
    __asm__ volatile("xsave64 (%0)" ::"r"(AT((o + 1024) & ~63L)), "a"(7), "d"(0) : "memory");
    __asm__ volatile("vzeroupper" ::: "memory");
}

static __thread unsigned char local;

static void segments(long o) {
    unsigned char *base;
    __asm__("movq %%fs:0, %0" : "=r"(base));
    DO("fs", o, 4, "movl $0x55667788, %%fs:(%0)" ::"r"(AT(o) - base) : "memory");
    DO("fs push", o + 8, 8, "movq $1, %%fs:8(%0)" ::"r"(AT(o) - base) : "memory");
    local = 1;
}

static void *thread(void *argument) {
    long o = (long)argument;
    for (int i = 0; i < 50; i++) {
        volatile unsigned int *counter = (volatile unsigned int *)AT(o);
        *counter = (unsigned)i;
        if (i % 16 == 0)
            usleep(1);
    }
    return 0;
}

static void on_signal(int signal, siginfo_t *info, void *context) {
    (void)info, (void)context;
    volatile int *place = (volatile int *)AT(60000);
    *place = signal;
}

int main(int argc, char **argv) {
    words = fopen(argc > 1 ? argv[1] : "/dev/null", "w");
    setvbuf(words, 0, _IOLBF, 4096);
    for (int round = 0; round < 3; round++) {
        long o = round * 8192;
        say("loop", o + 1000, 1);
        *(volatile char *)AT(o + 1000) = (char)round;
        arithmetic(o + 1024);
        stack(o + 2048);
        strings(o + 3072);
        vectors(o + 3584);
        segments(o + 960);
        plain(o);
    }
    say("model", 0, SIZE);
    memcpy(AT(30000), source, 3000);
    memset(AT(34000), 0x42, 3500);
    memmove(AT(30001), AT(30000), 2000);
    strcpy((char *)AT(40000), "some words, more than sixteen bytes of them");
    int zero = open("/proc/self/stat", O_RDONLY);
    (void)!read(zero, AT(41000), 200);
    close(zero);
    (void)!getcwd((char *)AT(42000), 500);
    gettimeofday((struct timeval *)AT(43000), 0);
    clock_gettime(CLOCK_MONOTONIC, (struct timespec *)AT(43100));
    int ends[2];
    (void)!pipe(ends);
    (void)!write(ends[1], "through a pipe", 14);
    (void)!read(ends[0], AT(44000), 100);
    stack_t alternative = {.ss_sp = AT(45056), .ss_size = 12288};
    sigaltstack(&alternative, 0);
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGUSR1, &action, 0);
    raise(SIGUSR1);
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, thread, (void *)(61000 + i * 4));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    if (!fork()) {
        *(volatile int *)AT(62000) = 5;
        _exit(0);
    }
    wait(0);
    *(volatile int *)AT(62004) = 6;
    puts("done");
    for (int i = 0; i < SIZE; i++)
        fprintf(words, "%02x", arena[i]);
    fputs("\n", words);
    return 0;
}
