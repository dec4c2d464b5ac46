// Two threads that wait for each other's locks, and one besides; who has what, and who wants what, is written down.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <sched.h>
#include <string>
#include <thread>
#include <unistd.h>

struct Bank {
    long total = 0;
    std::mutex guard;
};

static std::FILE *out;
static std::mutex first;
static std::atomic<int> ready{0}, forth_id{0}, back_id{0}, third_id{0}, waiting{0};

static void both() {
    ready++;
    while (ready < 2)
        sched_yield();
}

static void say(const char *word, const char *what) { std::fprintf(out, "%s %d %s\n", word, gettid(), what); }

static void forth(std::shared_ptr<Bank> bank) {
    forth_id = gettid();
    first.lock();
    say("has", "first");
    both();
    say("wants", "bank->guard");
    waiting++;
    bank->guard.lock();
}

static void back(Bank *bank) {
    back_id = gettid();
    bank->guard.lock();
    say("has", "bank->guard");
    say("has", "bank.guard");
    both();
    say("wants", "first");
    waiting++;
    first.lock();
}

static void third(Bank &bank) {
    third_id = gettid();
    while (ready < 2)
        sched_yield();
    say("wants", "bank.guard");
    waiting++;
    bank.guard.lock();
}

static bool sleeps(int id) {
    std::ifstream file("/proc/self/task/" + std::to_string(id) + "/stat");
    std::string text;
    std::getline(file, text);
    auto end = text.rfind(')');
    return end != std::string::npos && text.size() > end + 2 && text[end + 2] == 'S';
}

int main(int argc, char **argv) {
    out = std::fopen(argv[argc - 1], "w");
    std::setvbuf(out, nullptr, _IOLBF, 4096);
    auto bank = std::make_shared<Bank>();
    std::thread one(forth, bank), two(back, bank.get()), three(third, std::ref(*bank));
    while (!(waiting == 3 && sleeps(forth_id) && sleeps(back_id) && sleeps(third_id)))
        sched_yield();
    std::abort();
}
