/* Calls, loops and nested calls on one line: what step, next and finish do, both ways. */
static int total;

static int twice(int n) { /* @twice */
    int doubled = n * 2; /* @twice-body */
    return doubled;      /* @twice-return */
}

static int add(int a, int b) {
    int sum = a + b; /* @add-body */
    return sum;      /* @add-return */
}

static double half(double x) {
    return x / 2.0; /* @half-return */
}

int main(void) {
    int i = 0;                      /* @first */
    int x = twice(21);              /* @call */
    int y = add(twice(1), twice(2)); /* @nested */
    for (i = 0; i < 3; i++) {       /* @for */
        total += i * x;             /* @body */
    }
    double h = half(5.0);           /* @half */
    total += (int)h + y;            /* @after */
    return total == 134 ? 0 : 1;    /* @return */
}
