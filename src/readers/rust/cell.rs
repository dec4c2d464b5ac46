//! Values in a shell: `Cell`, `RefCell`, `Mutex`, `RwLock`, atomics, `NonZero`, `Duration`.

use super::in_library;
use crate::ctype::{Meaning, Memory, Style, Value};
use crate::readers::contiguous::Few;
use crate::readers::object::{bool_value, first_member, member, number, number_at};

/// The value in an `UnsafeCell`, in whatever it is.
fn inside(value: &Value, path: &str) -> Option<Value> {
    member(value, path)?.member("value")
}

pub(super) fn cell(value: &Value, name: &str, memory: &mut dyn Memory) -> Option<Meaning> {
    match in_library(name)? {
        "Cell" => Some(fields("Cell", vec![("value", inside(value, "value")?)])),
        "UnsafeCell" => Some(fields("UnsafeCell", vec![("value", value.member("value")?)])),
        "RefCell" => {
            let (held, state) = (inside(value, "value")?, inside(&value.member("borrow")?, "value")?);
            // Positive: so many borrow it; negative: somebody changes it.
            Some(fields("RefCell", vec![("value", held), ("borrow", state)]))
        }
        "Mutex" => {
            let state = first_member(value, &["inner.futex.v.value", "inner.inner.futex.v.value"]);
            let locked = state.and_then(|state| number(&state, memory)).map(|state| bool_value(state != 0));
            locks("Mutex", value, locked, memory)
        }
        "RwLock" => locks("RwLock", value, None, memory),
        _ => None,
    }
}

/// What a lock protects, whether it is held and whether a holder has panicked.
fn locks(title: &'static str, value: &Value, locked: Option<Value>, memory: &mut dyn Memory) -> Option<Meaning> {
    let mut list = vec![("data", inside(value, "data")?)];
    let poisoned = number_at(value, "poison.failed.v.value", memory).filter(|flag| *flag <= 1);
    list.extend(poisoned.map(|flag| ("poisoned", bool_value(flag != 0))));
    list.extend(locked.map(|locked| ("locked", locked)));
    Some(fields(title, list))
}

/// Fields, of which the first one is what it is all about.
fn fields(title: &'static str, list: Vec<(&'static str, Value)>) -> Meaning {
    let target = list.first().map(|(_, value)| value.clone());
    let mut meaning = Meaning { target, ..Meaning::empty(true) }.says(title);
    meaning.facts = list.clone();
    meaning.holds(Style::Fields, Few::named(list))
}

/// An atomic shows as its value.
pub(super) fn atomic(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let held = first_member(value, &["v.value.__0", "v.value", "p.value"])?;
    number(&held, memory)?;
    Some(Meaning::empty(true).shows(held.clone()).fact("load", held))
}

/// A truth value, kept in a byte.
pub(super) fn atomic_bool(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let held = number_at(value, "v.value", memory).filter(|byte| *byte <= 1)?;
    let held = bool_value(held != 0);
    Some(Meaning::empty(true).shows(held.clone()).fact("load", held))
}

/// A wrapper that adds nothing to a value.
pub(super) fn transparent(value: &Value) -> Option<Meaning> {
    let held = first_member(value, &["__0.__0", "__0"])?;
    Some(Meaning { target: None, ..Meaning::empty(true) }.shows(held.clone()).fact("get", held))
}

/// Seconds with as many digits as it takes.
pub(super) fn duration(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let seconds = number_at(value, "secs", memory)?;
    let nanos = first_member(value, &["nanos.__0", "nanos"])?;
    let nanos = number(&nanos, memory).filter(|nanos| *nanos < 1_000_000_000)?;
    let text = match (seconds, nanos) {
        (0, n) if n > 0 && n < 1000 => format!("{n}ns"),
        (0, n) if n > 0 && n < 1_000_000 => decimal(n / 1000, n % 1000, 3) + "us",
        (0, n) if n > 0 => decimal(n / 1_000_000, n % 1_000_000, 6) + "ms",
        (s, n) => decimal(s, n, 9) + "s",
    };
    Some(Meaning::empty(true).says(text))
}

fn decimal(whole: u64, part: u64, digits: usize) -> String {
    let text = format!("{whole}.{part:0digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
