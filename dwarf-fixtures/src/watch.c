/* A global and a local that change, one write that stores the same value, and one that is only read. */
int counter = 1;
int other;

static void bump(int by) {
    counter += by; /* @bump */
}

static int local_changes(void) {
    int local = 70;      /* @local-init */
    local = local + 5;   /* @local-first */
    local = local * 2;   /* @local-second */
    return local;        /* @local-return */
}

int main(void) {
    bump(4);                  /* @one */
    counter = counter;        /* @same */
    other = counter;          /* @read */
    bump(10);                 /* @two */
    int got = local_changes(); /* @local */
    counter = got;            /* @three */
    return counter == 150 ? 0 : 1; /* @return */
}
