/* Calls a function of Pascal, which has been compiled already. */
int pascal_add_two(int first, int second);

int main(void) {
    return pascal_add_two(3, 4) + pascal_add_two(5, 6) - 18;
}
