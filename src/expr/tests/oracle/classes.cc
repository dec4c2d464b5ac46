// Static data of C++: what GDB prints of it is in classes.txt (see generate.py).

struct Base {
    int b;
    virtual void f() {}
};
struct B2 {
    int b2;
};
struct Derived : Base, B2 {
    int d;
    int &r;
    static int st;
    Derived(int &x) : r(x) {}
};
struct D2 : Base, B2 {
    int z;
};
class K {
    int a = 1;

  public:
    K() {}
    int g() { return a; }
};
struct Empty {};
struct U {
    union {
        int i;
        float f;
    };
    int k;
};

namespace ns {
int v = 7;
struct S {
    int a;
    char *s;
} s = {1, 0};
enum class E : unsigned char { A, B, C };
E e = E::B;
enum Old { OA, OB };
Old o = OB;
namespace in2 {
int w = 8;
}
template <class T> struct T1 {
    T t;
};
T1<int> ti = {3};
typedef S SS;
SS *ssp = &s;
} // namespace ns

int Derived::st = 9;
int gi = 5, &gr = gi, &&grr = static_cast<int &&>(gi), arr[2] = {1, 2}, (&ra)[2] = arr;
const int &gcr = gi;
Derived *dp;
ns::S *sp = &ns::s, &sr = ns::s;
const ns::S csv = {2, 0};
D2 d2, *d2p = &d2;
B2 *b2p = &d2;
K k, *kp = &k;
Empty e0;
U uu;
int (*fp)(ns::S *, int &);
enum Flags { ZZ = 0, ZA = 1, ZB = 2, ZB2 = 2 } fz3 = (Flags)3, fz0 = (Flags)0, fz6 = (Flags)6;
bool bt = true;
char16_t c16 = u'x';
char32_t c32 = U'y';
wchar_t wc = L'z', wcs[4] = L"abc";
long double ldx = 1;
long long llv;
unsigned long ul = 5, ulv;
unsigned short su;

int main() {
    static int cnt = 3;
    Derived d(gi);
    dp = &d;
    return d.d + cnt;
}
