//! Each call writes down its arguments and its result; one panics.

use std::fs::File;
use std::io::Write;

#[inline(never)]
fn depth(log: &mut File, n: u32, text: &str) -> i64 {
    writeln!(log, "C depth {n} {text}").unwrap();
    assert!(n != 9, "too deep");
    let found = if n == 0 { text.len() as i64 } else { depth(log, n - 1, &text[1..]) * 2 + i64::from(n) };
    writeln!(log, "R depth {found}").unwrap();
    found
}

#[inline(never)]
fn halved(log: &mut File, n: i32) -> Option<i32> {
    let found = (n % 2 == 0).then_some(n / 2);
    writeln!(log, "C halved {n}").unwrap();
    writeln!(log, "R halved {found:?}").unwrap();
    found
}

fn main() {
    let mut log = File::create(std::env::args().nth(1).unwrap()).unwrap();
    std::panic::set_hook(Box::new(|_| ()));
    for n in 0..4 {
        depth(&mut log, n, "a text of some length");
    }
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| depth(&mut log, 11, "a text to the end")));
    assert!(caught.is_err());
    for n in -3..4 {
        halved(&mut log, n);
    }
}
