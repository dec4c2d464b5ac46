// See same_name_a.c.
#include "same_name.h"

static int helper(int value) {
    return bump(value) * 3; /* mark: helper b */
}

int from_b(int value) { return helper(value); }
