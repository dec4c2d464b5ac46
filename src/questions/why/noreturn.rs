//! Functions that do not return: no code comes after a call of them, whatever lies behind it.

use super::target::{Target, target};
use crate::program::{ARCH, Module};
use arch::{Listed, Onward, RunAddr, listing};
use dwarf::Function;

/// Most code of a function that is looked at for a way to return, in bytes.
const MOST_CODE: u64 = 4096;
/// Functions of the C and C++ libraries.
const NAMED: [&str; 25] = [
    "_Exit",
    "_Unwind_Resume",
    "__assert",
    "__assert_fail",
    "__assert_perror_fail",
    "__chk_fail",
    "__cxa_bad_cast",
    "__cxa_bad_typeid",
    "__cxa_call_unexpected",
    "__cxa_rethrow",
    "__cxa_throw",
    "__cxa_throw_bad_array_new_length",
    "__fortify_fail",
    "__longjmp_chk",
    "__stack_chk_fail",
    "_exit",
    "abort",
    "exit",
    "longjmp",
    "_longjmp",
    "pthread_exit",
    "quick_exit",
    "siglongjmp",
    "_ZSt9terminatev",
    "std::terminate()",
];
/// How the names of Rust's panics begin.
const BEGINNINGS: [&str; 7] = [
    "core::panicking::",
    "std::panicking::begin_panic",
    "std::process::exit",
    "std::process::abort",
    "core::option::unwrap_failed",
    "core::option::expect_failed",
    "core::result::unwrap_failed",
];

/// Returns whether a call does not return. What is not clear may return.
pub(super) fn never_returns(module: &Module, call: &Listed) -> bool {
    let image = &module.image;
    let at = match target(module, call) {
        Some(Target::Own(at)) => at,
        Some(Target::Named(name)) => return is_named_so(&name),
        None => return false,
    };
    let symbol = image.symbol_at(at).filter(|symbol| symbol.address == at);
    if symbol.is_some_and(|symbol| is_named_so(&symbol.display)) {
        return true;
    }
    image
        .function_at(at)
        .filter(|function| function.entry == at)
        .is_some_and(|function| has_no_return(module, &function))
}

fn is_named_so(name: &str) -> bool {
    // What C++'s library throws by.
    let throws = name.contains("__throw_") && (name.starts_with("_ZSt") || name.starts_with("std::"));
    throws || NAMED.contains(&name) || BEGINNINGS.iter().any(|start| name.starts_with(start))
}

/// Returns whether the code of a function has nothing that leads out of it but calls.
fn has_no_return(module: &Module, function: &Function) -> bool {
    let size: u64 = function.ranges.iter().map(|(start, end)| end.0.saturating_sub(start.0)).sum();
    if size == 0 || size > MOST_CODE {
        return false;
    }
    let holds = |at: u64| function.ranges.iter().any(|(start, end)| (start.0..end.0).contains(&at));
    let stays = |onward: Onward| match onward {
        Onward::Return | Onward::Jump(None) => false,
        Onward::Jump(Some(to)) | Onward::Branch(Some(to)) => holds(to),
        _ => true,
    };
    function.ranges.iter().all(|range| {
        let code = module.code(*range);
        code.is_some_and(|code| listing(ARCH, code, RunAddr(range.0.0)).iter().all(|listed| stays(listed.onward)))
    })
}

#[cfg(test)]
mod tests {
    use super::is_named_so;

    #[test]
    fn names_of_what_does_not_return() {
        for name in ["exit", "core::panicking::panic_fmt", "_ZSt20__throw_length_errorPKc", "_Unwind_Resume"] {
            assert!(is_named_so(name), "{name}");
        }
        for name in ["exit_code", "_ZSt4cout", "core::panic", "main", ""] {
            assert!(!is_named_so(name), "{name}");
        }
    }
}
