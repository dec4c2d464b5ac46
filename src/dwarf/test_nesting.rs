//! For tests: debug info in which a great many things are within each other. Each answer takes a time that is in
//! proportion to their number, and is of those that any compiler would make.

use crate::model::die::DEEPEST;
use crate::testing::{Program, build};
use crate::{NameSort, Variable};
use std::time::{Duration, Instant};

const MANY: usize = 100_000;

/// What each answer may take on a busy machine, unoptimized; with a time that grows as the square it is minutes.
const LIMIT: Duration = Duration::from_secs(5);

/// Builds the program with so many of what a symbol names within each other.
fn nested(what: &str, many: usize) -> Program {
    build("gcc", &format!("-Wa,--defsym,{what}={many}"), &["nested.s"])
}

fn within_limit<T>(ask: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let answer = ask();
    assert!(begun.elapsed() < LIMIT, "{:?}", begun.elapsed());
    answer
}

fn names(variables: Vec<Variable>) -> Vec<(String, u32)> {
    variables.into_iter().map(|variable| (variable.name, variable.depth)).collect()
}

fn named(name: &str, depth: u32) -> (String, u32) {
    (name.to_owned(), depth)
}

#[test]
fn blocks_within_each_other() {
    for many in [200, 4_000] {
        let program = nested("BLOCKS", many);
        let pc = program.entry("main");
        assert_eq!(names(program.image.variables_at(pc, 0)), [named("outer", 0), named("inner", many as u32)]);
    }
    let program = nested("BLOCKS", MANY);
    let pc = program.entry("main");
    assert_eq!(names(within_limit(|| program.image.variables_at(pc, 0))), [named("outer", 0)]);
    assert_eq!(within_limit(|| program.image.inline_chain(pc)).len(), 1);
}

#[test]
fn inlined_copies_within_each_other() {
    for (many, expected) in [(200, 201), (MANY, DEEPEST)] {
        let program = nested("INLINED", many);
        let pc = program.entry("main");
        let chain = within_limit(|| program.image.inline_chain(pc));
        let chain: Vec<&str> = chain.iter().map(|frame| &*frame.name).collect();
        assert_eq!(chain.len(), expected);
        assert_eq!((chain[0], chain[expected - 2], chain[expected - 1]), ("copied", "copied", "main"));
        let outermost = within_limit(|| program.image.variables_at(pc, expected - 1));
        assert_eq!(names(outermost), [named("outer", 0)]);
    }
}

#[test]
fn structures_within_each_other() {
    for (many, expected) in [(200, 200), (MANY, DEEPEST)] {
        let program = nested("STRUCTS", many);
        let types = within_limit(|| program.image.names_of(NameSort::Type));
        let longest = types.iter().map(|(_, name)| name.len()).max().unwrap();
        let shortest = types.iter().map(|(_, name)| name.len()).min().unwrap();
        // As many scopes as are followed when a name is made.
        assert_eq!((types.len(), shortest, longest), (66, 1, "n".len() + 64 * "n::".len()), "{many}");
        let scopes = "n::".repeat(expected);
        let deep = within_limit(|| program.image.functions_named("main"));
        assert_eq!(deep.len(), 1);
        let at = program.image.symbols_named("deep")[0].address;
        let chain = within_limit(|| program.image.inline_chain(at));
        assert_eq!(chain[0].name, format!("{scopes}deep"), "{many}");
    }
}
