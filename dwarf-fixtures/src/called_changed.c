// Functions of which an optimiser may change how they take their arguments, as it knows all callers; and some that it
// may not, as others could call them.
#include <stdio.h>

struct pair {
    int x, y;
};

static struct pair first = {3, 4};
static volatile int sink;

__attribute__((noinline)) static int second(int unused, int b) { return b * 3 + sink; }
__attribute__((noinline)) static int norm(const struct pair *p) { return p->x * p->x + p->y * p->y + sink; }
__attribute__((noinline)) static int always(int seven, int b) { return seven * b + sink; }
__attribute__((noinline)) static int both(int a, int b) { return 10 * a + b + sink; }
__attribute__((noinline)) static double halves(double a, float b, double c) { return (a + b - c) / 2 + sink; }
__attribute__((noinline)) static long eighth(long a, long b, long c, long d, long e, long f, long g, long h)
{
    return a + b + c + d + e + f + 10 * g + 100 * h + sink;
}
__attribute__((noinline)) int exported(int unused, int b) { return b * 5 + sink; }

__attribute__((noinline)) static void stop_here(int n) { sink = n - n; }

int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        stop_here(i);
        struct pair pair = {argc + i, argc - i};
        sum += second(i, argc) + norm(&first) + norm(&pair) + always(7, argc + i) + both(argc, i) + exported(i, argc);
        sum += halves(i, argc, 1.5 * i) + eighth(i, argc, 2, 3, i, argc, i + 1, i + 2);
    }
    printf("%d %s\n", sum, argv[0] ? "named" : "");
    return 0;
}
