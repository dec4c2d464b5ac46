/* What loading.c loads, built with two values of LIMIT: the same code but for one operand. */
unsigned answer(unsigned scale) {
    unsigned sum = 0;
    for (unsigned i = 1; i <= LIMIT * (scale / 10); i++) sum += i;
    return sum;
}
