/* Calls itself without a condition until the stack is full: all of that is one tick. */
static void *chain;
static int depth;

__attribute__((noinline)) static long dive(int level)
{
    void *frame[512];
    frame[0] = chain;
    chain = frame;
    depth = level; /* mark: deeper */
    return dive(level + 1) + (long)frame[0];
}

int main(void)
{
    return dive(0) != 0;
}
