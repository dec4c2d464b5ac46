// Defines what incomplete_user.c declares.
struct hidden {
    int secret;
    struct hidden *next;
};

union either {
    int number;
    char letter;
};

static struct hidden one;
static union either two;
int defined_elsewhere = 4;

struct hidden *make(void) { return &one; }
union either *choose(void) { return &two; }
