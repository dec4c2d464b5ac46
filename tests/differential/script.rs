//! The language of the walks: what both debuggers are told to do, one command a line.
//!
//! `start` goes to the beginning of the recording, `to PLACE` and `back PLACE` run to a temporary breakpoint, `break`,
//! `watch`, `rwatch`, `awatch` and `delete` (all of them) are set for the following commands, and `frame N` and `thread
//! N` select. The movements have GDB's names, with an `r` in front of those that go back. `*3` behind a movement
//! repeats it. A word with a `!` at the end names a fault of GDB in this movement, see [`faults`](super::faults).
//!
//! A place is what both debuggers understand, or a mark `@name` of the fixture's source.

use super::faults::Fault;
use crate::support::fixtures::line;

/// A movement, as we and as GDB call it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub tool: &'static str,
    pub by_instruction: bool,
    pub reverse: bool,
    pub gdb: &'static str,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// To the beginning of the recording.
    Start,
    /// To a temporary breakpoint.
    RunTo { place: String, reverse: bool },
    /// A breakpoint that stays.
    Break { place: String, condition: Option<String> },
    /// A watchpoint: our word and GDB's command for its kind.
    Watch { access: &'static str, gdb: &'static str, expression: String },
    /// Removes all breakpoints and watchpoints.
    Delete,
    /// Selects a frame.
    Frame(u32),
    /// Selects a thread.
    Thread(u32),
    /// Moves.
    Move(Move),
}

/// A command: what to do, how often, and what GDB gets wrong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub text: String,
    pub act: Act,
    pub times: usize,
    pub fault: Option<&'static Fault>,
}

const MOVES: [(&str, &str, bool, &str); 6] = [
    ("continue", "rr_continue", false, "-exec-continue"),
    ("step", "rr_step", false, "-exec-step"),
    ("next", "rr_next", false, "-exec-next"),
    ("finish", "rr_finish", false, "-exec-finish"),
    ("stepi", "rr_step", true, "-exec-step-instruction"),
    ("nexti", "rr_next", true, "-exec-next-instruction"),
];

/// Reads one line of a script about a fixture whose marks are in `source`.
pub fn command(text: &str, source: &str) -> Command {
    let (rest, fault) = match text.split_once(" !") {
        Some((rest, name)) => (rest, Some(Fault::named(name))),
        None => (text, None),
    };
    let (rest, times) = match rest.split_once(" *") {
        Some((rest, times)) => (rest, times.parse().unwrap_or_else(|_| panic!("how often? {text:?}"))),
        None => (rest, 1),
    };
    let (verb, object) = rest.split_once(' ').unwrap_or((rest, ""));
    let number = || object.parse().unwrap_or_else(|_| panic!("a number is missing in {text:?}"));
    let act = match verb {
        "start" => Act::Start,
        "to" => Act::RunTo { place: place(object, source), reverse: false },
        "back" => Act::RunTo { place: place(object, source), reverse: true },
        "break" => {
            let (at, condition) = match object.split_once(" if ") {
                Some((at, condition)) => (at, Some(condition.to_owned())),
                None => (object, None),
            };
            Act::Break { place: place(at, source), condition }
        }
        "watch" => Act::Watch { access: "write", gdb: "watch", expression: object.to_owned() },
        "rwatch" => Act::Watch { access: "read", gdb: "rwatch", expression: object.to_owned() },
        "awatch" => Act::Watch { access: "access", gdb: "awatch", expression: object.to_owned() },
        "delete" => Act::Delete,
        "frame" => Act::Frame(number()),
        "thread" => Act::Thread(number()),
        verb => Act::Move(movement(verb).unwrap_or_else(|| panic!("no command {text:?}"))),
    };
    Command { text: text.to_owned(), act, times, fault }
}

/// A movement by its name in a script.
pub fn movement(verb: &str) -> Option<Move> {
    let find = |name: &str| MOVES.iter().find(|m| m.0 == name);
    let (found, reverse) = match find(verb) {
        Some(found) => (found, false),
        None => (find(verb.strip_prefix('r')?)?, true),
    };
    Some(Move { tool: found.1, by_instruction: found.2, reverse, gdb: found.3 })
}

fn place(text: &str, source: &str) -> String {
    match text.strip_prefix('@') {
        Some(mark) => format!("{source}:{}", line(source, mark)),
        None => text.to_owned(),
    }
}
