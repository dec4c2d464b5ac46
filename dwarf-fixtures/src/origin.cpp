// Values that come a long way through objects of C++.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Source {
    virtual ~Source() = default;
    virtual int next() = 0;
};

struct Fixed : Source {
    int value;
    explicit Fixed(int given) : value(given) {} // @constructs
    int next() override
    {
        return value; // @returns
    }
};

struct Account {
    long balance = 0;
    void put(const int &amount)
    {
        balance = amount; // @puts
    }
};

int kept;
long final_balance;

__attribute__((noinline)) static void collects(Source &source, std::vector<int> &values)
{
    int got = source.next(); // @virtual
    values[1] = got; // @element
}

int main()
{
    std::vector<int> values(3); // @vector
    int first = 321; // @constant
    Fixed fixed(first); // @passes
    collects(fixed, values);
    Account account;
    account.put(values[1]); // @reference
    final_balance = account.balance; // @final
    kept = values[2]; // @untouched
    std::printf("%ld %d\n", final_balance, kept);
    std::fflush(stdout);
    std::abort();
}
