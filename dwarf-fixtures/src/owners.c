/* Memory that is one thing's and then another's: a local's, when its function has returned, and what malloc hands out. */
#include <stdlib.h>

long sum;

__attribute__((noinline)) static void first(int n) {
    volatile int local = n; /* @local */
    local = n + 1;          /* @again */
    if (n > 0)
        sum += local;
}

__attribute__((noinline)) static void second(int n) {
    volatile int other = n * 100; /* @other */
    sum += other;
}

int main(void) {
    first(1);
    second(2);
    int *one = malloc(24);
    *one = 5; /* @one */
    sum += *one;
    free(one); /* @free */
    return sum == 207 ? 0 : 1;
}
