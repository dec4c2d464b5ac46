//! What editors call exceptions: those of C++, panics of Rust, signals.

use super::arguments::{SetExceptionBreakpoints, Wishes};
use super::breakpoints::{Place, Requested};
use super::message::Refusal;
use super::session::Session;
use crate::replay::{Breakpoint, Catch, Replay};
use serde_json::{Value, json};

const THROW: &str = "throw";
const CATCH: &str = "catch";
const PANIC: &str = "panic";
const SIGNAL: &str = "signal";

/// Lists the filters.
pub(super) fn filters() -> Value {
    let of_types = "a regular expression over types of exceptions";
    json!([
        {"filter": THROW, "label": "C++: thrown", "description": "Stops where an exception is thrown",
         "default": false, "supportsCondition": true, "conditionDescription": of_types},
        {"filter": CATCH, "label": "C++: caught", "description": "Stops where a handler begins",
         "default": false, "supportsCondition": true, "conditionDescription": of_types},
        {"filter": PANIC, "label": "Rust: panics", "description": "Stops where a panic begins", "default": true},
        {"filter": SIGNAL, "label": "All signals",
         "description": "Stops at signals that programs use among themselves, too (SIGALRM, SIGCHLD); others always stop",
         "default": false, "supportsCondition": true, "conditionDescription": "names of signals: SIGALRM SIGCHLD"},
    ])
}

/// Waits for what a filter is about.
pub(super) fn set(replay: &mut Replay, filter: &str, condition: Option<&str>) -> Result<Breakpoint, Refusal> {
    let condition = condition.map(str::trim).filter(|text| !text.is_empty());
    let (catch, names): (_, Vec<&str>) = match filter {
        THROW => (Catch::Throw, condition.into_iter().collect()),
        CATCH => (Catch::Handle, condition.into_iter().collect()),
        PANIC => (Catch::Panic, Vec::new()),
        SIGNAL => {
            let words = condition.into_iter().flat_map(|text| text.split([' ', ',']));
            (Catch::Signal, words.filter(|word| !word.is_empty()).collect())
        }
        other => {
            return Err(Refusal::new(format!("no filter `{other}`: there are {THROW}, {CATCH}, {PANIC}, {SIGNAL}")));
        }
    };
    let builder = names.into_iter().fold(replay.catchpoint(catch), |builder, name| builder.named(name));
    Ok(builder.set()?)
}

impl Session {
    pub(super) fn set_exception_breakpoints(&mut self, arguments: SetExceptionBreakpoints) -> Result<Value, Refusal> {
        let plain = arguments.filters.into_iter().map(|filter| (filter, None));
        let with_options = arguments.filter_options.into_iter().map(|option| (option.filter_id, option.condition));
        let wanted = plain.chain(with_options).map(|(filter, condition)| Requested {
            place: Place::Exception(filter),
            wishes: Wishes { condition, ..Wishes::default() },
        });
        let wanted = wanted.collect();
        self.replace_exceptions(wanted)
    }
}
