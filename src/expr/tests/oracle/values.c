/* Static data of every kind: what GDB prints of it is in values.txt (see generate.py). */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <uchar.h>
#include <wchar.h>

struct node { int v; struct node *next; };
static void handler(int x) { (void)x; }
int vararg(int a, ...) { return a; }
int unprototyped() { return 1; }
double callback(struct node *p, const char *const *q, int (*cb)(int)) { (void)p; (void)q; (void)cb; return 0; }

enum color { RED, GREEN, BLUE = 5 };
enum flags { FLAG_A = 1, FLAG_B = 2, FLAG_C = 4 };
enum zero_flags { ZF_NONE = 0, ZF_A = 1, ZF_B = 2, ZF_B2 = 2 };
enum multi { MULTI_A = 1, MULTI_B = 2, MULTI_AB = 3 };
enum neg { NEG = -1, POS = 1 };
enum single { ONLY = 1 };
enum high { HIGH = 0x80000000, LOW = 1 };
enum huge { HUGE_BIT = 0x100000000, SMALL_BIT = 1 };
enum color color_red = RED, color_blue = BLUE, color_3 = 3, color_green = 1;
enum flags flags_ab = 3, flags_0 = 0, flags_a8 = 9, flags_8 = 8, flags_a = 1, flags_ff = 255;
enum zero_flags zf_0 = 0, zf_3 = 3, zf_6 = 6;
enum multi multi_3 = 3, multi_7 = 7;
enum neg neg_1 = -1, neg_5 = 5;
enum single single_0 = 0, single_1 = 1, single_3 = 3;
enum high high_1 = 0x80000001;
enum huge huge_1 = 0x100000001, huge_5 = 5;
enum { ANON_A = 1, ANON_B = 2 } anon_enum = 3;

struct record { int a; void (*b)(int); char s[8]; int arr[13]; union { int i; float f; } u; };
struct record record = {1, handler, "abc", {1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}, {1}}, records[2];
int *null_int, arr[5] = {1, 2, 3, 4, 5}, *arr_ptr = arr, **arr_ptr_ptr = &arr_ptr, (*arr_whole)[5] = &arr;
int *arr_ptrs[3] = {arr, 0, arr + 1};
char *str = "hello \"world\"\n\t\001\377xyz", *null_str, *bad_str = (char *)0x10,
    *utf8 = "h\xc3\xa9llo \xc3 \xe4\xb8\xad\001" "1";
const char *cstr = "const", *const ccstr = "cc", carr[4] = "abc";
unsigned char *ustr = (unsigned char *)"unsigned";
signed char *sstr = (signed char *)"signed";
char *strs[3] = {"one", 0, "three"}, **strs_ptr = strs;
void (*fp)(int) = handler, (*fps[3])(int) = {handler, 0, handler},
    (*fp_middle)(void) = (void (*)(void))((char *)vararg + 1);
int (*(*fp_returning)(char *, ...))(void), (*fp_arr[2][3])(int, char), *(*fp_param)(int[3]), (*(*arr_deep)[4])[5];
void *(**fp_ptr)(void);
bool yes = true, no = false;
char c_a = 'a', c_0 = 0, c_nl = '\n', c_neg = -1, c_quote = '\'', c_double = '"', c_backslash = '\\', c_del = 127,
    c_esc = 27;
unsigned char uc = 200;
signed char sc = -3;
char buf16[16], bufab[16] = "ab", bufemb[16] = "ab\0cd", bufnn[4] = {'a', 'b', 'c', 'd'};
char buf8[16] = "\xc3\xa9\xc3\xa9x\xff", cut8[4] = {'a', 'b', '\xe4', '\xb8'},
    esc[] = "\0011\0338x\a\b\f\r\v\033'\"\\?";
char rep[64] = "aaaaaaaaaaaaaaaaaaaabcbbbbbbbbbbbbbbbbbbbbbbx", rep10[64] = "xaaaaaaaaaay", rep11[32] = "aaaaaaaaaaa";
char reps[64] = "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbcccccccccccc", rep_in[32] = "xyaaaaaaaaaaaaaaaaaaaz";
char big0[400], big1[400] = {'a'}, names[3][8] = {"one", "two", "three"}, big2d[2][300], embnul[300] = {[5] = 'x',
    [250] = 'y'};
#define TEN "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
char s199[] = HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN "012345678", s200[] = HUNDRED HUNDRED,
    s201[] = HUNDRED HUNDRED "x", s250[400] = HUNDRED HUNDRED TEN TEN TEN TEN TEN;
char *p199 = s199, *p200 = s200, *p201 = s201,
    tail_run[300] = HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN "01234567zzzzzzzzzzzzzzzzzzzzzzzzq";
int ibig[300], ibig_3[300] = {1, 2, 3}, seq[250] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, m2d[3][4] = {{1, 2, 3,
    4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, m2z[20][4], m20[20][20] = {{1, 2, 3}, {4, 5, 6}};
#define V(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9
#define VV(n) V(n), V(n + 10), V(n + 20), V(n + 30), V(n + 40), V(n + 50), V(n + 60), V(n + 70), V(n + 80), V(n + 90)
short s100[100] = {VV(0)}, s210[210] = {VV(0), VV(100), V(200)}, s2d[3][100] = {{VV(0)}, {VV(1)}, {VV(2)}};
float fl = 1.5f, fl_tenth = 0.1f, fl_big = 1e30f, fl_tiny = 1e-45f, fl_neg0 = -0.0f, farr[3] = {1, 2.5f, -1};
double d_tenth = 0.1, d_1 = 1, d_big = 1e100, d_third = 1.0 / 3, d_mix = 123456789.123, d_e16 = 1e16, d_e17 = 1e17,
    d_e5 = 100000, d_m4 = 0.0001, d_m5 = 0.00001, darr[12] = {1.5};
double d_inf = __builtin_inf(), d_ninf = -__builtin_inf(), d_nan = __builtin_nan("");
float fl_nan = __builtin_nanf("");
long double ld = 0.1L, ld_1 = 1, ld_big = 1e4000L, ld_neg = -2.5L, ld_inf = __builtin_infl(),
    ld_nan = __builtin_nanl(""), ld_third = 1.0L / 3, ld_tiny = 1e-4940L, ldarr[2] = {1, 2};
_Complex double cd = 1 + 2 * I, cds[2] = {1, 2 * I};
_Complex float cf = 1.5f - 2 * I;
_Complex long double cld = 1.0L + 2.5L * I;
__int128 i128 = (__int128)1 << 100, i128_neg = -1, i128_mix = ((__int128)0x123456789abcdef0 << 64) | 0x11;
unsigned __int128 u128 = (unsigned __int128)-1;
struct bits {
    int a : 3;
    unsigned b : 5;
    int : 4;
    bool c : 1;
    enum color d : 3;
    long e : 40;
    signed char f : 4;
    unsigned long g : 33;
    long long h : 20;
} bits = {-1, 17, 1, BLUE, -12345, -3, 0x1ffffffff, -7};
struct anon { int x; union { int y; struct { short z, w; }; }; struct { int q; } named; } anon = {1, {2}, {3}};
struct node second = {2, 0}, first = {1, &second}, *first_ptr = &first, nodes[3] = {{1, 0}, {2, 0}, {3, 0}},
    nodes20[20];
void *vp = &first;
const void *cvp = arr;
struct empty {} empty;
struct flex { int n; char data[]; } flex = {1};
typedef int myint;
typedef struct node node_t;
typedef char *charp;
typedef int vec[3];
typedef unsigned char u8t;
typedef char name8[8];
typedef int (*cb_t)(int, ...);
typedef struct { int a; } anon_t;
myint mi = 5;
node_t nt = {7, 0};
charp chp = "cp";
vec vv = {1, 2, 3};
u8t u8a[3] = {1, 2, 3}, *u8p = u8a;
name8 nm = "nm", *nmp = &nm;
cb_t cb = vararg;
anon_t at = {3}, *atp = &at;
const volatile int cvi = 4;
int *const volatile cpi = arr;
const int *const cpc;
volatile struct node *vnode;
uint8_t bytes[8] = {1, 2, 3, 255}; int8_t i8s[4] = {65, -1};
wchar_t ws[8] = L"wide\u00e9", *wsp = L"wide\u00e9x", wch = L'\u00e9', wrep[20];
char16_t c16 = u'b', s16[8] = u"h\U0001f600";
char32_t c32[4] = U"abc";
long lng = -5;
unsigned long ulng = -5ul;
long long llng = 1ll << 62;
short sh = -3;
unsigned short ush = 65535;
unsigned int uns = 0xfffffff0;
union un { int i; float f; char c[4]; } un = {0x41424344};
struct { int a; struct { int b; struct { int c; } l2; } l1; } deep = {1, {2, {3}}};
struct { struct { int : 0; } z; int none[0]; char cnone[0]; int n; } zero;
struct { char *p; int *q; char c; bool b; float f; const char *s; } mixed = {(char *)0x20, (int *)0x30, 'x', 1,
    2.5f, "in"};
int counter(void) { static int cnt = 3; return cnt; }
int ten[10], eleven[11], ten_of_12[12] = {1, 2};
char16_t *p16 = s16;
char32_t *p32 = c32;
const wchar_t *cwsp = L"cw";
struct node ten_nodes[12] = {{1, 0}, {2, 0}};
int main(void) { handler(1); return counter(); }
