//! `std::bitset`, `atomic`, `chrono::duration`, and the adaptors `stack`, `queue` and `priority_queue`.

use super::Object;
use crate::ctype::layout::{size_of, strip};
use crate::ctype::{Meaning, Memory, Style, Type, Word};
use crate::readers::contiguous::Bits;
use crate::readers::object::{first_member, value_argument, with_record};

/// No bitset has more bytes that anybody looks at.
const MAX_BYTES: u64 = 1 << 16;

/// Reads a container with less to it than the one that it is made of.
pub(super) fn adaptor(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let inner = crate::readers::meaning(&object.value.member("c")?, memory)?;
    let wrapping = Word::Text(format!("{} wrapping: ", object.title()).into());
    let title = std::iter::once(wrapping).chain(inner.title).collect();
    Some(Meaning { title, ..inner })
}

pub(super) fn bitset(object: &Object<'_>) -> Option<Meaning> {
    let count = u64::try_from(value_argument(object.record, 0)?).ok()?;
    // A bitset of no bits has no words.
    let words = first_member(object.value, &["_M_w", "__first_"]).unwrap_or_else(|| object.value.clone());
    let bytes = size_of(&words.ty).filter(|bytes| *bytes <= MAX_BYTES)?;
    let bits = Bits { place: words, index: 0, end: count, only_set: true };
    let meaning = Meaning { length: Some(count), ..Meaning::empty(false) }.says(object.title());
    (count <= bytes * 8).then(|| meaning.holds(Style::Fields, bits))
}

pub(super) fn atomic(object: &Object<'_>) -> Option<Meaning> {
    let paths = ["_M_base._M_i", "_M_b._M_p", "_M_fp", "_M_i", "__a_.__a_value", "__a_"];
    let value = first_member(object.value, &paths)?;
    let title = format!("{} = {{ ", object.title_with(1));
    Some(Meaning::empty(false).says(title).shows(value.clone()).says(" }").fact("load", value))
}

/// Reads a duration: a number, and the unit that its type says.
pub(super) fn duration(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let count = first_member(object.value, &["__r", "__rep_"])?;
    let is_number = matches!(&*strip(&count.ty), Type::Base { .. });
    let period = object.argument(1, memory)?;
    let (num, den) = with_record(&period, |ratio| Some((value_argument(ratio, 0)?, value_argument(ratio, 1)?)))?;
    let unit = match (num, den) {
        (1, 1_000_000_000) => "ns".to_owned(),
        (1, 1_000_000) => "us".to_owned(),
        (1, 1000) => "ms".to_owned(),
        (1, 1) => "s".to_owned(),
        (60, 1) => "min".to_owned(),
        (3600, 1) => "h".to_owned(),
        (86400, 1) => "d".to_owned(),
        (num, 1) => format!("[{num}]s"),
        (num, den) => format!("[{num}/{den}]s"),
    };
    is_number.then(|| Meaning::empty(false).shows(count.clone()).says(unit).fact("count", count))
}
