// Goes well or badly, by its second argument: what is called, with what, and what comes back is written down.
#include <cstdio>
#include <cstring>
#include <stdexcept>

static std::FILE *out;

class Account {
public:
    explicit Account(int balance) : balance_(balance) {}
    int withdraw(int amount);
    int deposit(int amount);

private:
    int balance_;
};

int Account::withdraw(int amount) {
    std::fprintf(out, "C 1 withdraw amount=%d\n", amount);
    if (amount > balance_)
        throw std::runtime_error("too little");
    balance_ -= amount;
    std::fprintf(out, "R 1 withdraw %d\n", balance_);
    return balance_;
}

int Account::deposit(int amount) {
    std::fprintf(out, "C 1 deposit amount=%d\n", amount);
    balance_ += amount;
    std::fprintf(out, "R 1 deposit %d\n", balance_);
    return balance_;
}

static int regretted(const char *why) {
    std::fprintf(out, "C 1 regretted\nR 1 regretted %d\n", static_cast<int>(std::strlen(why)));
    return static_cast<int>(std::strlen(why));
}

int main(int argc, char **argv) {
    bool goes_badly = argc > 2 && std::strcmp(argv[2], "badly") == 0;
    out = std::fopen(argv[1], "w");
    std::setvbuf(out, nullptr, _IOLBF, 4096);
    std::fprintf(out, "C 1 main\n");
    Account *account = new Account(100);
    for (int i = 0; i < 6; i++) {
        try {
            account->deposit(i);
            account->withdraw(goes_badly && i == 3 ? 1000 : i + 10);
        } catch (const std::runtime_error &error) {
            regretted(error.what());
        }
    }
    std::fprintf(out, "R 1 main\n");
    delete account;
    return 0;
}
