// Variable-length arrays: of one and of two dimensions, behind a typedef, behind a pointer, and an empty one.
int sum(int n, int m) {
    int line[n];
    short grid[n][m];
    typedef char buffer[m + 1];
    buffer text;
    int(*pointer)[n] = &line;
    int fixed[4];
    for (int i = 0; i < n; i++)
        line[i] = i;
    grid[0][0] = 0;
    text[0] = 0;
    fixed[0] = 0;
    __asm__ volatile("" : : "r"(&grid), "r"(&text), "r"(pointer), "r"(&fixed) : "memory");
    return line[n - 1] + grid[0][0] + text[0] + (*pointer)[0];
}

int main(void) { return sum(5, 3); }
