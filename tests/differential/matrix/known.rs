//! Single differences that no rule covers, by name, with who is right and why.

pub struct Known {
    pub source: &'static str,
    pub function: &'static str,
    /// The variable or the question.
    pub what: &'static str,
    pub reason: &'static str,
}

/// What is known about a difference.
pub fn reason(source: &str, function: &str, what: &str) -> Option<&'static str> {
    let is_it = |known: &&Known| known.source == source && known.function == function && known.what == what;
    KNOWN.iter().find(is_it).map(|known| known.reason)
}

const KNOWN: &[Known] = &[Known {
    source: "names.cpp",
    function: "main",
    what: "basket",
    // All of main is one instruction, and the ranges of its locations are empty: told apart by view numbers only. At an
    // entry GDB takes the first of them for the one that applies, and says 0 in the line where it is 3.
    reason: "an empty range of locations at a function's entry",
}];
