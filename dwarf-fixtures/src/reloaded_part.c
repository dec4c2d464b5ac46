/* Loaded by reloaded.c. */
long part(int n, long turns) {
    long sum = n; /* @part */
    for (long turn = 0; turn < turns; turn++)
        sum += turn & n;
    return sum;
}
