/* One variable of every kind of C type. */
#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

enum colour { RED, GREEN = 5, BLUE };
enum flags { READ = 1, WRITE = 2, EXECUTE = 4 };
typedef unsigned long word;
typedef struct point { int x, y; } point;

struct bits {
    unsigned low : 3;
    signed middle : 5;
    unsigned long high : 40;
    _Bool flag : 1;
};

union number {
    int i;
    float f;
    unsigned char bytes[4];
};

struct outer {
    int tag;
    union {
        int as_int;
        struct {
            short first, second;
        };
    };
    point where;
    struct outer *self;
    int (*action)(int);
    int flexible[];
};

static int triple(int n) { return 3 * n; }

_Bool truth = true;
char letter = 'a';
signed char negative = -2;
unsigned char octet = 200;
short small = -300;
unsigned short ushort_value = 65000;
int integer = -70000;
unsigned unsigned_value = 4000000000u;
long long_value = -5000000000L;
word word_value = 18446744073709551615ul;
__int128 huge = (__int128)1 << 100;
float single_value = 1.5f;
double double_value = 3.14159265358979;
long double extended = 2.25L;
double _Complex complex_value = 1.0 + 2.0 * I;
char text[] = "hello";
char padded[16] = "hi";
char embedded[8] = {'a', 'b', 0, 'c', 0, 0, 0, 0};
const char *string = "a \"quoted\" string\n";
char *null_string = 0;
int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
int repeated[20] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 2, 3};
int many[300];
enum colour colour = GREEN;
enum colour odd_colour = (enum colour)3;
enum flags flags = (enum flags)(READ | EXECUTE);
enum flags unknown_flags = (enum flags)(WRITE | 8);
point where = {3, -4};
struct bits bits = {5, -3, 0x123456789a, 1};
union number number = {.i = 0x3f800000};
struct outer outer = {1, {.as_int = 0x00020001}, {10, 20}, &outer, triple, {}};
int (*handler)(int) = triple;
int (*handlers[2])(int) = {triple, 0};
void *opaque = &integer;
int *pointer = &integer;
const volatile int qualified = 9;
struct incomplete *incomplete;

static int use(int n) {
    int vla[n]; /* @vla */
    for (int i = 0; i < n; i++)
        vla[i] = i * i;
    static int calls;
    calls++;
    return vla[n - 1] + calls; /* @vla-ready */
}

int main(void) {
    for (int i = 0; i < 300; i++)
        many[i] = i;
    int shadow = 1;
    {
        int shadow = 2;       /* @inner */
        integer += shadow - 2; /* @inner-use */
    }
    int used = use(5);        /* @use */
    return handler(used) + shadow - 52; /* @return */
}
