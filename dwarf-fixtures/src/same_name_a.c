// Two units have a static function `helper`, and each has its own `bump`.
#include "same_name.h"

static int helper(int value) {
    return bump(value) * 2; /* mark: helper a */
}

int from_b(int value);

int main(int argc, char **argv) { return helper(argc) + from_b(argc) + (argv == 0); }
