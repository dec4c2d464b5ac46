// A line that is compiled into every unit that includes this file.
static int bump(int value) {
    return value + 1; /* mark: bump */
}
