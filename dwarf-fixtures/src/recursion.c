/* Recursion: next and finish must not stop in an inner activation; a backtrace has many frames of one function. */
static int depth_reached;

static int down(int n) {
    if (n == 0) {            /* @test */
        depth_reached = 1;   /* @bottom */
        return 0;
    }
    int below = down(n - 1); /* @recurse */
    return below + n;        /* @sum */
}

int main(void) {
    int small = down(4);    /* @small */
    int large = down(200);  /* @large */
    return small + large == 20110 ? 0 : 1; /* @return */
}
