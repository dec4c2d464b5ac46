// The same names in several scopes: which one is meant depends on where the code is.
static volatile int sink;

namespace outer {
struct Node {
    int number;
};
enum Kind { First = 1 };
int counter = 1;
Node node{2};
Kind kind = First;
static int own = 5;
int twice(int n) { return 2 * n; }

namespace inner {
struct Node {
    long number[3];
};
enum Kind { First = 11 };
int counter = 2;
Node node{{3}};
Kind kind = First;
static int own = 6;
int twice(int n) { return n + n; }

class Cell {
  public:
    typedef short Width;
    enum Colour { Red = 7 };
    static int made;
    Width width = 4;
    Colour colour = Red;
    int grow(int n)
    {
        sink = n; /* @method */
        return width + twice(n);
    }
    static int make(int n)
    {
        sink = n; /* @static-method */
        return made + n;
    }
};
int Cell::made = 8;

template <typename T> struct Box {
    static T most;
    T fill(T n)
    {
        sink = n; /* @template */
        return n;
    }
};
template <typename T> T Box<T>::most = 44;

int work(int n)
{
    sink = n; /* @inner */
    return n + counter + own;
}
} // namespace inner

int work(int n)
{
    sink = n; /* @outer */
    return n + counter + own;
}
} // namespace outer

struct Node {
    char letter;
};
enum Kind { First = 111 };
int counter = 3;
Node node{'n'};
Kind kind = First;
int twice(int n) { return n << 1; }

int main()
{
    sink = twice(1); /* @global */
    outer::inner::Cell cell;
    sink = outer::work(1) + outer::inner::work(2) + cell.grow(3) + outer::inner::Cell::make(4);
    sink = outer::twice(5) + outer::inner::Box<int>().fill(outer::inner::Box<int>::most);
    return 0;
}
