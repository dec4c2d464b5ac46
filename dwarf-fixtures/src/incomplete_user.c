// Types that are declared here and defined in incomplete_definer.c.
struct hidden;
union either;
struct nowhere;

struct hidden *make(void);
union either *choose(void);
extern int defined_elsewhere;

struct hidden *kept;
union either *chosen;
struct nowhere *lost;

int main(void) {
    kept = make();
    chosen = choose();
    return defined_elsewhere + (lost != 0);
}
