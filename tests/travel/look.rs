//! All that is looked at in one moment, to be compared when the moment is met again.

use crate::truth::{Failure, number};
use retrograde::{Position, Replay};

/// What a moment looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Where it is.
    pub position: Position,
    /// Registers and the stack, a line each.
    lines: Vec<String>,
    /// The values of the counters, where memory has them.
    pub counters: Vec<Option<u64>>,
}

/// Most frames of a stack.
const FRAMES: u32 = 24;

impl Look {
    /// Looks at where the replay is.
    pub fn at(replay: &Replay, counters: &[String]) -> Result<Self, Failure> {
        let fails = |e: retrograde::Error| Failure { kind: "look fails", text: format!("{}: {e}", replay.position()) };
        let mut lines = Vec::new();
        for register in replay.registers().map_err(fails)? {
            // The processor sets it in what a fault saves and clears it behind the next instruction: it tells how the moment
            // was come to.
            let resume = 1 << 16;
            let flags = (register.name == "eflags").then(|| u64::try_from(&register.value).ok()).flatten();
            match flags {
                Some(flags) => lines.push(format!("eflags = {:#x}", flags & !resume)),
                None => lines.push(format!("{} = {}", register.name, register.value)),
            }
        }
        // Whether an inlined function that begins here is shown as entered depends on how the moment was come to.
        let stack = replay.backtrace(FRAMES).map_err(fails)?;
        for frame in stack.frames.iter().filter(|frame| !frame.is_inlined) {
            let text = frame.to_string();
            let function = text.rsplit_once(" at ").map_or(text.as_str(), |(function, _)| function);
            lines.push(format!("{:#x} {function}", frame.pc));
        }
        let value = |counter: &String| number(&replay.eval(counter).ok()?.to_string());
        let counters = counters.iter().map(value).collect();
        Ok(Self { position: replay.position().clone(), lines, counters })
    }

    /// Says how two looks differ.
    pub fn difference(&self, other: &Self) -> String {
        let mut text = format!("at {} and {}", self.position, other.position);
        if self.counters != other.counters {
            text += &format!("\n  counters {:?} and {:?}", self.counters, other.counters);
        }
        for index in 0..self.lines.len().max(other.lines.len()) {
            let (one, two) = (self.lines.get(index), other.lines.get(index));
            if one != two {
                text += &format!("\n  {one:?} and {two:?}");
            }
        }
        text
    }
}
