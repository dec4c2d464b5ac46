// Each call writes down its arguments, and its result or that it was left by an exception.
#include <cstdio>
#include <stdexcept>
#include <string>

struct Point {
    double x, y;
};

struct Account {
    std::string owner;
    long balance;

    __attribute__((noipa)) long take(long amount, const std::string &why) {
        std::fprintf(out, "C take %ld %s %ld\n", amount, why.c_str(), balance);
        if (amount > balance)
            throw std::runtime_error("too little");
        balance -= amount;
        std::fprintf(out, "R take %ld\n", balance);
        return balance;
    }

    static std::FILE *out;
};

std::FILE *Account::out;

__attribute__((noipa)) Point middle(Point a, Point b) {
    Point found{(a.x + b.x) / 2, (a.y + b.y) / 2};
    std::fprintf(Account::out, "C middle %g %g %g %g\n", a.x, a.y, b.x, b.y);
    std::fprintf(Account::out, "R middle %g %g\n", found.x, found.y);
    return found;
}

__attribute__((noipa)) std::string joined(const std::string &text, int times) {
    std::string found;
    for (int i = 0; i < times; i++)
        found += text;
    std::fprintf(Account::out, "C joined %s %d\n", text.c_str(), times);
    std::fprintf(Account::out, "R joined %s\n", found.c_str());
    return found;
}

int main(int, char **argv) {
    Account::out = std::fopen(argv[1], "w");
    Account account{"somebody with a long name", 50};
    for (long amount : {10, 60, 20, 30, 5, 20}) {
        try {
            account.take(amount, amount % 20 ? "rent" : "a much longer reason than fits");
        } catch (const std::exception &) {
            std::fprintf(Account::out, "X take\n");
        }
    }
    Point at{0, 0};
    for (int i = 0; i < 4; i++)
        at = middle(at, Point{i * 2.0, 1.0});
    for (int i = 0; i < 4; i++)
        joined("ab", i * 4);
    std::fclose(Account::out);
}
