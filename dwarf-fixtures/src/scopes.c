// Variables of nested and shadowing blocks, function statics, block statics, and declarations of globals in blocks.
int counter = 1;
static int counted = 2;
extern int later;

int visit(int depth, const char *name) {
    static int visits;
    int result = depth;
    extern int later;
    {
        int result = depth * 2;
        static long inner_static;
        {
            char letter = name[0];
            result += letter; /* innermost */
            inner_static++;
        }
        visits += result;
    }
    for (int i = 0; i < depth; i++) {
        result += i;
    }
    return result + later + counter + counted;
}

int later = 3;

static int helper(void) {
    static int visits = 9;
    return visits++;
}

int main(void) {
    extern int counted;
    return visit(3, "x") + helper() + counted;
}
