/* RDTSC, RDTSCP and CPUID, which rr makes fault, and the clocks of the vDSO, which it replaces. */
#include "check.h"
#include <cpuid.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

int main(void) {
    unsigned long long before = __rdtsc(), sum = 0;
    unsigned core;
    for (int i = 0; i < 20; i++) {
        unsigned long long now = i % 2 ? __rdtsc() : __rdtscp(&core);
        CHECK(now >= before);
        /* What was read decides where the program goes. */
        if (now & 4)
            sum += now - before;
        else
            sum ^= now;
        before = now;
    }
    unsigned a, b, c, d;
    char vendor[13] = "";
    for (int i = 0; i < 5; i++) {
        CHECK(__get_cpuid(0, &a, &b, &c, &d));
        memcpy(vendor, &b, 4);
        memcpy(vendor + 4, &d, 4);
        memcpy(vendor + 8, &c, 4);
    }
    struct timespec start, end;
    CHECK(clock_gettime(CLOCK_MONOTONIC, &start) == 0 && clock_gettime(CLOCK_MONOTONIC, &end) == 0);
    CHECK(end.tv_sec > start.tv_sec || (end.tv_sec == start.tv_sec && end.tv_nsec >= start.tv_nsec));
    printf("%s\n" VARYING "%llu %lld.%09ld %lld\n", vendor, sum, (long long)start.tv_sec, start.tv_nsec,
           (long long)time(0));
    return 0;
}
