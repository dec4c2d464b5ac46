// C++ objects that are more than their bytes: base classes, virtual ones, static members, pointers to members,
// references, enumerators, lambdas. Runs and waits as `library_types.cpp` does.
#include <memory>
#include <unistd.h>
#include <vector>

namespace n {
enum Plain { A, B };
enum class Scoped { C, D };
enum Flags { X = 1, Y = 2 };
struct S {
    enum In { E };
    In in = E;
    enum class Sc { F } sc = Sc::F;
};
} // namespace n

enum Global { G };
enum Marks { One = 1, Two = 2, Four = 4, Eight = 8 };
enum Widest : unsigned { All = 0xffffffff };

struct Base {
    virtual ~Base() {}
    virtual int kind() { return 1; }
    int b = 1;
    static int count;
    static const int K = 5;
    static constexpr double D = 2.5;
    int (Base::*pm)(int) = nullptr;
    int Base::*pd = &Base::b;
    int f(int x) { return x; }
};
int Base::count = 7;

struct Derived : Base {
    int kind() override { return 2; }
    int d = 2;
    Derived *self = this;
};

struct V1 : virtual Base {
    int v1 = 3;
};
struct V2 : virtual Base {
    int v2 = 4;
};
struct Diamond : V1, V2 {
    int dd = 5;
};

struct LeftHalf {
    int l = 31;
};
struct RightHalf {
    int r = 32;
};
struct Both : LeftHalf, RightHalf {
    int both = 33;
};

struct Ref {
    int &r;
    Base &b;
};
struct Bits {
    bool a : 1;
    unsigned b : 3;
};
template <class T, int N> struct Arr {
    T t[N];
    static T zero;
};
template <class T, int N> T Arr<T, N>::zero{};
union U {
    int i;
    float f;
};
struct Listed {
    static Listed none;
    int x;
};
Listed Listed::none{0};
struct Lists {
    Listed first, second;
};
struct Empty {};
struct Nested {
    struct Inner {
        int x;
    } inner;
    Empty e;
};

n::Plain plain = n::B;
n::Scoped scoped = n::Scoped::D;
n::Flags flags = n::Flags(3);
n::S inside;
Global global = G;
Derived derived;
Base *base = &derived;
Base &ref = derived;
Base itself;
Diamond diamond;
V1 *v1 = &diamond;
V2 &v2 = diamond;
Base *vb = &diamond;
int Base::*pd = &Base::b;
int Base::*nopd = nullptr;
int (Base::*pm)(int) = &Base::f;
int (Base::*nopm)(int) = nullptr;
int (Base::*pv)() = &Base::kind;
decltype(nullptr) nul = nullptr;
int &&rr = 5;
const int &cr = derived.b;
Ref refs{derived.b, derived};
Bits bits{true, 5};
Arr<char, 3> arr{"ab"};
U u{1};
Lists lists{{1}, {2}};
Empty empty;
Nested nested;
std::unique_ptr<Base> owned = std::make_unique<Derived>();
std::vector<Base *> bases{&derived, &diamond, &itself};
Base *null = nullptr;
Marks marks = Marks(One | Four);
Widest widest = All;
Both both;
RightHalf *right_half = &both;
LeftHalf *left_half = &both;
auto lambda = [x = plain, &y = derived](int z) { return x + y.d + z; }; /* mark: lambda */

static volatile int sink;

__attribute__((noinline)) static void filled(int n) // @filled
{
    sink = n;
}

int main(int argc, char **)
{
    filled(lambda(1) + Arr<char, 3>::zero + bits.b + u.i + nested.inner.x + static_cast<int>(scoped) + (base->*pm)(1) + (base->*pv)());
    if (argc > 1) {
        char end;
        if (write(1, "\n", 1) == 1)
            while (read(0, &end, 1) > 0)
                ;
    }
    return 0;
}
