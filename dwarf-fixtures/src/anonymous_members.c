// Members without a name, whose members belong to the struct around them (C11 6.7.2.1), and types without a tag.
struct event {
    int kind;
    union {
        struct {
            short x, y;
        };
        double value;
        struct {
            char key;
        } named;
    };
    struct {
        unsigned char r, g, b;
    } colour;
};

typedef struct {
    int first;
} untagged;

struct event event;
untagged thing;

int main(void) { return event.x + thing.first; }
