/* Included twice by macros.c, the second time with LATE. */
#ifndef LATE
#define ONCE 40
#define SEVERAL 1
static inline int in_header(int n) {
#define IN_FUNCTION 3
    return n + IN_FUNCTION; /* mark: in header */ /* @in-header */
}
#undef IN_FUNCTION
#else
#define SEEN_LATE (ONCE + 2)
#undef SEVERAL
#define SEVERAL 2
#endif
#define WITH_TWO(name) name##_two
