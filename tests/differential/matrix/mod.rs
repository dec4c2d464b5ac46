//! Every way of building a program, and GDB and we on each: {gcc, clang, rustc} × {O0, O2, O3} × {DWARF 4, 5} × {plain,
//! split, dwp, dwz, zlib, zstd, separate}.
//!
//! Of each program both debuggers stop at every line that is executed, and in optimised code at instructions in
//! between, and are compared in the functions and lines of the whole stack, in all variables of all frames, in their
//! types, and in expressions about them. What was compared, and how much of it is the same, is printed for each cell;
//! each difference is either excused by name (`Tally`), or fails the test.
//!
//! A few cells are compared by default. The whole takes a quarter of an hour or more:
//!
//! ```sh
//! RETROGRADE_MATRIX=all cargo test --test differential matrix -- --nocapture
//! RETROGRADE_MATRIX=clang,O2 cargo test --test differential matrix -- --nocapture      # cells with all these words
//! ```
//!
//! The same comparison on a program of the machine: see `real`.

mod cell;
mod known;
mod notation;
mod programs;
mod questions;
mod real;
mod walk;

use crate::excuses::is_fault;
use crate::stacks::Tally;
use cell::{Cell, Compiler, Container};
use std::time::Instant;

/// Which cells are compared, and in how much detail.
fn chosen(compiler: Compiler) -> Vec<Cell> {
    /// One of each container, each compiler with and without optimisation.
    const SAMPLE: [&str; 8] = [
        "gcc-O0-dwarf4-dwp",
        "gcc-O2-dwarf5-dwz",
        "gcc-O3-dwarf5-split",
        "clang-O0-dwarf4-zlib",
        "clang-O2-dwarf5-dwp",
        "clang-O3-dwarf5-zstd",
        "rustc-O0-dwarf4-separate",
        "rustc-O2-dwarf5-split",
    ];
    let wanted = std::env::var("RETROGRADE_MATRIX").unwrap_or_default();
    let all = Cell::all().filter(|cell| cell.compiler == compiler);
    match wanted.as_str() {
        "" => all.filter(|cell| SAMPLE.contains(&cell.to_string().as_str())).collect(),
        "all" => all.collect(),
        words => {
            let words: Vec<&str> = words.split(',').collect();
            all.filter(|cell| words.iter().all(|word| cell.to_string().split('-').any(|part| part == *word))).collect()
        }
    }
}

/// Compares the chosen cells of a compiler, and prints a line of the table for each.
fn compare(compiler: Compiler) {
    let mut failed = String::new();
    for cell in chosen(compiler) {
        if let Some(why) = cell.does_not_exist() {
            println!("{cell:<28} does not exist: {why}");
            continue;
        }
        let begun = Instant::now();
        let mut tally = Tally::default();
        for program in programs::of(compiler) {
            let before = tally.different.len();
            tally.known = Box::new(|function, what| known::reason(program.source, function, what));
            walk::compare(&cell, program, &mut tally);
            for difference in &mut tally.different[before..] {
                difference.insert_str(0, &format!("{}: ", program.source));
            }
        }
        let sum = |wrong: bool| tally.excused.iter().filter(|e| is_fault(e.0) == wrong).map(|e| e.1).sum::<u32>();
        let (faults, words) = (sum(true), sum(false));
        let different = u32::try_from(tally.different.len()).unwrap();
        let judged = tally.compared - tally.refuted;
        let percent = |n: u32| f64::from(n) * 100.0 / f64::from(judged.max(1));
        println!(
            "{cell:<28} {:>5} compared: {:>6.2} % agree ({words} in other words), {faults} faults of GDB, {different} different; \
             {} values of GDB are refuted by the recording; {:.0} s {:?}",
            tally.compared,
            percent(judged - faults - different),
            tally.refuted,
            begun.elapsed().as_secs_f64(),
            tally.excused,
        );
        for difference in &tally.different {
            println!("    {difference}");
            failed += &format!("{cell}: {difference}\n");
        }
        assert!(tally.compared > 300, "{cell}: {}", tally.compared);
    }
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn gcc() {
    compare(Compiler::Gcc);
}

#[test]
fn clang() {
    compare(Compiler::Clang);
}

#[test]
fn rustc() {
    compare(Compiler::Rustc);
}

#[test]
fn cells() {
    assert_eq!(Cell::all().count(), 3 * 3 * 2 * 7);
    // What the tools cannot make is not what they cannot read.
    assert!(Cell::all().filter(|cell| cell.container == Container::Plain).all(|cell| cell.does_not_exist().is_none()));
}
