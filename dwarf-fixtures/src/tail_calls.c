// Functions that end by jumping to others: to one that comes back, to one that does not, to an unknown one, to one of
// another module.
#define OPAQUE __attribute__((noipa))

extern int abs(int) __attribute__((nothrow));

OPAQUE int leaf(int n) { return n + 1; }

OPAQUE int straight(int n) { return leaf(n + 1); }

OPAQUE int pong(int n);

OPAQUE int ping(int n) { return n > 100 ? n : pong(n + 1); }

OPAQUE int pong(int n) { return n > 100 ? -n : ping(n + 1); }

OPAQUE int anywhere(int (*to)(int), int n) { return to(n); }

OPAQUE int outside(int n) { return abs(n - 1); }

int main(int argc, char **argv) {
    return straight(argc) + ping(argc) + anywhere(leaf, argc) + outside(argc) + (argv == 0);
}
