// Variables that two threads access, in order and not. Each line that does so has a mark.
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <thread>

struct Account {
    long balance = 0;
    long limit = 0;
};

static std::mutex first, second;
static std::shared_mutex many;
static Account account;
static volatile long racy, locked, shared, handed;

static void work(int number)
{
    racy = racy + number; // @racy
    {
        std::lock_guard<std::mutex> guard(first);
        locked = locked + number; // @locked
        account.balance += number; // @balance
    }
    {
        std::scoped_lock guards(first, second);
        account.limit += number; // @limit
    }
    {
        std::unique_lock<std::shared_mutex> guard(many);
        shared = shared + number; // @shared-write
    }
    std::shared_lock<std::shared_mutex> guard(many);
    racy = racy + shared; // @shared-read
}

int main()
{
    handed = 1; // @handed-before
    std::thread one(work, 1), other(work, 2);
    one.join();
    other.join();
    handed = handed + account.limit; // @handed-after
    std::printf("%ld %ld %ld %ld\n", locked, account.balance, account.limit, shared);
    std::fflush(stdout);
    std::abort();
}
