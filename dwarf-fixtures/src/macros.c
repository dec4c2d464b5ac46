/* Macros: defined on the command line, in headers, anew, within a function; used in expressions. */
#include "macros.h"
#define LATE 1
#include "macros.h"

#define FIRST 1
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SQUARE(x) ((x) * (x))
#define STR(x) #x
#define XSTR(x) STR(x)
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define LIST(first, ...) (first, ##__VA_ARGS__)
#define LAST(args...) (0, args)
#define OPTIONAL(f, ...) (f __VA_OPT__(+) __VA_ARGS__)
#define SELF self + 1
#define self SELF
#define TWICE (2 * counter)
#define NEGATIVE -1
#define EMPTY
#define NONE() 5
#define NEXT(n) ((n)->next)
#define FIELD next->value
#define POINT struct point
#define AS(type, value) ((type)(value))
#define BIT(n) (1u << (n))
#define IS_SET(set, n) (!!((set) & BIT(n)))
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define WRONG(x) ((x) + nosuch)
#define shadow 99
#define GONE 7
#undef GONE
#undef shadow

struct point {
    int x, y;
};

struct node {
    int value;
    struct node *next;
};

volatile int counter = 21;
unsigned flags = 0x12;
int numbers[5] = {3, 1, 4, 1, 5};
int value_two = 2;
struct point where = {3, 4};
struct node tail = {7, 0};
struct node head = {6, &tail};

int status = 4;
int *status_place(void) { return &status; }
#define status (*status_place())
#define STATUS_TWICE (status * 2)

int helper(int n) {
#define INSIDE 10
    return n + INSIDE; /* mark: helper */ /* @helper */
#undef INSIDE
}

int main(void) {
    int shadow = 5;
    counter += helper(in_header(1)); /* mark: before */ /* @before */
#define shadow 1000
#define FIRST_AGAIN FIRST
#undef FIRST
#define FIRST 2
    counter++; /* mark: within */ /* @within */
#undef shadow
    counter++; /* mark: after */ /* @after */
    return shadow == 5 && counter > 0 ? 0 : 1;
}
