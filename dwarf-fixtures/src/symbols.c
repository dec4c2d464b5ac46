// Symbols of all kinds: strong, weak, alias, indirect, without a size.
int exported_data[4] = {1, 2, 3, 4};

int strong(int value) { return value + 1; }
int also_strong(int value) __attribute__((weak, alias("strong")));
int strong_too(int value) __attribute__((weak, alias("strong")));
static int strongest(int value) __attribute__((alias("strong"), used));
int __strong(int value) __attribute__((alias("strong")));

static int chosen(int value) { return value * 2; }
static int (*choose(void))(int) { return chosen; }
int indirect(int value) __attribute__((ifunc("choose")));

__asm__(".text\n"
        ".globl label_without_size\n"
        "label_without_size:\n"
        "  nop\n"
        "  nop\n"
        "  ret\n"
        ".globl after_label\n"
        ".type after_label, @function\n"
        "after_label:\n"
        "  ret\n"
        ".size after_label, . - after_label\n");

int main(int argc, char **argv) {
    (void)argv;
    return strong(argc) + also_strong(argc) + indirect(argc) + exported_data[argc & 3];
}
