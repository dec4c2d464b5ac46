/* A sorted list on the heap: pointer chasing, malloc, free and realloc, memory the kernel grows. */
#include "check.h"

struct node {
    struct node *next;
    unsigned value;
};

int main(int argc, char **argv) {
    struct node *head = 0;
    unsigned count = amount(argc, argv), state = 12345, sum = 0;
    for (unsigned i = 0; i < count; i++) {
        state = state * 1103515245u + 12345;
        struct node *fresh = malloc(sizeof *fresh), **at = &head;
        CHECK(fresh);
        fresh->value = state >> 16;
        while (*at && (*at)->value < fresh->value) at = &(*at)->next;
        fresh->next = *at;
        *at = fresh;
    }
    unsigned left = 0;
    for (struct node **at = &head; *at;) {
        if ((*at)->value % 3 == 0) {
            struct node *gone = *at;
            *at = gone->next;
            free(gone);
        } else {
            sum = mix(sum, (*at)->value);
            left++;
            at = &(*at)->next;
        }
    }
    char *text = 0;
    for (size_t size = 16; size <= (size_t)count * 1024; size *= 4) {
        CHECK(text = realloc(text, size));
        text[size - 1] = (char)size;
        text[0] = 1;
    }
    free(text);
    printf("%u left, %u\n", left, sum);
    return 0;
}
