//! `std::error_code` and `std::error_condition`: a number, and whose it is.

use super::Object;
use crate::chain::word;
use crate::errno::errno_name;
use crate::names;
use crate::object::{bool_value, first_member, number};
use base::qualified::last;
use ctype::{Meaning, Memory};

/// Categories of the libraries, by the words that their classes' names begin with.
const KNOWN: [&str; 5] = ["generic", "system", "future", "io", "iostream"];

pub(super) fn error_code(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let value = first_member(object.value, &["_M_value", "__val_"])?;
    let category = number(&first_member(object.value, &["_M_cat", "__cat_"])?, memory)?;
    let category = category_name(category, memory)?;
    let code = number(&value, memory)? as u32 as i32;
    let title = names::title(object.name);
    // What a default-constructed one is shows as nothing, as in GDB.
    let default = if object.bare == "error_code" { "system" } else { "generic" };
    let text = match errno_name(code).filter(|_| matches!(category.as_str(), "generic" | "system")) {
        _ if code == 0 && category == default => format!("{title} = {{ }}"),
        Some(name) => format!("{title} = {{\"{category}\": {name}}}"),
        None if KNOWN.contains(&category.as_str()) => format!("{title} = {{\"{category}\": {code}}}"),
        None => format!("{title} = {{{category}: {code}}}"),
    };
    let meaning = Meaning::empty(false).says(text).fact("value", value);
    Some(meaning.fact("operator bool", bool_value(code != 0)))
}

/// Returns the name of a category, `generic`; of one that is the program's own, the name of its class.
fn category_name(category: u64, memory: &mut dyn Memory) -> Option<String> {
    let table = word(category, memory).ok()?;
    let table = memory.symbol(table)?;
    let class = table.strip_prefix("<vtable for ")?.strip_suffix('>')?.rsplit_once('+')?.0;
    let own = last(class).trim_start_matches('_');
    let name = own.strip_suffix("_category").map_or(own, |name| name.strip_suffix("_error").unwrap_or(name));
    Some(if KNOWN.contains(&name) { name } else { class }.to_owned())
}
