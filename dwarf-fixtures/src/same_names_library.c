/* The library of `same_names.c`: the unit whose function is entered. */
extern int library_parts(void);

static int own = 100;
static int write(int n)
{
    return n + own;
}

int library_enter(int n)
{
    int entered = write(n); /* @entered */
    return entered + library_parts();
}
