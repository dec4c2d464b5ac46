/* Names that the program and a library, loaded late, both have: whose is meant depends on where the code is. */
#include <dlfcn.h>

struct thing {
    int program_has_one;
};
enum colour { RED = 1 };

static int own = 1;
static int state = 2;
int buffer = 3;
static int twice = 4;
static struct thing thing = {5};
static enum colour colour = RED;
extern int elsewhere(void);

int initial(int n)
{
    return n + own + state + twice + thing.program_has_one + (int)colour;
}

int main(int argc, char **argv)
{
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    if (library == 0)
        return 1;
    int (*enter)(int) = (int (*)(int))dlsym(library, "library_enter");
    int result = initial(elsewhere()); /* @loaded */
    result += enter(result);
    state = result; /* @state */
    twice = result; /* @twice */
    return buffer == 3 ? 0 : result & 1;
}
