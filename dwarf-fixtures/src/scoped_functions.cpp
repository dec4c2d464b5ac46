// Functions of classes and namespaces, of the program and of C++'s library, that share their names with C's: a plain
// name does not mean one of them.
#include <string>
#include <unistd.h>
#include <vector>

namespace shop {
int total(int n)
{
    return n + 1;
}

inline namespace v2 {
int price(int n)
{
    return n + 2;
}
}

void swap(int &a, int &b)
{
    int kept = a;
    a = b;
    b = kept;
}

struct Basket {
    int count = 3;
    int size() const
    {
        return count; // @size
    }
    int write(int n)
    {
        return n + size(); // @write
    }
};

int inside(int n)
{
    return total(n) + price(n); // @inside
}
}

namespace {
int unnamed(int n)
{
    return n + 4;
}
}

template <typename T> T twice(T n)
{
    return n + n;
}

static int overloaded(int n)
{
    return n;
}

int main()
{
    std::vector<int> numbers{1, 2, 3};
    std::string text = "text";
    shop::Basket basket;
    int a = basket.write(1), b = shop::inside(2);
    shop::swap(a, b);
    int sum = twice(a) + unnamed(b) + overloaded(static_cast<int>(numbers.size() + text.size()));
    for (auto at = numbers.begin(); at != numbers.end(); ++at)
        sum += *at;
    return write(1, text.data(), text.size()) == 4 && sum > 0 ? 0 : 1; // @main
}
