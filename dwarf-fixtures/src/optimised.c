// What optimising compilers leave of variables: parameters that only the caller knows, structs in pieces, pointers to objects
// that are not in memory, constants, functions that left by tail calls, cold parts.
#include <string.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif
#define APART __attribute__((noinline))

struct point { int x, y; };
struct segment { struct point from, to; long weight; };
struct node { struct node *next; int key; double value; };

volatile int sink;
long total;

/* Overwrites a register that its caller may keep something in. */
OPAQUE void consume(long value) {
    __asm__ volatile("xorl %%eax, %%eax" : : : "rax");
    sink = (int)value; /* @consume */
}
OPAQUE void consume_double(double value) { sink = (int)value; }

static inline int dereferenced(const struct point *p) {
    sink = 1; /* @dereferenced */
    return p->x * 3 + p->y;
}

OPAQUE int implicit_pointer(int n) {
    struct point local = {n, n + 1};
    const struct point *p = &local;
    int before = n * 2;
    int result = dereferenced(p);
    consume(before); /* @before */
    return result + before;
}

OPAQUE int partial(int n) {
    struct segment s = {{n, 7}, {n * 2, 9}, 100};
    consume(s.from.x);
    s.to.y += s.from.y;
    consume(s.to.y + s.to.x);
    return s.to.y;
}

OPAQUE long lost_parameters(long a, long b, double c, int *d) {
    consume(a + b);
    consume_double(c);
    consume(1);
    return *d;
}

APART static int constant_propagated(int x, int mode) {
    if (mode == 3) consume(x);
    int doubled = x * 2;
    consume(doubled);
    consume(mode);
    return doubled + 1;
}

APART static long helper_sum(struct segment *s, int unused) {
    long a = s->from.x + s->from.y;
    consume(a);
    long b = s->to.x + s->to.y;
    consume(b);
    return a + b;
}

OPAQUE int loop(const int *values, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        int squared = values[i] * values[i];
        sum += squared;
        if (squared > 20) consume(sum);
    }
    return sum;
}

OPAQUE int tail_leaf(int n) {
    sink = n; /* @leaf */
    return n + 1;
}

OPAQUE int tail_middle(int n, int m) {
    consume(m);
    return tail_leaf(n + m); /* @to-leaf */
}

OPAQUE int tail_start(int n) {
    consume(n);
    return tail_middle(n, n * 2); /* @to-middle */
}

OPAQUE int list_sum(struct node *head) {
    int sum = 0;
    for (struct node *n = head; n; n = n->next) {
        double scaled = n->value * 2;
        consume_double(scaled);
        sum += n->key;
    }
    return sum;
}

OPAQUE double floats(double x, float y, long z) {
    double a = x * y;
    consume_double(a);
    float b = y + z;
    consume_double(b); /* @doubles */
    return a + b;
}

OPAQUE int many(int a, int b, int c, int d, int e, int f, int g, int h) {
    int s = a + b + c + d;
    consume(s);
    int t = e * f + g * h;
    consume(t);
    return s * t + h;
}

__attribute__((cold, noinline)) void cold_call(int v) { total += v; }
OPAQUE int branches(int n) {
    int kept = n * 3;
    if (n < 0) {
        cold_call(kept);
        total *= 3;
        cold_call((int)total);
    }
    consume(kept);
    return kept;
}

OPAQUE unsigned long bits(unsigned char c, short s, _Bool flag, char *text) {
    unsigned long length = strlen(text);
    unsigned char up = c + 1;
    short twice = s * 2;
    consume(length + up + twice);
    return flag ? length : up;
}

OPAQUE int recursive(int n) {
    if (n <= 0) return 1;
    int a = recursive(n - 1);
    consume(a);
    return a + n;
}

int main(int argc, char **argv) {
    int values[] = {1, 2, 3, 4, 5, 6};
    struct node c = {0, 3, 1.5}, b = {&c, 2, 2.5}, a = {&b, 1, 3.5};
    struct segment s = {{argc, 2}, {3, argc + 3}, 5};
    int number = 77;
    long r = implicit_pointer(argc + 4);
    r += partial(argc + 5);
    r += lost_parameters(argc, 1234, 2.5, &number);
    r += constant_propagated(argc + 1, 3);
    r += helper_sum(&s, 4);
    r += loop(values, 6);
    r += tail_start(argc + 9); /* @tail */
    r += list_sum(&a);
    r += (long)floats(argc * 1.5, 2.5f, 3);
    r += many(argc, 2, 3, 4, 5, 6, 7, argc);
    r += branches(argc);
    r += branches(-argc);
    r += bits(argc, 300, argc > 0, argv[0]) > 0;
    r += recursive(3);
    return (int)(r & 1);
}
