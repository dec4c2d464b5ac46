//! Data breakpoints: what can be watched, and that it is kept by a number, wherever the replay goes.

use super::arguments::{AccessType, DataBreakpointInfo, SetDataBreakpoints};
use super::breakpoints::{Place, Requested};
use super::handles::Look;
use super::message::Refusal;
use super::session::Session;
use super::variables::{Page, parts};
use crate::replay::{Access, Value as Watched};
use base::cancel::Cancel;
use engine::Typed;
use serde_json::{Value, json};

/// Most values that can be watched are remembered.
const MOST: usize = 10_000;
/// Bytes that are watched at an address if nobody says how many.
const WORD: u64 = 8;

/// Values that have been asked about, with what they are called. Their addresses are those of the moment when that
/// was.
#[derive(Debug, Default)]
pub(super) struct Watchable(Vec<(Typed, String)>);

impl Watchable {
    fn add(&mut self, kept: Typed, text: String) -> Result<String, Refusal> {
        if self.0.len() >= MOST {
            return Err(Refusal::new("too many values have been asked about"));
        }
        self.0.push((kept, text));
        Ok(format!("data-{}", self.0.len() - 1))
    }

    /// Returns a value and what it is called.
    pub(super) fn get(&self, id: &str) -> Result<(&Typed, &str), Refusal> {
        let number = id.strip_prefix("data-").and_then(|number| number.parse::<usize>().ok());
        let found = number.and_then(|number| self.0.get(number));
        let (kept, text) =
            found.ok_or_else(|| Refusal::new(format!("`{id}` belongs to another session; request it again")))?;
        Ok((kept, text))
    }
}

impl From<AccessType> for Access {
    fn from(access: AccessType) -> Self {
        match access {
            AccessType::Read => Self::Read,
            AccessType::Write => Self::Write,
            AccessType::ReadWrite => Self::ReadWrite,
        }
    }
}

/// Reads an address: hexadecimal behind `0x`, else decimal.
fn address(text: &str) -> Result<u64, Refusal> {
    let text = text.trim();
    let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| Refusal::new(format!("`{text}` is not an address")))
}

/// Returns the expression for so many bytes of memory: a number where they can be one.
fn bytes_at(address: u64, bytes: u64) -> Result<String, Refusal> {
    let ty = match bytes {
        0 => return Err(Refusal::new("no bytes are to be watched")),
        1 => "unsigned char *".to_owned(),
        2 => "unsigned short *".to_owned(),
        4 => "unsigned int *".to_owned(),
        8 => "unsigned long *".to_owned(),
        more => format!("unsigned char (*)[{more}]"),
    };
    Ok(format!("*({ty}){address:#x}"))
}

/// Returns why a value cannot be watched; `None` if it can, as far as can be seen.
fn obstacle(value: &Watched<'_>) -> Option<String> {
    if let Some(reason) = value.unknown() {
        return Some(format!("it is not known: {reason}"));
    }
    match (value.address(), value.size()) {
        (None, _) => Some("it is not in memory".to_owned()),
        (_, None | Some(0)) => Some("it has no size".to_owned()),
        _ => None,
    }
}

impl Session {
    pub(super) fn data_breakpoint_info(&mut self, arguments: &DataBreakpointInfo) -> Result<Value, Refusal> {
        let name = &arguments.name;
        if let Some(frame) = arguments.frame_id {
            let place = self.looks.frame(frame)?;
            self.select(place)?;
        }
        let (kept, text) = match arguments.variables_reference.filter(|number| *number != 0) {
            _ if arguments.as_address => {
                let text = bytes_at(address(name)?, arguments.bytes.unwrap_or(WORD))?;
                (self.replay()?.eval(&text)?.kept(), text)
            }
            Some(number) => self.part_named(number, name)?,
            None => (self.replay()?.eval(name)?.kept(), name.clone()),
        };
        let (kept, text) = match arguments.bytes.filter(|_| !arguments.as_address) {
            None => (kept, text),
            Some(bytes) => {
                let start = self.replay()?.revived(kept).address();
                let start = start.ok_or_else(|| Refusal::new(format!("{text} is not in memory")))?;
                let text = bytes_at(start, bytes)?;
                (self.replay()?.eval(&text)?.kept(), text)
            }
        };
        if let Some(obstacle) = obstacle(&self.replay()?.revived(kept.clone())) {
            return Ok(json!({"dataId": null, "description": format!("{text} cannot be watched: {obstacle}")}));
        }
        let id = self.watchable.add(kept, text.clone())?;
        let accesses = [AccessType::Write, AccessType::Read, AccessType::ReadWrite];
        Ok(json!({"dataId": id, "description": text, "accessTypes": accesses, "canPersist": false}))
    }

    /// Finds a variable of a scope, or a part of a value, with what it is called.
    fn part_named(&mut self, number: u64, name: &str) -> Result<(Typed, String), Refusal> {
        let look = self.looks.get(number)?;
        if let Look::Frame(place) | Look::Scope(place, _) = look {
            self.select(place)?;
        }
        let replay = self.replay()?;
        let found = parts(replay, &look, &Page::all(), &Cancel::new())?.into_iter().find(|part| part.name == name);
        let found = found.ok_or_else(|| Refusal::new(format!("there is no `{name}`")))?;
        let text = found.expression.clone().unwrap_or_else(|| name.to_owned());
        Ok((found.value.kept(), text))
    }

    pub(super) fn set_data_breakpoints(&mut self, arguments: SetDataBreakpoints) -> Result<Value, Refusal> {
        let wanted = arguments.breakpoints.into_iter().map(|asked| Requested {
            place: Place::Data(asked.data_id, asked.access_type.unwrap_or_default()),
            wishes: asked.wishes,
        });
        let wanted = wanted.collect();
        self.replace_data(wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::{address, bytes_at};

    #[test]
    fn memory_is_named_by_its_address() {
        assert_eq!((address("0x10").unwrap(), address(" 16 ").unwrap()), (16, 16));
        assert!(address("x").is_err() && address("-1").is_err() && address("").is_err());
        assert_eq!(bytes_at(16, 4).unwrap(), "*(unsigned int *)0x10");
        assert_eq!(bytes_at(16, 3).unwrap(), "*(unsigned char (*)[3])0x10");
        assert!(bytes_at(16, 0).is_err());
    }
}
