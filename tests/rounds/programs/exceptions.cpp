// C++ exceptions: the unwinder reads tables, rewrites the stack, and jumps into the middle of functions.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static unsigned destroyed;

struct Local {
    unsigned id;
    ~Local() { destroyed = destroyed * 31 + id; }
};

static void fail(unsigned depth) {
    Local local{depth};
    if (depth == 0) {
        throw std::runtime_error("deep");
    }
    fail(depth - 1);
}

static void rethrow(unsigned depth) {
    Local local{100 + depth};
    try {
        fail(depth);
    } catch (const std::logic_error &) {
        std::puts("wrong");
    } catch (...) {
        throw;
    }
}

int main(int argc, char **argv) {
    unsigned caught = 0, rounds = argc > 1 ? std::stoul(argv[1]) : 0;
    for (unsigned i = 0; i < rounds; i++) {
        try {
            rethrow(i % 7);
        } catch (const std::exception &e) {
            caught += e.what() == std::string("deep");
        }
        try {
            std::vector<int>(3).at(i + 3);
        } catch (const std::out_of_range &) {
            caught++;
        }
    }
    std::printf("%u caught, %u\n", caught, destroyed);
    return caught == 2 * rounds ? 0 : 99;
}
