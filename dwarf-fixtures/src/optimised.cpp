// Classes in optimised code: members by their bare names, objects that are in registers only.
#if defined(__clang__)
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif
volatile int sink;
OPAQUE void consume(long v) { sink = (int)v; }

struct Counted { int count = 3; int held() const { return count; } };
struct Base : Counted {
    int base_member;
    explicit Base(int b) : base_member(b) {}
    virtual ~Base() = default;
    virtual int area() const { consume(base_member); return base_member; }
};
template <typename T> struct Box { T value; T get() const { return value; } T twice() { value += value; consume(value); return value; } };
struct Shape : Base {
    int width, height;
    static int made;
    Shape(int w, int h) : Base(w + h), width(w), height(h) { made++; }
    OPAQUE int area() const override { int product = width * height; consume(product); return product + base_member + count; }
    OPAQUE int grow(int by) {
        int old = width;
        width += by;
        consume(old);
        Box<int> box{by};
        return box.twice() + box.get() + width;
    }
};
int Shape::made = 0;

OPAQUE int use(const Shape &s, int times) {
    int sum = 0;
    for (int i = 0; i < times; ++i) sum += s.area() + i;
    consume(sum);
    return sum;
}
OPAQUE int lambda(int n) {
    int captured = n * 2;
    auto f = [&](int m) { consume(captured + m); return captured * m; };
    return f(n) + f(n + 1);
}
OPAQUE int thrower(int n) { if (n > 3) throw n; return n; }
OPAQUE int catcher(int n) {
    int before = n + 1;
    try { return thrower(n * 2); } catch (int e) { consume(e + before); return e; }
}
int main(int argc, char **) {
    Shape s(argc + 2, argc + 4);
    int r = use(s, 2);
    r += s.grow(5);
    r += lambda(argc + 3);
    r += catcher(argc);
    r += catcher(argc + 4);
    Base *b = &s;
    r += b->area();
    return r & 1;
}
