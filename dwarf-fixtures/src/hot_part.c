/* What hot_reload.c loads: VERSION says which of two. */
#if VERSION == 1
typedef int number;
#else
typedef double number;
#endif
number seen;

void part(void) {
    number value = (number)(VERSION * 1.25);
    number *pointer = &value;
    seen = *pointer; /* @seen */
}
