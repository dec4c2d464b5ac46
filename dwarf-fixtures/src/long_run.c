/* Calls a function so often that a run with a condition that never holds takes minutes, if nobody ends it. */
static unsigned long turned;

static void turn(int n) {
    turned += (unsigned long)n; /* @turn */
}

int main(void) {
    for (int i = 0; i < 500000; i++)
        turn(i); /* @call */
    return turned == 124999750000 ? 0 : 1; /* @return */
}
