// Functions that a debugger calls, each of which also says what it comes to: of numbers, pointers, texts, objects;
// that print, crash, end the program, or do not return.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

struct Small {
    int a, b;
};
struct Mixed {
    double d;
    long n;
};
struct Large {
    long all[5];
};
struct Shape {
    int side = 3;
    virtual int area() const { return side * side; }
    int scaled(int factor) const { return side * factor; }
    static int corners(int shapes) { return 4 * shapes; }
    virtual ~Shape() {}
};
struct Box : Shape {
    int height = 5;
    int area() const override { return side * height; }
};
enum Colour { Red, Green = 7 };

static int counter = 10;
static char buffer[32];
Shape shape;
Box box;
Shape *shown = &box;
Small small{4, 5};
int numbers[3] = {1, 2, 3};

extern "C" {
int add(int a, int b) { return a + b; }
long widen(signed char c, unsigned char u, short s) { return c * 1000000L + u * 1000L + s; }
double half(double x) { return x / 2; }
float quarter(float x) { return x / 4; }
double mixed(int a, double b, float c, long d) { return a + b + c + static_cast<double>(d); }
long many(long a, long b, long c, long d, long e, long f, long g, long h, double i, long j)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + static_cast<long>(i) + 9 * j;
}
bool is_even(int n) { return n % 2 == 0; }
int length(const char *text) { return static_cast<int>(strlen(text)); }
const char *word(int n) { return n == 1 ? "one" : "many"; }
char *written(int n)
{
    snprintf(buffer, sizeof buffer, "number %d", n);
    return buffer;
}
char *made(const char *text)
{
    char *copy = static_cast<char *>(malloc(strlen(text) + 2));
    return strcat(strcpy(copy, text), "!");
}
int *second(int *list) { return list + 1; }
int count(void) { return ++counter; }
void dump(const Small *s) { printf("small: %d, %d\n", s->a, s->b); }
enum Colour next(enum Colour colour) { return colour == Red ? Green : Red; }
int crash(int *where) { return *where; }
int leave(int code) { exit(code); }
int spin(int n)
{
    for (volatile int i = n; i == n;)
        ;
    return n;
}
// Has no branch that is counted.
int branchless(int n)
{
    for (;;)
        __asm__ volatile("");
    return n;
}
int wait_for_ever(int n)
{
    for (;;)
        usleep(1000);
    return n;
}
int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }
}

Small pair_of(int a, int b) { return {a, b}; }
Mixed mixed_of(double d, long n) { return {d, n}; }
Large large_of(long first) { return {{first, first + 1, first + 2, first + 3, first + 4}}; }
int side_of(const Shape &s) { return s.side; }
int twice(const int &n) { return 2 * n; }
int scale(int n) { return n * 2; }
double scale(double n) { return n * 3; }
int scale(int n, int by) { return n * by; }

static volatile int sink;

__attribute__((noinline)) static void stop_here(int n) // @stop
{
    int local = n + 1;
    sink = local + add(n, 1);
}

int main()
{
    printf("begun\n");
    for (int i = 0; i < 3; i++)
        stop_here(i);
    sink = widen(1, 2, 3) + half(1) + quarter(1) + mixed(1, 2, 3, 4) + many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) + is_even(2);
    sink = length(word(1)) + length(written(2)) + *second(numbers) + count() + next(Red) + down(2);
    sink = pair_of(1, 2).a + static_cast<int>(mixed_of(1, 2).d) + large_of(1).all[0] + side_of(box) + twice(2) + scale(1);
    sink = static_cast<int>(scale(1.0)) + scale(1, 2) + shown->area() + shape.scaled(2) + Shape::corners(1);
    dump(&small);
    if (sink == -1) {
        free(made("x"));
        crash(nullptr);
        leave(1);
        spin(1);
        wait_for_ever(1);
        branchless(1);
    }
    return 0;
}
