//! Values that are there only once they are asked for: `OnceCell`, `OnceLock`, `LazyCell`, `LazyLock`.

use super::cell::{around, inside, is_dangling};
use super::in_library;
use crate::object::{first_member, number, number_at};
use base::qualified::last;
use ctype::layout::strip;
use ctype::{Meaning, Memory, Type, Unavailable, Value};

/// States of a `Once` that mean in all versions that there is no value: it is being made, or making it has failed.
const NOT_YET: [u64; 2] = [1, 2];
/// What a `Once` counts up by if somebody waits for it.
const QUEUED: u64 = 4;

pub(super) fn once(value: &Value, name: &str, memory: &mut dyn Memory) -> Option<Meaning> {
    let (title, held) = match in_library(name)? {
        "OnceCell" => ("OnceCell", variant(&inside(value, "inner")?, "Some", memory)?),
        "LazyCell" => ("LazyCell", variant(&inside(value, "state")?, "Init", memory)?),
        "OnceLock" => ("OnceLock", guarded(value, &inside(value, "value")?.member("value")?, memory)?),
        "LazyLock" => ("LazyLock", guarded(value, &inside(value, "data")?.member("value")?, memory)?),
        _ => return None,
    };
    Some(match held {
        Some(held) => around(title, held.clone()).fact("get", held),
        None => {
            let why = Unavailable::Other(format!("the {title} is not initialized"));
            let target = (!title.starts_with("Once")).then(|| missing(value, why));
            Meaning { target, ..Meaning::empty(true) }.says(format!("{title}(<uninit>)"))
        }
    })
}

/// Reads what a variable of a thread is kept in that has to be made or dropped.
pub(super) fn thread_local(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let state = inside(value, "state")?;
    let held = first_member(value, &["value.value", "val.value"])?;
    let held = first_member(&held, &["value.value.__0", "value.value", "value"])
        .filter(|_| value.member("value").is_some())
        .unwrap_or(held);
    let is_alive = name_of_state(&state, memory)? == "Alive";
    let why = Unavailable::Other("the thread has not used it yet, or not any more".to_owned());
    let target = if is_alive { held } else { missing(&held, why) };
    let meaning = Meaning { target: Some(target.clone()), ..Meaning::empty(true) };
    Some(if is_alive { meaning.shows(target) } else { meaning.says("<uninit>") })
}

/// Returns the name of the state that an enum is, with or without fields.
fn name_of_state(state: &Value, memory: &mut dyn Memory) -> Option<String> {
    match &*strip(&state.ty) {
        Type::Enumeration(states) => {
            let at = i128::from(number(state, memory)?);
            states.enumerators.iter().find(|(_, number)| *number == at).map(|(name, _)| last(name).to_owned())
        }
        _ => state.variant(memory).ok()?.map(|(name, _)| name),
    }
}

/// Makes a value that is not there yet.
fn missing(value: &Value, why: Unavailable) -> Value {
    Value::new(value.ty.clone(), ctype::Place::Unavailable(why))
}

/// Reads what an enum holds if it is this variant; without one there is nothing.
fn variant(value: &Value, with: &str, memory: &mut dyn Memory) -> Option<Option<Value>> {
    let (variant, held) = value.variant(memory).ok()??;
    if variant == with { held.member("__0").map(Some) } else { Some(None) }
}

/// Reads what a `Once` guards, if that is there. Its numbers for what is there and what is not have changed places in
/// 1.90; since 1.93 there is a `MaybeDangling` around the value, by which a later version is known.
fn guarded(value: &Value, held: &Value, memory: &mut dyn Memory) -> Option<Option<Value>> {
    let path = ["once.inner.state_and_queued.v.value", "once.inner.state.v.value"];
    let [recent, old] = path.map(|path| number_at(value, path, memory));
    let complete = match (recent.map(|state| state % QUEUED), old) {
        (Some(state), _) if NOT_YET.contains(&state) => false,
        (Some(state), _) if is_dangling(held) => state == 0,
        (None, Some(state)) => state == QUEUED,
        _ => return None,
    };
    if !complete {
        return Some(None);
    }
    first_member(held, &["value.__0", "value"]).map(Some)
}
