/* The library of `same_names.c`: a unit with statics that the unit entered does not see. */
struct thing {
    long library_has[2];
};
enum colour { RED = 200 };

static int own = 201;
static int state = 202;
static int buffer = 203;
static int twice = 204;
static int hidden = 205;
static int initial = 206;
static int only_library = 207;
int library_global = 208;
static struct thing thing = {{209, 210}};
static enum colour colour = RED;

int library_parts(void)
{
    return own + state + buffer + twice + hidden + initial + only_library + library_global + (int)thing.library_has[0]
           + (int)colour;
}
