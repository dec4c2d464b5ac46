// Functions whose names need the scopes around them.
namespace outer {
namespace {
__attribute__((noinline)) int hidden(int value) { return value * 3; }
} // namespace

inline namespace v1 {
struct Shape {
    int sides;
    explicit Shape(int count);
    int area(int scale) const;
    static int made;
    template <class T> T scaled(T by) const { return by * static_cast<T>(sides); }
    int operator()(int a) const { return a + sides; }
    bool operator<(const Shape &other) const { return sides < other.sides; }
};
int Shape::made = 4;

Shape::Shape(int count) : sides(count) { made += hidden(count); }

int Shape::area(int scale) const { return sides * scale; }
} // namespace v1

int convert(int value) { return value + 1; }
int convert(double value) { return static_cast<int>(value) + 2; }

namespace inner {
int convert(char value) { return value; }
} // namespace inner
} // namespace outer

int main(int argc, char **argv) {
    outer::Shape shape(argc);
    auto local = [&](int extra) { return extra + shape.area(2); };
    int total = outer::convert(argc) + outer::convert(1.5) + outer::inner::convert('a');
    total += shape.scaled(2) + static_cast<int>(shape.scaled(2.5)) + shape(3) + local(4);
    return total + (shape < outer::Shape(2)) + (argv == nullptr);
}
