// Ends with an exception that nothing catches, by its argument.
#include <cstdlib>
#include <exception>
#include <stdexcept>

struct Storm {
    int force;
};

static int looked_up(int key) {
    throw std::out_of_range("no such key"); // @throw
    return key;
}

static int strict(int key) noexcept {
    Storm storm{key + 8};
    throw storm; // @noexcept
}

static int again(int key) {
    std::exception_ptr kept;
    try {
        return looked_up(key);
    } catch (...) {
        kept = std::current_exception();
    }
    std::rethrow_exception(kept); // @again
}

int main(int, char **argv) {
    int key = std::atoi(argv[1]); // @key
    switch (key) {
    case 0:
        return looked_up(key); // @looked-up
    case 1:
        return strict(key);
    case 2:
        return again(key);
    default:
        std::abort(); // @abort
    }
}
