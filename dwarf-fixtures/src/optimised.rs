// What the optimiser leaves of Rust's variables: parts of slices and structs, variants, generic functions, closures.
use std::hint::black_box;

#[derive(Clone, Copy)]
pub struct Point {
    x: i32,
    y: i32,
}

pub enum Shape {
    Dot,
    Circle(u32),
    Square { side: u16, filled: bool },
}

pub struct Ledger<'a> {
    name: &'a str,
    total: i64,
    last: Option<u32>,
    corner: Point,
}

trait Area {
    fn area(&self) -> u32;
}

impl Area for Shape {
    #[inline(never)]
    fn area(&self) -> u32 {
        match *self {
            Shape::Dot => 0,
            Shape::Circle(radius) => {
                let squared = radius * radius;
                black_box(squared) * 3
            }
            Shape::Square { side, filled } => {
                let all = u32::from(side) * u32::from(side);
                if black_box(filled) { all } else { all / 2 }
            }
        }
    }
}

impl Ledger<'_> {
    #[inline(never)]
    fn add(&mut self, amount: i64) -> i64 {
        let before = self.total;
        self.total += amount;
        self.last = if amount > 0 { Some(amount as u32) } else { None };
        black_box(before) + self.total
    }

    fn moved(&mut self, by: i32) {
        let x = self.corner.x + by;
        self.corner = Point { x, y: self.corner.y - by };
        black_box(&self.corner);
    }
}

fn scaled(point: Point, by: i32) -> Point {
    let x = point.x * by;
    black_box(x);
    Point { x, y: point.y * by }
}

#[inline(never)]
fn sum(values: &[i32]) -> i32 {
    let mut total = 0;
    let mut index = 0;
    while index < values.len() {
        let value = values[index];
        total += black_box(value);
        index += 1;
    }
    total
}

#[inline(never)]
fn largest<T: PartialOrd + Copy>(first: T, second: T) -> T {
    let larger = if first > second { first } else { second };
    black_box(larger)
}

#[inline(never)]
fn chain(depth: u8, kept: f64) -> f64 {
    let half = kept / 2.0;
    if depth == 0 {
        return black_box(half);
    }
    let below = chain(depth - 1, black_box(half) + 1.0);
    below + kept
}

#[inline(never)]
fn apply(count: usize, f: &dyn Fn(usize) -> usize) -> usize {
    let first = f(count);
    f(black_box(first))
}

fn main() {
    let start = black_box(3_i32);
    let point = scaled(Point { x: start, y: start + 1 }, 2);
    let values = [start, 5, 7, point.y];
    let mut ledger = Ledger { name: "cash", total: 10, last: None, corner: point };
    let mut result = ledger.add(i64::from(sum(&values)));
    ledger.moved(start);
    result += ledger.add(-5);
    result += i64::from(Shape::Dot.area() + Shape::Circle(4).area());
    result += i64::from(Shape::Square { side: 6, filled: start > 2 }.area());
    result += i64::from(largest(start, 9)) + largest(2.5, f64::from(start)) as i64;
    result += chain(2, 8.0) as i64;
    let offset = values.len();
    result += apply(2, &|n| n * 2 + offset) as i64;
    black_box((result, ledger.name, ledger.last));
}
