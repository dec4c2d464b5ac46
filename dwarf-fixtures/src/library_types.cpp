// Objects of the standard library's types, with contents that are known. With an argument the program says when they are
// all there, and waits until its standard input ends: whoever started it can look at its memory.
#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <coroutine>
#include <deque>
#include <exception>
#include <filesystem>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <stack>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace shop {
struct Item {
    int code;
    std::string name;
};
struct Tagged : Item {
    std::vector<std::string> tags;
};
struct Large {
    long bytes[4];
    int operator()(int n) const { return n + static_cast<int>(bytes[0]); }
};
enum class Colour { Red, Green };
struct Failure : std::runtime_error {
    int code;
    explicit Failure(int code) : std::runtime_error("failure " + std::to_string(code)), code(code) {}
};
struct Quiet : std::runtime_error {
    Quiet() : std::runtime_error("hidden") {}
    const char *what() const noexcept override { return "quiet"; }
};
struct Counted {
    int n;
    explicit Counted(int n) : n(n) {}
    Counted(const Counted &other) : n(other.n) {}
    int operator()(int m) const { return n + m; }
};
struct Bundle : std::vector<int> {
    using std::vector<int>::vector;
};
struct Task {
    struct promise_type {
        int result = 1;
        Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_value(int n) { result = n; }
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};
} // namespace shop

static int twice(int n) { return 2 * n; }
static int sum(int a, int b) { return a + b; }
template <class T, class... More> static T first(T n, More...) { return n; }

static shop::Task later(int n) { co_return twice(n); }

std::string empty_text;
std::string small = "small";
std::string large = "a string that does not fit into the object itself";
std::string embedded("a\0b", 3);
std::string umlaut = "gr\u00fcn";
std::string many(300, 'x');
std::string huge_text(100000, 'x');
std::wstring wide = L"wide";
std::u16string utf16 = u"sixteen";
std::string &reference = small;
std::string_view view(large.data() + 2, 6);

std::vector<int> numbers{1, 2, 3};
std::vector<int> no_numbers;
std::vector<int> thousand(1000);
std::vector<std::string> words{"one", "two"};
std::vector<bool> bits{true, false, true, true};
std::vector<std::vector<int>> nested{{1}, {2, 3}};
std::vector<shop::Item> items{{1, "pen"}, {2, "ink"}};
shop::Tagged thing{{9, "thing"}, {"t"}};
std::array<int, 3> fixed{4, 5, 6};
std::array<int, 0> nothing;
std::deque<int> deck;
std::deque<int> no_deck;
std::list<int> chain{7, 8, 9};
std::list<int> no_chain;
std::forward_list<int> forward{10, 11};
std::forward_list<int> no_forward;

std::map<int, std::string> names{{1, "one"}, {2, "two"}, {3, "three"}};
std::map<std::string, int> codes{{"a", 1}, {"b", 2}};
std::map<char, char> tight{{'k', 'v'}};
std::map<int, int> no_map;
std::map<int, long double> aligned{{1, 2.5L}};
std::multimap<int, int> several{{1, 10}, {1, 11}, {2, 20}};
std::set<int> sorted{5, 3, 4};
std::multiset<char> letters{'b', 'a', 'b'};
std::unordered_map<std::string, int> hashed{{"key", 42}};
std::unordered_map<int, int> no_hashed;
std::unordered_set<int> hashed_set{12};
std::unordered_set<double> zeros{-0.0};
std::set<float> halves{0.5f, 2};
// One of its elements is as many as there are.
std::list<long> counting{3, 5, 7};
std::vector<char> characters{'a', 'b'};

std::pair<int, std::string> pair{1, "first"};
std::tuple<int, std::string, double> triple{1, "two", 3.5};
std::tuple<> no_tuple;
std::optional<int> some = 5;
std::optional<int> none;
std::optional<std::string> some_text = "text";
std::optional<std::vector<int>> some_numbers = std::vector<int>{1, 2};
std::variant<int, std::string> variant = "alternative";
std::variant<int, std::string> other_variant = 3;
std::any any = 17;
std::any any_text = std::string("inside");
std::any no_any;

std::unique_ptr<int> owner = std::make_unique<int>(21);
std::unique_ptr<shop::Item> item(new shop::Item{4, "tea"});
std::unique_ptr<int> no_owner;
std::shared_ptr<int> shared = std::make_shared<int>(22);
std::shared_ptr<int> shared_too = shared;
std::weak_ptr<int> weak = shared;
std::weak_ptr<int> expired;
std::shared_ptr<int> no_shared;

std::function<int(int)> function = twice;
std::function<int(int)> object = shop::Large{{5, 0, 0, 0}};
std::function<int(int)> closure;
std::function<int(int)> no_function;
// Small, and yet not inside: it takes more than to copy their bytes.
std::function<int(int)> counted = shop::Counted{6};
std::function<int(int)> keeper = [kept = std::make_shared<int>(24)](int n) { return *kept + n; };
std::function<int(int)> watcher = [seen = std::weak_ptr<int>()](int n) { return seen.expired() ? n : 0; };
std::function<int(int)> pair_of_ints = [a = 25, b = 26L](int n) { return a + static_cast<int>(b) + n; };
std::function<int(int)> stateless = [](int n) { return n; };
std::function<int(int)> bound = std::bind(sum, std::placeholders::_1, 27);
std::function<int(int)> picked = first<int>;
std::function<int(int)> *copied = new std::function<int(int)>(keeper);
std::any counted_any = shop::Counted{28};

std::span<int> span(numbers);
std::span<int, 2> fixed_span(numbers.data() + 1, 2);
std::bitset<8> bitset(0x15);
std::bitset<100> wide_bitset(3);
std::atomic<int> atomic = 33;
std::atomic<bool> flag = true;
std::atomic<shop::Colour> colour = shop::Colour::Green;
std::chrono::milliseconds delay(1500);
std::chrono::duration<double> exact(2.5);
std::filesystem::path path = "/usr/share/doc";
std::filesystem::path file = "file";

std::vector<int>::iterator at_number = numbers.begin() + 1;
std::vector<int>::iterator at_nothing;
std::vector<bool>::iterator at_bit = bits.begin() + 2;
std::list<int>::iterator at_link = chain.begin();
std::list<int>::iterator at_chain_end = chain.end();
std::list<int>::const_iterator at_no_chain = no_chain.begin();
std::list<long>::iterator at_three = counting.begin();
std::list<long>::iterator at_five = ++counting.begin();
std::list<long>::iterator at_counting_end = counting.end();
std::map<int, std::string>::iterator at_name = names.begin();
std::map<int, std::string>::iterator at_end = names.end();
std::set<int>::iterator at_sorted = sorted.begin();
std::deque<int>::iterator at_card;
std::forward_list<int>::iterator at_forward = forward.begin();
std::unordered_map<std::string, int>::iterator at_hash = hashed.begin();

std::u8string eighth = u8"eight";
std::unique_ptr<int[]> owned(new int[2]{7, 8});
shop::Bundle bundle{5, 6};
std::runtime_error plain_error("plain");
shop::Failure failure(5);
shop::Quiet quiet;
const std::exception &caught = failure;
std::coroutine_handle<shop::Task::promise_type> waiting;
std::coroutine_handle<shop::Task::promise_type> ended;
std::coroutine_handle<> no_coroutine;

std::exception_ptr no_exception;
std::stack<int> stack;
std::queue<int> queue;
std::priority_queue<int> heap;
std::initializer_list<int> listed{1, 2};

// An object that is not there yet: garbage in place of its pointers.
alignas(std::vector<int>) static unsigned long garbage[8] = {0x1234, 0x5678, 0x1111, 1, 2, 3, 4, 5};
std::vector<int> &unborn = reinterpret_cast<std::vector<int> &>(garbage);
std::string &no_string = reinterpret_cast<std::string &>(garbage);
std::map<int, int> &no_tree = reinterpret_cast<std::map<int, int> &>(garbage);

static volatile int sink;

__attribute__((noinline)) static void filled(int n) // @filled
{
    sink = n;
}

int main(int argc, char **)
{
    numbers.reserve(4);
    span = numbers;
    fixed_span = std::span<int, 2>(numbers.data() + 1, 2);
    at_number = numbers.begin() + 1;
    for (int i = 0; i < 150; i++)
        deck.push_back(i);
    for (int i = 0; i < 3; i++)
        deck.pop_front();
    at_card = deck.begin() + 1;
    for (int i = 0; i < 1000; i++)
        thousand[i] = i;
    int captured = 30;
    auto lambda = [captured](int n) { return captured + n + numbers[0]; };
    closure = lambda;
    expired = std::make_shared<int>(23);
    stack.push(1);
    queue.push(2);
    heap.push(3);
    waiting = later(1).handle;
    ended = later(21).handle;
    ended.resume();
    filled(function(1) + object(1) + closure(2));
    if (argc > 1) {
        char end;
        if (write(1, "\n", 1) == 1)
            while (read(0, &end, 1) > 0)
                ;
    }
    return 0;
}
