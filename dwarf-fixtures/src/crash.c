/* A null pointer that is stored early and followed late. */
struct node {
    int value;
    struct node *next;
};

static struct node last = {3, 0};
static struct node middle = {2, &last};
static struct node first = {1, &middle};

static void cut(struct node *n) {
    n->next = (struct node *)0x10; /* @cut */
}

static int sum(const struct node *n) {
    int total = 0;
    while (n) {
        total += n->value; /* @crash */
        n = n->next;
    }
    return total;
}

int main(void) {
    cut(&middle);       /* @call-cut */
    return sum(&first); /* @call-sum */
}
