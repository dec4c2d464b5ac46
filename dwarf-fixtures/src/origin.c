/* Values that come a long way: each is what the program says, by the lines that its marks name. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct order {
    int number;
    int amount;
    long code;
};

struct order stored;
struct order kept;
int from_file;
int from_argument;
int global_amount;
long wide;
int counted;
int given = 77; /* @given */
int taken;
int shared;
int chosen;
int spread[16];
int *heap;
char text[4096];
char copied_text[4096];
double ratio;
double kept_ratio;

__attribute__((noinline)) int passes_on(int value)
{
    int own = value; /* @own */
    return own; /* @returns */
}

__attribute__((noinline)) void stores(int amount)
{
    global_amount = amount; /* @stores */
}

__attribute__((noinline)) void middle(int number)
{
    stores(number); /* @middle */
}

__attribute__((noinline)) int computes(int left, int right)
{
    int sum = left + right; /* @computes */
    return sum; /* @returns_sum */
}

static void *work(void *argument)
{
    int *source = argument;
    shared = *source; /* @thread */
    return NULL;
}

static void reads_file(void)
{
    char name[] = "/tmp/origin-XXXXXX";
    int file = mkstemp(name);
    int values[4] = { 11, 22, 33, 44 };
    if (write(file, values, sizeof values) != sizeof values) {
        abort();
    }
    close(file);
    int again = open(name, O_RDONLY);
    int buffer[4];
    if (read(again, buffer, sizeof buffer) != sizeof buffer) { /* @reads */
        abort();
    }
    close(again);
    unlink(name);
    from_file = buffer[2]; /* @from_file */
}

int main(int count, char **arguments)
{
    (void)count;
    /* A constant, through a local, a member, an assignment of structures and memcpy. */
    int amount = 1234; /* @constant */
    struct order order = { 1, 0, 9 }; /* @order */
    order.amount = amount; /* @member */
    stored = order; /* @assigned */
    memcpy(&kept, &stored, sizeof kept + (size_t)(count - 1)); /* @memcpy */
    /* A constant, through two calls. */
    int passed = 55; /* @passed */
    middle(passed); /* @calls_middle */
    /* Returned by a function, into the heap. */
    heap = malloc(8 * sizeof *heap); /* @allocates */
    heap[3] = passes_on(kept.number); /* @returned */
    int element = heap[3]; /* @element */
    chosen = element; /* @chosen */
    /* Extended by its sign. */
    int negative = -5; /* @negative */
    wide = negative; /* @extended */
    /* Counted up. */
    int base = 40; /* @base */
    base++; /* @incremented */
    base += 1; /* @added */
    counted = base; /* @counted */
    /* Of two. */
    int both = computes(passed, element); /* @calls_computes */
    taken = given; /* @taken */
    given = 0; /* @cleared */
    /* Of another thread. */
    pthread_t thread;
    int lent = 99; /* @lent */
    pthread_create(&thread, NULL, work, &lent);
    pthread_join(thread, NULL);
    /* A register that compilers know a called function to leave as it is. */
    for (int i = 0; i < 16; i++) {
        spread[i] = passes_on(i + kept.number); /* @spread */
    }
    reads_file();
    strcpy(text, arguments[0]); /* @text */
    strcpy(copied_text, text); /* @copied_text */
    ratio = 2.5; /* @ratio */
    kept_ratio = ratio; /* @kept_ratio */
    from_argument = atoi("42"); /* @parsed */
    printf("%d %d %d %ld %d %d %d %d %d %d %s %g\n", kept.amount, global_amount, chosen, wide, counted, both, taken, shared,
           from_file, from_argument, copied_text, kept_ratio);
    fflush(stdout);
    abort(); /* @end */
}
