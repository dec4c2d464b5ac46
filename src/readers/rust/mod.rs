//! Rust's standard library.
use crate::ctype::{Meaning, Memory, Record, Value};
pub(super) fn of_pointer(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let _ = (value, memory);
    None
}
pub(super) fn of_record(value: &Value, record: &Record, name: &str, memory: &mut dyn Memory) -> Option<Meaning> {
    let _ = (value, record, name, memory);
    None
}
