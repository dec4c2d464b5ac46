//! Short names of positions: `p17` stands in texts for a position of a hundred characters, and calls take it.
//!
//! Structured answers have positions in full, and so have texts with one of them. In a text with several, a position
//! that begins a line or follows `position` is replaced by its short name; where they are of several threads, the short
//! name has the thread's id behind it: `p17[4711]`.

use engine::model::Waypoint;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

/// Most positions that have short names; the oldest ones lose theirs.
const MOST: usize = 50_000;
/// Parameters that take a position, with their tools.
const PARAMETERS: [(&str, &str); 2] = [("rr_goto", "position"), ("rr_why", "at")];
/// How lines begin that a program printed.
const PRINTED: [&str; 2] = ["out| ", "err| "];

/// The short names that a server has given.
#[derive(Default)]
pub(crate) struct ShortPositions(Mutex<Named>);

#[derive(Default)]
struct Named {
    /// The newest last.
    positions: VecDeque<String>,
    numbers: HashMap<String, u64>,
    /// Positions that have lost their names.
    forgotten: u64,
}

impl Named {
    fn number(&mut self, position: &str) -> u64 {
        if let Some(number) = self.numbers.get(position) {
            return *number;
        }
        if self.positions.len() == MOST
            && let Some(oldest) = self.positions.pop_front()
        {
            self.numbers.remove(&oldest);
            self.forgotten += 1;
        }
        self.positions.push_back(position.to_owned());
        let number = self.forgotten + self.positions.len() as u64;
        self.numbers.insert(position.to_owned(), number);
        number
    }

    fn position(&self, number: u64) -> Option<&String> {
        self.positions.get(usize::try_from(number.checked_sub(self.forgotten + 1)?).ok()?)
    }
}

impl ShortPositions {
    /// Shortens the positions in an answer's texts.
    pub(crate) fn shorten(&self, result: &mut CallToolResult) {
        for block in &mut result.content {
            if let ContentBlock::Text(text) = block
                && let Some(short) = self.shortened(&text.text)
            {
                text.text = short;
            }
        }
    }

    /// Returns a text with short names, if it has several positions.
    fn shortened(&self, text: &str) -> Option<String> {
        let positions: BTreeSet<&str> = text.split('\n').flat_map(places).map(|(_, position)| position).collect();
        if positions.len() < 2 {
            return None;
        }
        let has_several = positions.iter().filter_map(|position| thread(position)).collect::<BTreeSet<_>>().len() > 1;
        let mut named = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut short = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            let mut done = 0;
            for (start, position) in places(line.trim_end_matches('\n')) {
                short.push_str(line.get(done..start)?);
                let _ = write!(short, "p{}", named.number(position));
                if let Some(thread) = thread(position).filter(|_| has_several) {
                    let _ = write!(short, "[{thread}]");
                }
                done = start + position.len();
            }
            short.push_str(line.get(done..)?);
        }
        Some(short)
    }

    /// Replaces a short name among the arguments of `tool` by its position; or says why there is none.
    pub(crate) fn resolve(&self, tool: &str, arguments: &mut Map<String, Value>) -> Result<(), String> {
        for (_, name) in PARAMETERS.iter().filter(|(takes, _)| *takes == tool) {
            let Some(Value::String(given)) = arguments.get_mut(*name) else { continue };
            let Some(number) = number_of(given) else { continue };
            let named = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(position) = named.position(number) else {
                let newest = named.forgotten + named.positions.len() as u64;
                return Err(match newest {
                    0 => format!("`{given}`: no answer of this server has short positions yet; give one in full"),
                    _ => format!(
                        "`{given}` is not a position of this server: its answers have p{} to p{newest}",
                        named.forgotten + 1
                    ),
                });
            };
            position.clone_into(given);
        }
        Ok(())
    }
}

/// Returns the number of a short name: of `p17` and `p17[4711]`.
fn number_of(text: &str) -> Option<u64> {
    let name = text.trim().strip_prefix('p')?;
    let digits = name.strip_suffix(']').and_then(|name| name.split_once('[')).map_or(name, |(digits, _)| digits);
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// Returns the id of a position's thread.
fn thread(position: &str) -> Option<&str> {
    position.split('/').nth(2)?.split_once('.').map(|(_, thread)| thread)
}

/// Iterates over the positions that a line begins with or names as such, with where they start in it.
fn places(line: &str) -> impl Iterator<Item = (usize, &str)> {
    const NAMED: &str = "position ";
    let is_printed = PRINTED.iter().any(|begins| line.trim_start().starts_with(begins));
    let first = line.len() - line.trim_start().len();
    let later = line.match_indices(NAMED).map(|(at, _)| at + NAMED.len());
    let starts = std::iter::once(first).chain(later).filter(move |_| !is_printed);
    starts.filter_map(move |start| {
        let rest = line.get(start..)?;
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"/.-".contains(c)).unwrap_or(rest.len());
        let position = rest.get(..end)?;
        is_position(position).then_some((start, position))
    })
}

/// Returns whether a text is a position with at least a program counter.
fn is_position(text: &str) -> bool {
    let has_code = text.split('/').nth(3).is_some_and(|code| code.starts_with("0x"));
    has_code && text.parse::<Waypoint>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "193/32315/24469.24469/0x55d399960169/1";
    const OTHER: &str = "193/32441/24469.24469/0x55d399960169/rdbabee593b162835/1";
    const ELSEWHERE: &str = "111/15268/24469.24470/0x401d2e/6c9f1d2ab04e33f7/end";

    #[test]
    fn rows_have_short_positions_that_lead_back() {
        let short = ShortPositions::default();
        let text = format!("2 calls\n{ONE}  f(x=1)\n  {OTHER}  f(x=2)\nas of {ONE}, position {OTHER}: position 7/8");
        let expected = format!("2 calls\np1  f(x=1)\n  p2  f(x=2)\nas of {ONE}, position p2: position 7/8");
        assert_eq!(short.shortened(&text).as_deref(), Some(&*expected));
        let resolved = |tool: &str, name: &str, text: &str| {
            let mut arguments = Map::from_iter([(name.to_owned(), Value::from(text))]);
            short.resolve(tool, &mut arguments).map(|()| arguments[name].as_str().unwrap().to_owned())
        };
        assert_eq!(resolved("rr_goto", "position", "p1").as_deref(), Ok(ONE));
        assert_eq!(resolved("rr_why", "at", "p2[24469]").as_deref(), Ok(OTHER));
        assert_eq!(resolved("rr_goto", "position", "start").as_deref(), Ok("start"));
        assert_eq!(resolved("rr_evaluate", "expression", "p1").as_deref(), Ok("p1"));
        let unknown = "`p3` is not a position of this server: its answers have p1 to p2";
        assert_eq!(resolved("rr_goto", "position", "p3").unwrap_err(), unknown);
        assert_eq!(resolved("rr_goto", "position", "p0").unwrap_err().split(' ').next(), Some("`p0`"));
    }

    #[test]
    fn a_single_position_stays_and_threads_are_told_apart() {
        let short = ShortPositions::default();
        assert_eq!(short.shortened(&format!("a\n{ONE}  f\nposition {ONE}")), None);
        let text = format!("{ONE}  f\n{ELSEWHERE}  g\nout| x\n{ONE}");
        let expected = "p1[24469]  f\np2[24470]  g\nout| x\np1[24469]";
        assert_eq!(short.shortened(&text).as_deref(), Some(expected));
        let printed = format!("{ONE}  f\nout| {OTHER}\nerr| position {ELSEWHERE}");
        assert_eq!(short.shortened(&printed), None);
    }

    #[test]
    fn the_oldest_lose_their_names() {
        let mut named = Named::default();
        let position = |number: usize| format!("1/{number}/7.7/0x1000");
        for number in 0..MOST + 2 {
            named.number(&position(number));
        }
        assert_eq!(named.position(2), None);
        assert_eq!(named.position(3), Some(&position(2)));
        assert_eq!(named.position(MOST as u64 + 2), Some(&position(MOST + 1)));
        assert_eq!((named.number(&position(2)), named.numbers.len()), (3, MOST));
    }
}
