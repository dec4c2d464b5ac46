/* Many instructions without a conditional branch between them: a long copy, and a function that is called again and
   again, so that one tick has the same pc many times. */
static char from[8192], to[8192];
static volatile int sum;

__attribute__((noinline)) static void add(int n) {
    sum += n; /* @add */
}

int main(void) {
    void *target = to, *source = from;
    unsigned long count = 5000;
    __asm__ volatile("rep movsb" : "+D"(target), "+S"(source), "+c"(count) : : "memory"); /* @copy */
    add(1);                     /* @first */
    add(2);
    add(3);
    return sum == 6 ? 0 : 1;    /* @return */
}
