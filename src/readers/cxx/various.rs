//! `std::bitset`, `atomic`, `chrono::duration`, and the adaptors `stack`, `queue` and `priority_queue`.

use super::Object;
use crate::contiguous::Bits;
use crate::object::{bool_value, first_member, size_value, value_argument, with_record};
use ctype::layout::{size_of, strip};
use ctype::{Meaning, Memory, Style, Type, Value, Word};

/// No bitset has more bytes that anybody looks at.
const MAX_BYTES: u64 = 1 << 16;

/// Reads a container with less to it than the one that it is made of.
pub(super) fn adaptor(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let inner = crate::meaning(&object.value.member("c")?, memory)?;
    let wrapping = Word::Text(format!("{} wrapping: ", object.title()).into());
    let title = std::iter::once(wrapping).chain(inner.title).collect();
    Some(Meaning { title, ..inner })
}

pub(super) fn bitset(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let count = u64::try_from(value_argument(object.record, 0)?).ok()?;
    // A bitset of no bits has no words.
    let words = first_member(object.value, &["_M_w", "__first_"]).unwrap_or_else(|| object.value.clone());
    let bytes = size_of(&words.ty).filter(|bytes| *bytes <= MAX_BYTES)?;
    let facts = set_bits(&words, count, memory).map(|set| bit_facts(&set, count)).unwrap_or_default();
    let bits = Bits { place: words, index: 0, end: count, only_set: true };
    let meaning = Meaning { length: Some(count), facts, ..Meaning::empty(false) }.says(object.title());
    (count <= bytes * 8).then(|| meaning.holds(Style::Fields, bits))
}

/// Reads the bytes of a bitset, without what lies behind its last bit.
fn set_bits(words: &Value, count: u64, memory: &mut dyn Memory) -> Option<Vec<u8>> {
    let mut bytes = words.read(memory, 0, usize::try_from(count.div_ceil(8)).ok()?).ok()?;
    if let (Some(last), rest @ 1..) = (bytes.last_mut(), count % 8) {
        *last &= (1 << rest) - 1;
    }
    Some(bytes)
}

/// Returns what a bitset of so many bits says of itself.
fn bit_facts(bytes: &[u8], count: u64) -> Vec<(&'static str, Value)> {
    let set = bytes.iter().map(|byte| u64::from(byte.count_ones())).sum::<u64>();
    let mut facts = vec![
        ("count", size_value(set)),
        ("any", bool_value(set > 0)),
        ("none", bool_value(set == 0)),
        ("all", bool_value(set == count)),
    ];
    let (low, high) = bytes.split_at(bytes.len().min(8));
    // What does not fit makes these throw.
    if high.iter().all(|byte| *byte == 0) {
        let number = low.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
        facts.extend([("to_ulong", size_value(number)), ("to_ullong", size_value(number))]);
    }
    facts
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
