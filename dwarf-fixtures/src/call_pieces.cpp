// A loop of inlined calls, whose code the optimiser leaves in several pieces each.
#include <deque>
#include <memory>

struct Item {
    long id;
    explicit Item(long number) : id(number) {}
    virtual ~Item();
};

int gone;

Item::~Item() { gone++; }

struct Shelf {
    std::deque<std::unique_ptr<Item>> items;

    __attribute__((noinline)) void drop(std::size_t keep) {
        while (items.size() > keep)
            items.pop_front();
    }
};

int main() {
    Shelf shelf;
    for (long i = 0; i < 8; i++)
        shelf.items.push_back(std::make_unique<Item>(i));
    shelf.drop(5);
    return gone == 3 ? 0 : 1;
}
