/* Calls a function often enough that a run with a condition that never holds takes seconds. */
int turned;

static void turn(int n) {
    turned += n; /* @turn */
}

int main(void) {
    for (int i = 0; i < 3000; i++)
        turn(i); /* @call */
    return turned == 4498500 ? 0 : 1; /* @return */
}
