/* Loaded by dlopen.c. */
int plugin_calls;

int plugin_entry(int n) {
    plugin_calls++;       /* @plugin */
    return n * 3;         /* @plugin-return */
}
