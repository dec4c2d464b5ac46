// Functions of Rust that a debugger calls: of numbers, references, slices, texts; what takes or gives more is refused.
use std::hint::black_box;

pub struct Point {
    pub x: i32,
    pub y: i32,
}
pub struct Large {
    pub all: [i64; 5],
}
#[derive(Clone, Copy, PartialEq)]
pub enum Colour {
    Red,
    Green = 7,
}
pub trait Shape {
    fn area(&self) -> i32;
}

static mut COUNTER: i32 = 10;

impl Point {
    pub fn sum(&self) -> i32 {
        self.x + self.y
    }
    pub fn scaled(&self, by: i32) -> i32 {
        self.sum() * by
    }
    pub fn consumed(self) -> i32 {
        self.x
    }
}
impl Shape for Point {
    fn area(&self) -> i32 {
        self.x * self.y
    }
}

#[inline(never)]
pub fn total(a: i32) -> i32 {
    (1..=a).sum()
}
#[inline(never)]
pub fn mixed(a: u8, b: f64, c: i64, d: f32, e: bool) -> f64 {
    f64::from(a) + b + c as f64 + f64::from(d) + if e { 1000.0 } else { 0.0 }
}
#[inline(never)]
pub fn is_bad(n: i32) -> bool {
    n % 3 == 2
}
#[inline(never)]
pub fn norm(p: &Point) -> i32 {
    p.x * p.x + p.y * p.y
}
#[inline(never)]
pub fn count() -> i32 {
    unsafe {
        COUNTER += 1;
        COUNTER
    }
}
#[inline(never)]
pub fn added(list: &[i32]) -> i32 {
    list.iter().sum()
}
#[inline(never)]
pub fn length(text: &str) -> usize {
    text.len()
}
#[inline(never)]
pub fn first(text: &str) -> &str {
    &text[..1]
}
#[inline(never)]
pub fn twice(n: &i32) -> i32 {
    2 * n
}
#[inline(never)]
pub fn next(colour: Colour) -> Colour {
    if colour == Colour::Red { Colour::Green } else { Colour::Red }
}
#[inline(never)]
pub fn by_value(p: Point) -> i32 {
    p.x - p.y
}
#[inline(never)]
pub fn point_of(x: i32, y: i32) -> Point {
    Point { x, y }
}
#[inline(never)]
pub fn large_of(first: i64) -> Large {
    Large { all: [first, first + 1, first + 2, first + 3, first + 4] }
}
#[inline(never)]
pub fn dump(p: &Point) {
    println!("point: {}, {}", p.x, p.y);
}
#[inline(never)]
pub fn area_of(shape: &dyn Shape) -> i32 {
    shape.area()
}
#[inline(never)]
#[track_caller]
pub fn here(n: i32) -> u32 {
    std::panic::Location::caller().line() + n as u32
}
#[inline(never)]
pub fn panicking(n: i32) -> i32 {
    [1, 2, 3][n as usize]
}
#[inline(never)]
pub fn spin(n: i32) -> i32 {
    let mut i = n;
    while black_box(i) == n {
        i = black_box(n);
    }
    i
}

#[inline(never)]
fn stop_here(n: i32, p: &Point, list: &Vec<i32>, name: &str, shape: &dyn Shape) -> i32 {
    let three = [1, 2, 3];
    n + p.x + list[0] + name.len() as i32 + shape.area() + three[0] // @stop
}

fn main() {
    let p = Point { x: 3, y: 4 };
    let list = vec![10, 20, 30];
    let mut sum = 0;
    for n in 0..6 {
        sum += stop_here(n, &p, &list, "name", &p);
    }
    sum += total(3) + mixed(1, 2.0, 3, 4.0, true) as i32 + i32::from(is_bad(2)) + norm(&p) + added(&list) + twice(&3);
    sum += length("x") as i32 + first("yz").len() as i32 + by_value(Point { x: 1, y: 2 }) + point_of(1, 2).sum() + count();
    sum += large_of(1).all[0] as i32 + area_of(&p) + p.scaled(2) + (next(Colour::Red) == Colour::Green) as i32;
    sum += here(1) as i32;
    dump(&p);
    if sum == -1 {
        spin(1);
        panicking(7);
        p.consumed();
    }
    println!("{sum}");
}
