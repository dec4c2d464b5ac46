// C++ types: namespaces, base classes, static members, member functions, references, pointers to members, scoped
// enumerations, nested and anonymous types.
namespace geometry {
struct Point {
    int x, y;
    static int count;
    int sum() const { return x + y; }
};
int Point::count = 7;

enum class Axis : unsigned char { X, Y = 200 };

namespace detail {
int hidden = 5;
}
} // namespace geometry

class Named {
public:
    virtual ~Named() {}
    const char *name = "n";
};

class Shape : public Named, private geometry::Point {
public:
    struct Style {
        bool filled;
    } style{true};
    geometry::Axis axis = geometry::Axis::Y;
    int area(int scale) { return scale * x; }
};

class Left : public virtual Named {};

template <typename T> struct Box {
    T content;
};

namespace {
int private_to_the_file = 3;
}

geometry::Point point{1, 2};
geometry::Point &reference = point;
geometry::Point &&rvalue = static_cast<geometry::Point &&>(point);
int geometry::Point::*member = &geometry::Point::y;
int (geometry::Point::*method)() const = &geometry::Point::sum;
decltype(nullptr) nothing = nullptr;
Shape shape;
Left left;
Box<Box<int>> box{{4}};
char32_t wide = U'w';

int main() {
    return shape.area(2) + geometry::Point::count + private_to_the_file + geometry::detail::hidden + reference.x +
           rvalue.y + point.*member + (point.*method)() + (nothing == nullptr) + box.content.content + int(wide) +
           (left.name != nullptr);
}

// The same names with and without a namespace around them.
namespace kernel {
struct message {
    short size;
};
typedef int word;
int sequence = 1;
} // namespace kernel
struct message {
    long size;
};
struct word {
    char c;
};
int sequence = 2;
message user_message;
kernel::message kernel_message;
word user_word;
kernel::word kernel_word;
