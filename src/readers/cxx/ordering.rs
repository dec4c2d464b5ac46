//! What C++20's `<=>` gives: `std::strong_ordering`, `weak_ordering` and `partial_ordering`.

use super::Object;
use crate::object::{first_member, number};
use ctype::{Meaning, Memory};

pub(super) fn ordering(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let value = first_member(object.value, &["_M_value", "__value_"])?;
    let is_partial = object.bare == "partial_ordering";
    let name = match number(&value, memory)? as u8 as i8 {
        -1 => "less",
        0 if object.bare == "strong_ordering" => "equal",
        0 => "equivalent",
        1 => "greater",
        // GNU's number for it, LLVM's, and that of newer versions of GNU's library.
        2 | -127 | -128 if is_partial => "unordered",
        _ => return None,
    };
    let meaning = Meaning::empty(false).says(format!("{}::{name}", object.title()));
    // What is unordered is neither less nor greater than 0, which no number is.
    Some(if name == "unordered" { meaning } else { meaning.fact("operator int", value) })
}
