// Objects that references stand for, written through them.
struct Sum {
    int total = 0;
};

static void bump(Sum &sum, int &slot, int by) {
    slot += by;      // @slot
    sum.total += by; // @sum
}

int main() {
    Sum sum;
    int cells[3] = {1, 2, 3};
    int &view = cells[1];
    bump(sum, cells[0], 5);
    bump(sum, view, 7);
    bump(sum, cells[2], 9);
    return view == 9 ? 0 : 1; // @end
}
