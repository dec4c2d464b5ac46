// Exceptions of several types, caught at once, further out, and thrown again from a pointer.
#include <exception>
#include <stdexcept>

namespace weather {
struct Storm {
    int force;
};
class Warning : public std::out_of_range {
    using std::out_of_range::out_of_range;
};
} // namespace weather

static int attempt(int what) {
    try {
        switch (what) {
        case 0:
            throw 42; // @throw-int
        case 1:
            throw std::runtime_error("rain"); // @throw-error
        case 2:
            throw weather::Storm{9}; // @throw-storm
        case 4:
            throw weather::Warning("wind"); // @throw-warning
        default:
            return 0;
        }
    } catch (int n) {
        return n; // @caught-int
    } catch (const std::exception &) {
        return 1; // @caught-error
    }
}

static int again() {
    std::exception_ptr kept;
    try {
        attempt(2);
    } catch (...) {
        kept = std::current_exception(); // @kept
    }
    try {
        std::rethrow_exception(kept); // @again
    } catch (const weather::Storm &storm) {
        return storm.force; // @caught-again
    }
}

int main() {
    int sum = attempt(3); // @first
    sum += attempt(0);
    sum += attempt(1);
    sum += attempt(4);
    sum += again();
    return sum == 53 ? 0 : 1; // @return
}
