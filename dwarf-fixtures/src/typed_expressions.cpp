// What people type about objects of C++, each expression with its value: the program prints them, an empty line behind,
// and with an argument it waits until its standard input ends.
#include <bitset>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <unordered_map>
#include <vector>

struct Base {
    int first = 1;
    int second = 2;
};
struct Other {
    long padding = 9;
};
struct Derived : Other, Base {
    int third = 3;
    int Derived::*own = &Derived::third;
};
template <class T> struct Box {
    static int count;
    T held;
};
template <> int Box<int>::count = 5;
struct Point {
    int x, y;
};
struct Flags {
    unsigned low : 3;
    unsigned high : 5;
};

Base base;
Derived derived;
Derived *pointer = &derived;
const Derived &reference = derived;
int Base::*member = &Base::second;
int Base::*no_member = nullptr;
int Derived::*far_member = &Derived::third;
int Derived::*inherited = &Base::second;
Point Box<Point>::*whole = &Box<Point>::held;
Box<Point> boxed{{7, 8}};
Box<int> box_of_int{1};

std::optional<int> some = 3;
std::optional<int> same = 3;
std::optional<int> none;
std::optional<std::string> name = "bob";
std::optional<double> half = 0.5;
std::optional<bool> denied = false;
std::unique_ptr<int> owner = std::make_unique<int>(4);
std::unique_ptr<int> nobody;

std::vector<int> numbers{10, 20, 30, 40};
std::vector<int> empty;
std::vector<std::string> words{"one", "two"};
std::deque<int> deck;
std::list<int> chain{7, 8, 9};
std::list<int> no_chain;
std::forward_list<int> forward{5, 6};
std::map<int, std::string> names{{1, "one"}, {2, "two"}, {3, "three"}};
std::map<std::string, int> codes{{"a", 1}, {"b", 2}};
std::map<int, int> no_names;
std::set<int> sorted{3, 4, 5};
std::unordered_map<std::string, int> hashed{{"key", 42}};

std::vector<int>::iterator it = numbers.begin() + 1;
std::vector<int>::iterator it_end = numbers.end();
std::vector<int>::const_iterator cit = numbers.begin() + 2;
std::vector<std::string>::iterator word = words.begin();
std::deque<int>::iterator card;
std::deque<int>::iterator card_end;
std::list<int>::iterator node = chain.begin();
std::list<int>::iterator node_end = chain.end();
std::map<int, std::string>::iterator found = names.find(2);
std::map<int, std::string>::iterator missing = names.find(9);
std::unordered_map<std::string, int>::iterator key = hashed.find("key");
std::unordered_map<std::string, int>::iterator no_key = hashed.find("nosuch");
std::set<int>::iterator at_set = sorted.begin();
std::string text = "the quick brown fox";
std::string nul("a\0b", 3);
std::string::iterator letter = text.begin() + 4;
std::wstring wide = L"wide text";
std::string_view view = "viewed";

std::vector<int>::reverse_iterator rit = numbers.rbegin();
std::vector<int>::reverse_iterator rit2 = numbers.rbegin() + 2;
std::reverse_iterator<int *> raw_rit(numbers.data() + 3);
std::list<int>::reverse_iterator rlink = chain.rbegin();
std::map<int, std::string>::reverse_iterator rname = names.rbegin();
std::map<int, std::string>::reverse_iterator rname2 = std::next(names.rbegin());
std::deque<int>::reverse_iterator rcard;
std::deque<int>::reverse_iterator rblock;

int referred = 77;
std::reference_wrapper<int> rw = std::ref(referred);
std::reference_wrapper<Derived> rd = std::ref(derived);
std::bitset<8> bs(0x15);
std::bitset<100> wide_bs;
std::bitset<3> full(7);
std::bitset<0> nothing;
std::error_code no_error;
std::error_code not_found = std::make_error_code(std::errc::no_such_file_or_directory);
std::error_code system_error_code(13, std::system_category());
Flags flags{5, 17};

static std::string said;

static void say(const char *expression, const std::string &value)
{
    said += std::string(expression) + "\t" + value + "\n";
}
static void show(const char *expression, bool value) { say(expression, value ? "true" : "false"); }
static void show(const char *expression, int value) { say(expression, std::to_string(value)); }
static void show(const char *expression, long value) { say(expression, std::to_string(value)); }
static void show(const char *expression, unsigned value) { say(expression, std::to_string(value)); }
static void show(const char *expression, unsigned long value) { say(expression, std::to_string(value)); }
static void show(const char *expression, unsigned long long value) { say(expression, std::to_string(value)); }
static void show(const char *expression, char value)
{
    say(expression, std::to_string(value) + " '" + std::string(1, value) + "'");
}
static void show(const char *expression, const std::string &value) { say(expression, "\"" + value + "\""); }
static void show(const char *expression, std::string_view value) { show(expression, std::string(value)); }

#define SAY(...) show(#__VA_ARGS__, (__VA_ARGS__))

static void members()
{
    SAY(base.*member);
    SAY(derived.*member);
    SAY(derived.*far_member);
    SAY(derived.*inherited);
    SAY(derived.*derived.own);
    SAY(pointer->*member);
    SAY(pointer->*far_member + 1);
    SAY(reference.*member);
    SAY((&base)->*member * 2);
    SAY((boxed.*whole).y);
    SAY(&(derived.*member) == &derived.second);
    SAY(member == &Base::second);
    SAY(member != &Base::first);
    SAY(&Base::first == nullptr);
    SAY(base.*&Base::second);
    SAY(no_member == nullptr);
    SAY(Box<int>::count);
    SAY(box_of_int.count);
    SAY(flags.low == 5 && flags.high == 17);
}

static void optionals()
{
    SAY(some == 3);
    SAY(3 == some);
    SAY(some != 3);
    SAY(some < 4);
    SAY(some == none);
    SAY(some == same);
    SAY(none == 3);
    SAY(none != 3);
    SAY(none < 3);
    SAY(some > none);
    SAY(none == std::nullopt);
    SAY(some != std::nullopt);
    SAY(std::nullopt == none);
    SAY(name == "bob");
    SAY(name != "bob");
    SAY(half == 0.5);
    SAY(half == some);
    SAY(denied == false);
    SAY((bool)some);
    SAY((bool)none);
    SAY((bool)denied);
    SAY((bool)owner);
    SAY((bool)nobody);
    SAY(static_cast<bool>(name));
}

static void iterators()
{
    SAY(*it);
    SAY(it[0]);
    SAY(it[1]);
    SAY(it[-1]);
    SAY(*(it + 2));
    SAY(*(it - 1));
    SAY(*(1 + it));
    SAY(it - numbers.begin());
    SAY(numbers.end() - it);
    SAY(cit - it);
    SAY(it == numbers.begin());
    SAY(it == numbers.begin() + 1);
    SAY(it != numbers.end());
    SAY(it_end == numbers.end());
    SAY(it < cit);
    SAY(it < it_end);
    SAY(empty.begin() == empty.end());
    SAY(word->size());
    SAY(word[1]);
    SAY(*letter);
    SAY(letter[1]);
    SAY(letter - text.begin());
    SAY(names.find(2) == names.end());
    SAY(names.find(9) == names.end());
    SAY(names.end() != names.find(3));
    SAY(names.find(2) == found);
    SAY(found == missing);
    SAY(missing == names.end());
    SAY(found != names.end());
    SAY(found->second);
    SAY(codes.find("b") != codes.end());
    SAY(codes.find("z") == codes.end());
    SAY(no_names.begin() == no_names.end());
    SAY(no_names.find(1) == no_names.end());
    SAY(sorted.find(4) == sorted.end());
    SAY(sorted.find(6) == sorted.end());
    SAY(at_set == sorted.begin());
    SAY(key == hashed.end());
    SAY(no_key == hashed.end());
    SAY(hashed.find("nosuch") == no_key);
    SAY(key == hashed.find("key"));
    SAY(node == chain.begin());
    SAY(node == chain.end());
    SAY(node_end == chain.end());
    SAY(no_chain.begin() == no_chain.end());
    SAY(forward.begin() == forward.end());
    SAY(card == deck.begin());
    SAY(card_end == deck.end());
    SAY(card != deck.end());
    SAY(*rit);
    SAY(*rit2);
    SAY(*raw_rit);
    SAY(*rlink);
    SAY(rname->second);
    SAY(rname2->first);
    SAY(*rcard);
    SAY(*rblock);
    SAY(rit.base() == numbers.end());
    SAY(rit == rit2);
    SAY(rit != rit2);
}

static void others()
{
    SAY(rw.get());
    SAY(rw.get() + 1);
    SAY(rw == 77);
    SAY(rw + 1);
    SAY(rd.get().third);
    SAY(&rw.get() == &referred);
    SAY(bs.count());
    SAY(bs.any());
    SAY(bs.none());
    SAY(bs.all());
    SAY(full.all());
    SAY(wide_bs.count());
    SAY(wide_bs.none());
    SAY(wide_bs.size());
    SAY(bs.to_ulong());
    SAY(bs.to_ullong());
    SAY(bs[2]);
    SAY(nothing.count());
    SAY(text.substr(4, 5));
    SAY(text.substr(10));
    SAY(text.substr(4, 100));
    SAY(text.substr(19));
    SAY(text.substr(4, 5) == "quick");
    SAY(text.substr(0, 3) != "the");
    SAY(text.substr(4, 5).size());
    SAY(text.substr(4, 5).substr(1, 2));
    SAY(nul.substr(0) == "a");
    SAY(nul.substr(1, 1).size());
    SAY(wide.substr(5) == L"text");
    SAY(view.substr(2));
    SAY(text.find('q'));
    SAY(text.find('Q') == std::string::npos);
    SAY(not_found.value());
    SAY((bool)no_error);
    SAY((bool)not_found);
    SAY(not_found.value() == 2);
}

int main(int argc, char **)
{
    for (int i = 0; i < 200; i++)
        deck.push_back(i);
    card = deck.begin();
    card_end = deck.end();
    rcard = deck.rbegin();
    rblock = std::reverse_iterator(deck.begin() + 128);
    wide_bs.set(3);
    wide_bs.set(70);
    members();
    optionals();
    iterators();
    others();
    said += "\n";
    if (write(1, said.data(), said.size()) != static_cast<ssize_t>(said.size()))
        return 1;
    if (argc > 1) {
        char end;
        while (read(0, &end, 1) > 0)
            ;
    }
    return 0;
}
