// Where members are and what is between them; enumerations by what they are kept in; objects that are more than they
// seem, and what points to their functions; bit-fields that share bytes.
struct Inner {
    char a;
    int b;
};
typedef Inner Other;
class Parts {
    int hidden;
    char c;

  public:
    double open;
    void reset() { open = 0; }
    typedef int number;
    static int made;

  protected:
    short kept;
};
int Parts::made = 1;
struct Shape {
    virtual int sides() { return 0; }
    virtual int scaled(int by) const { return by; }
    int x;
    char y;
};
struct Square : Shape {
    int sides() override { return 4; }
    int z;
    static int count;
};
int Square::count = 3;
struct Shared : virtual Shape {
    int own;
};
struct Members {
    char c;
    Inner in;
    Other other;
    Inner list[2];
    struct {
        unsigned a : 1;
        unsigned b : 3;
    } bits;
    union {
        int i;
        struct {
            char x;
            short y;
        } s;
    };
    int *p;
    enum { A, B } e;
    const Inner fixed;
    volatile struct {
        int v;
    } changing;
};
struct Empty {};
struct Bits {
    unsigned a : 3;
    unsigned : 0;
    unsigned b : 5;
    unsigned char c : 1;
    int d;
    unsigned long f : 33;
};
union Either {
    Inner in;
    struct {
        int a;
        char b;
    };
    double d;
};
struct alignas(16) Aligned {
    char c;
};
struct Functions {
    int (*f)(int);
    int (*list[2])(char);
    char m[3];
};
enum class Small : unsigned char { One, Two = 5 };
enum class Plain { X };
enum Old : short { O };
enum Loose { L };

Parts parts;
Square square;
Shape *shape = &square;
Shape &other = square;
Shared shared;
Members members = {};
Empty empty;
Bits bits;
Either either;
Aligned aligned;
Functions functions;
Other renamed;
Inner inners[2];
Small small_one = Small::Two;
Plain plain;
Old old;
Loose loose;
int (*table[3])(int);
struct {
    unsigned low : 4, high : 4, middle : 12;
} packed;
volatile int sink;

static inline __attribute__((always_inline)) int inner(int n)
{
    int k = n * 3;
    sink = k;
    return k;
}
static inline __attribute__((always_inline)) int outer(int n)
{
    int k = n + 1;
    return inner(k) + k;
}
__attribute__((noinline)) int use(int n)
{
    return outer(n) + shape->sides() + shape->scaled(2);
}

int main()
{
    parts.reset();
    for (int i = 0; i < 4; i++) {
        sink = use(i);
        packed.low = i;
        packed.high = i;
        packed.middle += 1;
    }
    return 0;
}
