// Fails in the way that its argument names.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct node {
    struct node *next;
    int value;
} node;

static node *make(int value, node *next) {
    node *made = malloc(sizeof *made);
    made->value = value;
    made->next = next;
    return made;
}

static node *find(node *list, int value) {
    for (node *n = list; n; n = n->next)
        if (n->value == value) return n;
    return NULL;
}

static int sum(node *a, node *b) { return a->value + b->value; }

static void check(int code) {
    if (code > 2) exit(code); /* @exit */
}

static int deep(int n) {
    char kept[100];
    kept[0] = (char)n;
    return deep(n + 1) + kept[0];
}

static int length(node *at) {
    char kept[100];
    kept[0] = 1;
    return at ? length(at->next) + kept[0] : 0;
}

int main(int count, char **words) {
    const char *which = count > 1 ? words[1] : "";
    node *list = NULL;
    for (int i = 0; i < 5; i++) list = make(i, list);
    node *one = find(list, 3);
    node *other = find(list, 7);
    if (!strcmp(which, "crash")) printf("%d\n", sum(one, other));
    if (!strcmp(which, "assert")) assert(other != NULL);
    if (!strcmp(which, "exit")) check(3);
    if (!strcmp(which, "return")) return 4; /* @four */
    if (!strcmp(which, "overflow")) return deep(0);
    if (!strcmp(which, "ring")) {
        find(list, 0)->next = list;
        return length(list);
    }
    return 0;
}
