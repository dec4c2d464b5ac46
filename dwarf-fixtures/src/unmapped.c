/* Memory that is mapped, written twice, and unmapped before the end. */
#include <stdlib.h>
#include <sys/mman.h>

static long *where;
static int is_large;

static void fill(long value) {
    *where = value; /* @write */
    is_large = value > 5; /* @compare */
}

int main(void) {
    where = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fill(5); /* @first */
    fill(6); /* @second */
    munmap(where, 4096);
    abort(); /* @end */
}
