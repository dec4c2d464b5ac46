/* Types in an inline namespace, which with -fdebug-types-section are described away from their namespace. */
namespace lib {
inline namespace v1 {
struct Part {
    int x = 1;
    enum Kind { FIRST = 3, SECOND };
    enum { NAMELESS = 8 };
    struct Inner { long q = 4; } inner;
    static int made;
    int get(int by) { return x + by; }
    static int twice(int of) { return 2 * of; }
};
int Part::made = 77;
}
}
int main() {
    lib::Part part;
    lib::Part::Kind kind = lib::Part::SECOND;
    return part.get(1) + lib::Part::twice(2) + kind + lib::Part::NAMELESS + lib::Part::made + (int)part.inner.q;
}
