//! Single differences that no rule covers, by name, with who is right and why.

/// What is known about a variable, or a question, in a function.
pub fn reason(source: &str, function: &str, what: &str) -> Option<&'static str> {
    let known = KNOWN.iter().find(|known| known.0 == source && known.1 == function && known.2.contains(&what));
    known.map(|known| known.3)
}

/// Source, function, variables and questions, and the reason.
const KNOWN: &[(&str, &str, &[&str], &str)] = &[
    ("names.cpp", "main", &["basket"], EMPTY_RANGE),
    ("objects.cpp", "V1", &["pd", "*this", "this[0]", "*v1", "diamond"], FAR_BASE),
    ("objects.cpp", "V2", &["pd", "*this", "this[0]", "*v1", "diamond"], FAR_BASE),
    ("optimised.c", "bits", &["text", "text + 1"], INCOMPLETE),
    ("vla.c", "sum", &["sizeof(line)", "sizeof(grid)", "sizeof(text)"], UNBORN),
    ("types.c", "use", &["sizeof(vla)"], UNBORN),
    ("vla.c", "sum", &["line", "grid", "text"], NOWHERE),
    ("types.c", "use", &["vla"], NOWHERE),
    ("vla.c", "sum", &["sum"], INLINED),
    ("optimised.rs", "main", &["point"], LOST_PIECES),
    ("optimised.rs", "black_box", &["dummy"], LOST_VARIANT),
    ("optimised.rs", "moved", &["*self", "self[0]"], UNBORN_STRING),
];

/// All of the function is one instruction, and the ranges of the variable's locations are empty: told apart by view
/// numbers only. At an entry GDB takes the first of them for the one that applies, and says 0 in the line where it is
/// 3.
const EMPTY_RANGE: &str = "an empty range of locations at a function's entry";

/// While a base class of a larger object is constructed, its own virtual base lies beyond what GDB has read of the
/// object, by its declared size: of the last members it shows what happens to be in its memory. `pd` is 8, `&Base::b`,
/// as we say.
const FAR_BASE: &str = "members of a virtual base that lies far away";

/// The 200 characters end in the middle of one. The `}` in front of it, which is in memory, GDB leaves out.
const INCOMPLETE: &str = "a string that is cut in the middle of a character";

/// GDB computes it in 32 bits, or says 0 where nothing tells.
const UNBORN: &str = "the size of an array before its declaration";

/// No location says where its elements are. GDB takes it for a pointer, 0.
const NOWHERE: &str = "an array of variable length that is nowhere";

/// GDB takes the place where the function is inlined for its address; it has one of its own, too.
const INLINED: &str = "the address of an inlined function";

/// Its two registers are ones that any callee may overwrite, so in an outer frame nothing of it is known. GDB shows
/// what is in them now: sometimes still the right thing, mostly not.
const LOST_PIECES: &str = "an object in registers that the callee may have changed";

/// Of the tuple only the number is somewhere. GDB takes the bytes of the rest for zeros, and calls that `None`.
const LOST_VARIANT: &str = "an enum that is nowhere";

/// At the entry, the pointer is not in its place yet. GDB shows a string of megabytes of anything, we what it consists
/// of.
const UNBORN_STRING: &str = "a string before the pointer to it is there";
