/* next over a call that never returns the ordinary way. */
#include <setjmp.h>

static jmp_buf point;
static int tries;

static void leap(int value) {
    tries++;               /* @leap */
    longjmp(point, value); /* @longjmp */
}

int main(void) {
    int got = setjmp(point); /* @setjmp */
    if (got < 2)             /* @test */
        leap(got + 1);       /* @call */
    return tries == 2 ? 0 : 1; /* @return */
}
