/* abort() below two frames of our own. */
#include <stdlib.h>

static void give_up(int code) {
    if (code == 7)
        abort(); /* @abort */
}

int main(void) {
    int code = 7;
    give_up(code); /* @call */
    return 0;
}
