// Values that come a long way through a Rust program.
use std::hint::black_box;

struct Point {
    x: i32,
    y: i32,
}

static mut FINAL: i32 = 0;

#[inline(never)]
fn gives(point: &Point) -> i32 {
    point.y // @gives
}

#[inline(never)]
fn stores(value: i32) {
    unsafe { FINAL = value } // @stores
}

fn main() {
    let start = black_box(5) + 0;
    let amount = 654; // @constant
    let point = Point { x: start, y: amount }; // @point
    let mut list = vec![0i32; 4];
    list[2] = gives(&point); // @element
    let taken = list[2]; // @taken
    stores(taken); // @passes
    println!("{} {}", unsafe { FINAL }, point.x);
    std::process::abort();
}
