//! Expressions, damaged, parsed in each dialect and evaluated in a program.

use super::oracle::Oracle;
use super::*;
use crate::fuzz::{self, Target};
use ctype::Dialect;
use std::sync::Mutex;

#[test]
fn fuzz_expressions() {
    let (c, cxx) = (include_str!("oracle/values.txt"), include_str!("oracle/classes.txt"));
    let oracles = || {
        [(c, Dialect::C), (cxx, Dialect::Cxx), (cxx, Dialect::Rust)].map(|(text, dialect)| {
            let mut oracle = Oracle::load(text);
            oracle.target.dialect = dialect;
            oracle
        })
    };
    let seeds = oracles()
        .iter()
        .flat_map(|oracle| oracle.prints.iter().map(|(text, _)| text.clone().into_bytes()).collect::<Vec<_>>())
        .collect();
    let target = Target {
        name: "expressions",
        seeds,
        dictionary: &[
            b"(",
            b")",
            b"[",
            b"]",
            b"*",
            b"&",
            b"->",
            b".",
            b"::",
            b"<",
            b">",
            b"<<",
            b">>",
            b"+",
            b"-",
            b"!",
            b"~",
            b"?",
            b":",
            b",",
            b"@",
            b"$",
            b"$_",
            b"{",
            b"}",
            b"'",
            b"\"",
            b"\\",
            b"sizeof",
            b"(char)",
            b"(int *)",
            b"(unsigned char)",
            b"as u8",
            b"struct ",
            b"1e999",
            b"0x",
            b"0b",
            b"/x ",
            b"((((((((((((((((((((((((((((((((",
            b"- - - - - - - - - - - - - - - - ",
            b"&&",
            b"||",
            b"==",
            b"/",
            b"%",
            b"0",
            b"1",
            b"\xce\xb1",
        ],
    };
    // One for each thread would be as good; a lock costs less than what is done under it.
    let oracles: [Mutex<Oracle>; 3] = oracles().map(Mutex::new);
    target.run(|input, random| {
        let text = fuzz::text(input);
        let mut oracle = oracles[random.below(3)].lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let _ = print(&mut oracle, &text);
        let _ = whatis(&mut oracle, &text);
    });
}
