// Thread-local variables of a library that is loaded late: a thread has no place for them before it touches one.
__thread int plugin_zero;
__thread int plugin_value = 55;

int plugin_touch(int n) {
    plugin_zero = n;
    return plugin_value += n;
}
