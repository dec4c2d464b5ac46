/* Functions of the C library that rr has versions of its own of. */
#include <sched.h>
#include <unistd.h>

int turns;

static int again(int n) {
    turns++;
    sched_yield(); /* @yield */
    return n + (geteuid() == 0 ? 0 : 1); /* @user */
}

int main(void) {
    int total = 0;
    for (int i = 0; i < 3; i++)
        total += again(i); /* @call */
    return total > 100;
}
