//! Which pointer of a source line was null, for a fault near address 0.
//!
//! The register that held it does not tell: of null pointers there are many. The line does, if just one of the pointers
//! that are followed in it is null, and what is followed there is at the address.

use crate::api::error::Error;
use crate::session::engine::Engine;
use std::collections::BTreeMap;

/// Most expressions of a line that are evaluated.
const MOST: usize = 16;

/// Something in a source line that follows a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Followed<'l> {
    /// The pointer: `a->b[2]`.
    pointer: &'l str,
    /// What is behind it: `->c`, `[3]`; nothing for `*p`.
    rest: &'l str,
}

impl Engine {
    /// Finds the null pointer that the line of the innermost frame follows to an address. `None` if there is none, or
    /// several.
    pub(super) fn null_followed_to(&mut self, address: u64) -> Result<Option<String>, Error> {
        let frame = self.backtrace(0, 1, false)?.frames.into_iter().next();
        let Some((file, line)) = frame.and_then(|frame| frame.fullname.zip(frame.line)) else { return Ok(None) };
        let Some(text) = self.source_line(&file, line)? else { return Ok(None) };
        let mut found = BTreeMap::new();
        for followed in followed(&text).into_iter().take(MOST) {
            if self.leads_from_null(&followed, address)? {
                // The longest name of what is there is the last.
                found.insert(followed.pointer.to_owned(), followed.rest.to_owned());
            }
        }
        let mut found = found.into_iter();
        Ok(match (found.next(), found.next()) {
            (Some((pointer, rest)), None) => Some(match rest.strip_prefix("->") {
                Some(member) => format!("{pointer} is null; +{address} is its member {member}"),
                None => format!("{pointer} is null"),
            }),
            _ => None,
        })
    }

    fn leads_from_null(&mut self, followed: &Followed<'_>, address: u64) -> Result<bool, Error> {
        let Followed { pointer, rest } = followed;
        let object = if rest.is_empty() { format!("*({pointer})") } else { format!("({pointer}){rest}") };
        Ok(self.number(&format!("(unsigned long)({pointer})"))? == Some(0)
            && self.number(&format!("(unsigned long)&({object})"))? == Some(address))
    }

    /// Evaluates an expression to a number; `None` if it makes none.
    fn number(&mut self, expression: &str) -> Result<Option<u64>, Error> {
        match self.typed(expression) {
            Ok(typed) => self.with_memory(|memory| typed.value.word(0, memory).ok()),
            Err(error) if error.ends_replay() => Err(error),
            Err(_) => Ok(None),
        }
    }
}

/// Finds what in a line of source follows a pointer. Calls are not among it.
fn followed(line: &str) -> Vec<Followed<'_>> {
    let code = line.split("//").next().unwrap_or_default();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("->") {
        // The member itself, and what is in it: `p->in`, `p->in.b`.
        let mut end = at + 2;
        loop {
            let name = name_at(code, end);
            if name.is_empty() {
                break;
            }
            end += name.len();
            found.push((path_to(code, at), at..end));
            end += 1;
            if code.as_bytes().get(end - 1) != Some(&b'.') {
                break;
            }
        }
    }
    for (at, _) in code.match_indices('[') {
        let end = code.get(at..).and_then(|rest| rest.find(']')).map_or(at, |length| at + length + 1);
        found.push((path_to(code, at), at..end));
    }
    for (at, _) in code.match_indices('*') {
        let before = code.get(..at).unwrap_or_default().trim_end();
        let is_unary = before.is_empty() || before.ends_with(|c: char| "(,=;{!&|+-<>?:*/[".contains(c));
        if is_unary || before.ends_with("return") {
            let pointer = path_from(code, at + 1);
            found.push((pointer, code.len()..code.len()));
        }
    }
    let whole =
        found.into_iter().filter(|(pointer, _)| pointer.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'));
    whole.filter_map(|(pointer, rest)| Some(Followed { pointer, rest: code.get(rest)? })).collect()
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the longest path of names, members and elements that ends in front of a place.
fn path_to(code: &str, end: usize) -> &str {
    let bytes = code.as_bytes();
    let mut start = end;
    while let Some(last) = start.checked_sub(1).and_then(|at| bytes.get(at)) {
        start = match last {
            byte if is_of_name(*byte) => start - 1,
            b'.' => start - 1,
            b'>' if start >= 2 && bytes.get(start - 2) == Some(&b'-') => start - 2,
            b']' => match code.get(..start).and_then(|before| before.rfind('[')) {
                Some(open) => open,
                None => break,
            },
            _ => break,
        };
    }
    code.get(start..end).unwrap_or_default()
}

/// Returns the name that begins at a place.
fn name_at(code: &str, start: usize) -> &str {
    let length = code.bytes().skip(start).take_while(|byte| is_of_name(*byte)).count();
    code.get(start..start + length).unwrap_or_default()
}

/// Returns the path of members that begins at a place; nothing if it is called.
fn path_from(code: &str, start: usize) -> &str {
    let bytes = code.as_bytes();
    let mut end = start;
    while let Some(byte) = bytes.get(end) {
        end += match byte {
            byte if is_of_name(*byte) => 1,
            b'.' => 1,
            b'-' if bytes.get(end + 1) == Some(&b'>') => 2,
            _ => break,
        };
    }
    if bytes.get(end) == Some(&b'(') { "" } else { code.get(start..end).unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(line: &str) -> Vec<(&str, &str)> {
        followed(line).into_iter().map(|one| (one.pointer, one.rest)).collect()
    }

    #[test]
    fn what_a_line_follows() {
        assert_eq!(
            shown("  return s->calibration->percent / 100; // a->b"),
            [("s", "->calibration"), ("s->calibration", "->percent")]
        );
        assert_eq!(shown("x = t.list[i]->next;"), [("t.list[i]", "->next"), ("t.list", "[i]")]);
        assert_eq!(shown("*p = a * b;"), [("p", "")]);
        assert_eq!(shown("return *it.head->first;"), [("it.head", "->first"), ("it.head->first", "")]);
        assert_eq!(shown("return p->in.b;"), [("p", "->in"), ("p", "->in.b")]);
        assert!(shown("f(a, b) * 3 + 4").is_empty());
        assert!(shown("->x").is_empty());
    }

    proptest! {
        #[test]
        fn any_line_can_be_looked_at(line in "[a-z>\\-\\[\\]().*é ]{0,40}") {
            for one in followed(&line) {
                prop_assert!(!one.pointer.is_empty());
            }
        }
    }
}
