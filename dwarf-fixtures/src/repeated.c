// Calls without a conditional branch between them: the same instructions several times in one tick.
#include <stdlib.h>

int sum, slots[8], used;

__attribute__((noinline)) static void add(int n) {
    sum += n;             // @added
    slots[used++] = sum;  // @kept
}

int main(void) {
    add(1);
    add(20);
    add(300);
    add(4000);
    abort();
}
