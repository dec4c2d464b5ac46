//! Values in a shell: `Cell`, `RefCell`, `Mutex`, `RwLock` and what guards them, atomics, `NonZero`, `Duration`.

use super::{in_library, unsigned};
use crate::contiguous::Few;
use crate::object::{bool_value, first_member, is_readable, member, number, number_at, pointee, with_record};
use ctype::layout::size_of;
use ctype::{Meaning, Memory, Style, Value};

/// Returns the value in an `UnsafeCell`, in whatever it is.
pub(super) fn inside(value: &Value, path: &str) -> Option<Value> {
    member(value, path)?.member("value")
}

pub(super) fn cell(value: &Value, name: &str, memory: &mut dyn Memory) -> Option<Meaning> {
    match in_library(name)? {
        "Cell" => Some(fields("Cell", &["get", "take", "into_inner"], vec![("value", inside(value, "value")?)])),
        "UnsafeCell" => Some(fields("UnsafeCell", &["get"], vec![("value", value.member("value")?)])),
        "ManuallyDrop" => {
            // Since 1.93 in a `MaybeDangling`.
            let held = first_member(value, &["value.__0", "value"]).filter(|_| is_dangling(value));
            Some(fields("ManuallyDrop", &["deref"], vec![("value", held.or_else(|| value.member("value"))?)]))
        }
        "RefCell" => {
            let (held, state) = (inside(value, "value")?, inside(&value.member("borrow")?, "value")?);
            // Positive: so many borrow it; negative: somebody changes it.
            let methods = &["borrow", "borrow_mut", "try_borrow", "try_borrow_mut", "into_inner", "get_mut"];
            Some(fields("RefCell", methods, vec![("value", held), ("borrow", state)]))
        }
        "Mutex" => {
            let state = first_member(value, &["inner.futex.v.value", "inner.inner.futex.v.value"]);
            let locked = state.and_then(|state| number(&state, memory)).map(|state| bool_value(state != 0));
            locks("Mutex", &["lock", "try_lock", "into_inner", "get_mut"], value, locked, memory)
        }
        "RwLock" => {
            locks("RwLock", &["read", "write", "try_read", "try_write", "into_inner", "get_mut"], value, None, memory)
        }
        _ => None,
    }
}

/// Reads what a lock protects, whether it is held and whether a holder has panicked.
fn locks(
    title: &'static str,
    methods: &[&'static str],
    value: &Value,
    locked: Option<Value>,
    memory: &mut dyn Memory,
) -> Option<Meaning> {
    let mut list = vec![("data", inside(value, "data")?)];
    let poisoned = number_at(value, "poison.failed.v.value", memory).filter(|flag| *flag <= 1);
    list.extend(poisoned.map(|flag| ("poisoned", bool_value(flag != 0))));
    list.extend(locked.map(|locked| ("locked", locked)));
    let mut meaning = fields(title, methods, list);
    if let Some(flag) = poisoned {
        meaning = meaning.fact("is_poisoned", bool_value(flag != 0));
    }
    Some(meaning)
}

/// Makes a meaning of fields, of which the first one is what it is all about, and what these methods lead to.
fn fields(title: &'static str, methods: &[&'static str], list: Vec<(&'static str, Value)>) -> Meaning {
    let target = list.first().map(|(_, value)| value.clone());
    let facts = target.iter().flat_map(|held| methods.iter().map(|method| (*method, held.clone()))).collect();
    let meaning = Meaning { target, facts, ..Meaning::empty(true) }.says(title);
    meaning.holds(Style::Fields, Few::named(list))
}

/// Returns whether the member `value` is a `MaybeDangling`.
pub(super) fn is_dangling(value: &Value) -> bool {
    let held = value.member("value");
    let name = held.and_then(|held| with_record(&held.ty, |record| record.name.clone()));
    name.is_some_and(|name| name.starts_with("core::mem::maybe_dangling::MaybeDangling<"))
}

/// Makes the meaning `Ref(…)` of something that leads to one other value.
pub(super) fn around(title: &'static str, held: Value) -> Meaning {
    let meaning = Meaning { target: Some(held.clone()), ..Meaning::empty(true) }.says(title);
    meaning.holds(Style::Tuple, Few::named([("0", held)]))
}

/// Reads what keeps something borrowed or locked, and leads to it.
pub(super) fn guard(value: &Value, name: &str, memory: &mut dyn Memory) -> Option<Meaning> {
    let (title, paths): (_, &[&str]) = match in_library(name)? {
        "Ref" => ("Ref", &["value.pointer"]),
        "RefMut" => ("RefMut", &["value.pointer"]),
        "MutexGuard" => ("MutexGuard", &["lock"]),
        "RwLockReadGuard" => ("RwLockReadGuard", &["data.pointer", "lock"]),
        "RwLockWriteGuard" => ("RwLockWriteGuard", &["lock", "data.pointer"]),
        _ => return None,
    };
    let found = pointee(&first_member(value, paths)?, memory)?;
    let held = if title.starts_with("Ref") { found } else { inside(&found, "data").unwrap_or(found) };
    is_readable(held.address()?, size_of(&held.ty)?, memory).then(|| around(title, held))
}

/// Reads a pointer that may not be moved from: what is behind it is behind this one, too.
pub(super) fn pin(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let pointer = first_member(value, &["pointer", "__pointer"])?;
    let target = match crate::meaning(&pointer, memory) {
        Some(meaning) => meaning.target,
        None => pointee(&pointer, memory),
    };
    Some(Meaning { target, ..around("Pin", pointer) })
}

/// Reads an atomic, which shows as its value.
pub(super) fn atomic(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let held = first_member(value, &["v.value.__0", "v.value", "p.value"])?;
    number(&held, memory)?;
    Some(Meaning::empty(true).shows(held.clone()).fact("load", held))
}

/// Reads a truth value, kept in a byte.
pub(super) fn atomic_bool(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let held = number_at(value, "v.value", memory).filter(|byte| *byte <= 1)?;
    let held = bool_value(held != 0);
    Some(Meaning::empty(true).shows(held.clone()).fact("load", held))
}

/// Reads a wrapper that adds nothing to a value.
pub(super) fn transparent(value: &Value) -> Option<Meaning> {
    let held = first_member(value, &["__0.__0", "__0"])?;
    Some(Meaning { target: None, ..Meaning::empty(true) }.shows(held.clone()).fact("get", held))
}

/// Reads seconds with as many digits as it takes.
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
    let mut meaning = Meaning::empty(true).says(text).fact("as_secs", unsigned("u64", 8, u128::from(seconds)));
    for (name, scale) in [("as_millis", 1000), ("as_micros", 1_000_000), ("as_nanos", 1_000_000_000_u64)] {
        let whole = u128::from(seconds) * u128::from(scale) + u128::from(nanos / (1_000_000_000 / scale));
        meaning = meaning.fact(name, unsigned("u128", 16, whole));
    }
    Some(meaning.fact("subsec_nanos", unsigned("u32", 4, u128::from(nanos))))
}

fn decimal(whole: u64, part: u64, digits: usize) -> String {
    let text = format!("{whole}.{part:0digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
