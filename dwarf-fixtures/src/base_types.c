// The arithmetic types, enumerations, qualifiers, pointers and function types of C.
#include <stdarg.h>

_Bool flag;
char c;
signed char sc;
unsigned char uc;
short s;
unsigned short us;
int i;
unsigned u;
long l;
unsigned long ul;
long long ll;
unsigned long long ull;
__int128 huge;
unsigned __int128 uhuge;
float f;
double d;
long double ld;
_Complex double z;

enum colour { RED, GREEN = 5, BLUE } colour;
enum sign { MINUS = -1, PLUS = 200 } sign;
enum large { LARGE = 0x1234567890, LARGER = 0xffffffffffffffff } large;

typedef const char *text;
text title = "t";
const volatile int cvi;
char *restrict alias;
_Atomic int atomic;
void *anything;
void (*callback)(int, const char *, ...);
int (*unprototyped)();
int (*table[2])(void);
struct opaque;
struct opaque *handle;
struct list {
    struct list *next;
    int value;
} list;

long add(int left, short right) { return left + right; }

int main(void) {
    callback = 0;
    unprototyped = 0;
    table[0] = 0;
    return (int)add(1, 2) + flag + c + sc + uc + s + us + i + u + l + ul + ll + ull + huge + uhuge + f + d + ld +
           colour + sign + large + (int)__real__ z + (title != 0) + cvi + (alias != 0) + atomic + (anything != 0) +
           (handle != 0) + list.value;
}
