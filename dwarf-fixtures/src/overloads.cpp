// Functions of one name: by their parameters, the object that they are called for, and in namespaces that need not be
// named. GCC gives those that no other unit can name no linkage name.
typedef int INT;
volatile int sink;

struct S {
    void f() { sink = 1; }
    void f() const { sink = 2; }
    void f() volatile { sink = 3; }
    void g() & { sink = 4; }
    void g() && { sink = 5; }
    void only() const { sink = 6; }
};

namespace {
void f(char) { sink = 7; }
}
void f() { sink = 8; }

static void k(INT) { sink = 9; }
static void k() { sink = 10; }
static inline __attribute__((always_inline)) void in(INT) { sink = 11; }
static inline __attribute__((always_inline)) void in(char) { sink = 12; }

namespace A {
inline namespace v1 {
struct V { int x; };
}
template <class T> struct Box {
    void get(T) { sink = 13; }
};
}
template <class T> void t(T) { sink = 14; }

int main() {
    S s;
    const S c{};
    volatile S v{};
    s.f(); c.f(); v.f(); s.g(); S().g(); c.only();
    f('c'); f(); k(1); k(); in(1); in('c');
    A::Box<A::V>().get(A::V());
    t(A::V());
}
