/* Variables and functions that nothing uses: the linker removes them, and what describes them stays. */
struct pair {
    int left, right;
};

static int removed_static = 5;
int removed_global = 6;
static struct pair removed_pair = {7, 8};
static __thread int removed_thread = 9;
static int kept_static = 10;
static __thread int kept_thread = 11;

static inline __attribute__((always_inline)) int inlined(int n)
{
    int doubled = n * 2; /* @inlined */
    {
        int inner = doubled + n;
        doubled += inner;
    }
    return doubled;
}

int removed_function(int n)
{
    static int removed_calls = 12;
    removed_calls += inlined(n) + removed_pair.left;
    return removed_static + removed_global + removed_thread + removed_calls;
}

static int used(int n)
{
    kept_thread += n;
    return inlined(kept_static) + kept_thread;
}

int main(int argc, char **argv)
{
    int result = used(argc) + (argv == 0);
    return result == 0; /* @main */
}
