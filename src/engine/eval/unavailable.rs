//! Why a variable has no value where the program is, and where it has one: one can go there.

use crate::api::Missing;
use crate::api::error::Error;
use crate::eval::expression::{Scope, ScopeEnv};
use crate::eval::inferior::Inferior;
use crate::modules::loaded::Module;
use crate::stack::physical::{Level, Physical};
use arch::{FrameAddress, LinkAddr, ThreadId};
use ctype::{Place, Unavailable};
use dwarf::{Availability, Variable};

/// Instructions that are decoded to find the last one of a range.
const MAX_DECODED: usize = 100_000;

impl Inferior {
    /// Finds out why a variable of a frame has no value; `None` if it has one, at least in part.
    pub(crate) fn missing(
        &mut self,
        thread: ThreadId,
        level: Level,
        variable: &Variable,
        place: &Place,
    ) -> Result<Option<Missing>, Error> {
        if !place.is_lost() {
            return Ok(None);
        }
        let frame = self.physical(thread, level.physical)?;
        let Some(module) = frame.module.clone() else { return Ok(None) };
        let here = module.link(frame.address.for_lookup());
        let availability = module.image.availability(variable.die);
        let ranges = match &availability {
            Availability::In(ranges) => ranges.clone(),
            Availability::Nowhere | Availability::Everywhere => Vec::new(),
        };
        // Elsewhere nobody asks for the variable.
        let ranges = match frame.chain.get(level.inline).filter(|function| function.inlined).and_then(|f| f.die) {
            Some(inlined) => common(&ranges, module.image.code_of(inlined)),
            None => ranges,
        };
        let covering = ranges.iter().find(|(start, end)| (start.0..end.0).contains(&here.0));
        let reason = match place {
            Place::Unavailable(Unavailable::Register(name)) => format!("register {name} is not saved"),
            Place::Unavailable(Unavailable::Other(why)) => why.clone(),
            _ if frame.tail_call => "the function has left by a tail call".to_owned(),
            _ if covering.is_some() => "its inputs are lost".to_owned(),
            _ => match availability {
                Availability::Nowhere if variable.is_argument => {
                    "kept nowhere, and the caller does not tell".to_owned()
                }
                Availability::Nowhere => "kept nowhere by the compiler".to_owned(),
                _ => "no location at this pc".to_owned(),
            },
        };
        let mut is_elsewhere = false;
        let known = match covering {
            // It is in no register that the call lost: before the call it is no better.
            Some(_) if matches!(place, Place::Unavailable(Unavailable::Other(_))) => None,
            // It is there until the call that lost it.
            Some((start, _)) => {
                self.instruction_at(&module, *start, here).map(|call| (call, "known until the call at"))
            }
            None => {
                // What is far away, in the cold part of the function, is not meant by back and ahead.
                let parts = module.image.function_at(here).map(|function| function.ranges).unwrap_or_default();
                let part = parts.into_iter().find(|(start, end)| (start.0..end.0).contains(&here.0));
                let is_near =
                    |range: &&(LinkAddr, LinkAddr)| part.is_none_or(|part| part.0 <= range.0 && range.1 <= part.1);
                let near: Vec<_> = ranges.iter().filter(is_near).copied().collect();
                is_elsewhere = near.is_empty();
                match is_elsewhere {
                    true => ranges.first().map(|(start, _)| (*start, "known at")),
                    false => self.nearest(&module, &near, here),
                }
            }
        };
        let Some((known, word)) = known else {
            let missing = Missing { why: reason, known_at: None, file: None, line: None, is_ahead: None };
            return Ok(Some(missing));
        };
        let at = known.at(module.bias);
        let row = module.image.line_at(known).filter(|row| row.line != 0);
        let (bytes, is_ahead) = distance(&frame, known, &module);
        let unit = if bytes == 1 { "byte" } else { "bytes" };
        let (way, is_ahead) = match is_elsewhere {
            // Where the function begins has been executed before any other part of it.
            true => {
                let entry = module.image.function_at(here).map(|function| function.entry);
                let begins = entry.is_some_and(|entry| self.is_in_part_of(&module, entry, known));
                ("in another part of the function".to_owned(), begins.then_some(false))
            }
            false => (format!("{bytes} {unit} {}", if is_ahead { "ahead" } else { "back" }), Some(is_ahead)),
        };
        let why = format!("{reason}; {word} {at}, {way}");
        let own_file = frame.chain.get(level.inline).and_then(|function| function.file.as_ref().map(|file| &file.name));
        let file = row.as_ref().map(|row| &row.file.name).filter(|file| Some(*file) != own_file).cloned();
        Ok(Some(Missing { why, known_at: Some(at), file, line: row.map(|row| row.line), is_ahead }))
    }

    /// Returns whether two addresses are in the same part of a function.
    fn is_in_part_of(&self, module: &Module, one: LinkAddr, other: LinkAddr) -> bool {
        let parts = module.image.function_at(one).map(|function| function.ranges).unwrap_or_default();
        parts.iter().any(|(start, end)| [one, other].iter().all(|at| (start.0..end.0).contains(&at.0)))
    }

    /// Finds the last instruction before an address that is in one of the ranges, or else the first one after it.
    fn nearest(
        &mut self,
        module: &Module,
        ranges: &[(LinkAddr, LinkAddr)],
        here: LinkAddr,
    ) -> Option<(LinkAddr, &'static str)> {
        match ranges.iter().rev().find(|(_, end)| *end <= here) {
            Some((start, end)) => {
                let last = LinkAddr(end.0.checked_sub(1)?);
                Some((self.instruction_at(module, *start, last)?, "last known at"))
            }
            None => ranges.iter().find(|(start, _)| *start > here).map(|(start, _)| (*start, "first known at")),
        }
    }

    /// Finds the instruction that a byte belongs to; `start` is one before it.
    fn instruction_at(&mut self, module: &Module, start: LinkAddr, byte: LinkAddr) -> Option<LinkAddr> {
        let mut at = start;
        for _ in 0..MAX_DECODED {
            let address = at.at(module.bias);
            let next = at.0.checked_add(self.modules.instruction(&mut self.process, address)?.length)?;
            if next > byte.0 {
                return Some(at);
            }
            at = LinkAddr(next);
        }
        None
    }

    /// Finds out why an expression has no value: it is the reason of the first of its variables that has none.
    pub(crate) fn missing_in(
        &mut self,
        thread: ThreadId,
        level: Level,
        text: &str,
    ) -> Result<Option<(String, Missing)>, Error> {
        let scope = Scope::Frame(thread, level);
        let Ok(parsed) = self.check(scope, text) else { return Ok(None) };
        let mut names = parsed.names();
        // The one that is met first by a reader.
        names.sort_by_key(|name| text.find(&name.qualified()));
        for name in names {
            let found = ScopeEnv::new(self, scope)?.local_named(name);
            let Some((variable, _)) = found else { continue };
            let value = expr::Env::variable(&mut ScopeEnv::new(self, scope)?, name);
            let Ok(value) = value else { continue };
            if let Some(missing) = self.missing(thread, level, &variable, &value.place)? {
                return Ok(Some((variable.name, missing)));
            }
        }
        Ok(None)
    }
}

/// Returns what both have of the code, in rising order, in which `some` is.
fn common(some: &[(LinkAddr, LinkAddr)], mut others: Vec<(LinkAddr, LinkAddr)>) -> Vec<(LinkAddr, LinkAddr)> {
    others.sort();
    let (mut some, mut others) = (some.iter().peekable(), others.iter().peekable());
    let mut all = Vec::new();
    while let (Some(a), Some(b)) = (some.peek(), others.peek()) {
        let overlap = (a.0.max(b.0), a.1.min(b.1));
        let some_is_first = a.1 <= b.1;
        all.extend((overlap.0 < overlap.1).then_some(overlap));
        if some_is_first {
            some.next()
        } else {
            others.next()
        };
    }
    all
}

/// Returns how many bytes away from where a frame is, and whether ahead.
fn distance(frame: &Physical, known: LinkAddr, module: &Module) -> (u64, bool) {
    let (FrameAddress::Pc(here) | FrameAddress::Return(here)) = frame.address;
    let here = module.link(here);
    (here.0.abs_diff(known.0), known >= here)
}
