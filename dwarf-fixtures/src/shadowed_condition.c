/* A watched object that is written in a block with a local, behind it, and where a global has the local's name. */
int watched;
int i = 1234;

__attribute__((noinline)) static void later(void) {
    watched = 7; /* @later */
}

__attribute__((noinline)) static void scoped(void) {
    for (int i = 1; i < 4; i++)
        watched += i; /* @loop */
    watched = 100;    /* @behind */
}

int main(void) {
    scoped();
    later();
    return watched == 7 ? 0 : 1;
}
