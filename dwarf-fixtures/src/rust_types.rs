// Rust types: enums with and without data, tuples, references, slices, niches.
#[derive(Clone, Copy)]
pub enum Shape {
    Empty,
    Circle(u32),
    Rectangle { width: u16, height: u16 },
}

#[derive(Clone, Copy)]
pub enum Plain {
    One = 1,
    Many = 200,
}

pub struct Holder<'a> {
    shape: Shape,
    plain: Plain,
    maybe: Option<&'a u32>,
    pair: (i8, i64),
    text: &'a str,
    letter: char,
    unit: (),
}

static NUMBER: u32 = 7;
pub static mut COUNTER: u64 = 1;

#[inline(never)]
fn measure(holder: &Holder) -> u64 {
    let area = match holder.shape {
        Shape::Empty => 0,
        Shape::Circle(radius) => radius * radius * 3,
        Shape::Rectangle { width, height } => u32::from(width) * u32::from(height),
    };
    let bonus = holder.maybe.map_or(0, |n| *n);
    u64::from(area + bonus) + holder.plain as u64 + holder.text.len() as u64 + holder.pair.1 as u64 + holder.letter as u64
}

fn main() {
    let shapes = [Shape::Empty, Shape::Circle(3), Shape::Rectangle { width: 2, height: 4 }];
    for shape in shapes {
        let holder =
            Holder { shape, plain: Plain::Many, maybe: Some(&NUMBER), pair: (1, 2), text: "t", letter: 'x', unit: () };
        let Holder { unit, .. } = holder;
        let () = unit;
        unsafe { COUNTER += measure(&holder) };
    }
    let _ = Plain::One;
}
