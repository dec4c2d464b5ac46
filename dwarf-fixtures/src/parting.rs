//! Goes well or badly, by its second argument: what is called, with what, and what comes back is written down.

use std::fs::File;
use std::io::Write;

#[inline(never)]
fn halved(log: &mut File, n: i32) -> Option<i32> {
    writeln!(log, "C 1 halved n={n}").unwrap();
    let found = (n % 2 == 0).then_some(n / 2);
    writeln!(log, "R 1 halved {found:?}").unwrap();
    found
}

#[inline(never)]
fn kept(log: &mut File, value: u64, name: &str) -> u64 {
    writeln!(log, "C 1 kept value={value}").unwrap();
    let found = value + name.len() as u64;
    writeln!(log, "R 1 kept {found}").unwrap();
    found
}

#[inline(never)]
fn dropped(log: &mut File, n: i32) {
    writeln!(log, "C 1 dropped n={n}\nR 1 dropped").unwrap();
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut log = File::create(arguments.next().unwrap()).unwrap();
    let goes_badly = arguments.next().is_some_and(|word| word == "badly");
    writeln!(log, "C 1 main").unwrap();
    for n in 0..10 {
        let n = if goes_badly && n == 6 { 61 } else { 2 * n };
        match halved(&mut log, n) {
            Some(half) => drop(kept(&mut log, half as u64, "half")),
            None => dropped(&mut log, n),
        }
    }
    writeln!(log, "R 1 main").unwrap();
}
