//! Stepping into one of several calls of a line.

use super::arguments::OfFrame;
use super::message::{Refusal, body_of};
use super::movement::Movement;
use super::session::Session;
use crate::replay::{self, Frame, Instruction};
use arch::{RunAddr, Syntax};
use engine::Error;
use serde_json::{Value, json};

/// Most instructions of a function that are looked at.
const LONGEST: usize = 20_000;

/// Returns what an instruction calls, if it does: a name, or where the address is.
fn called(instruction: &Instruction) -> Option<String> {
    let operand = instruction.text.strip_prefix("call").map(|rest| rest.trim_start_matches('q').trim())?;
    let name = operand.split_once(" <").and_then(|(_, name)| name.strip_suffix('>'));
    Some(name.map_or(operand, |name| name.trim_end_matches("@plt")).to_owned())
}

/// Returns the line that a frame is in.
fn line_of(frame: &Frame) -> Option<(&str, u32)> {
    frame.location.as_ref().map(|location| (location.file.as_str(), location.line))
}

impl Session {
    /// Lists the calls that the line of a frame has not come to yet.
    pub(super) fn step_in_targets(&mut self, arguments: &OfFrame) -> Result<Value, Refusal> {
        let place = self.looks.frame(arguments.frame_id)?;
        let mut targets = Vec::new();
        // A caller is in the midst of its call.
        if place.level == 0 {
            self.select(place)?;
            for (call, label) in self.calls_ahead()? {
                targets.push(json!({"id": self.targets.add(Movement::IntoCall(call)), "label": label}));
            }
        }
        Ok(body_of(json!({"targets": targets})))
    }

    /// Returns the calls in the rest of the line where the selected thread is, each with what it calls.
    fn calls_ahead(&mut self) -> Result<Vec<(u64, String)>, Refusal> {
        let replay = self.replay()?;
        let Some(frame) = replay.backtrace(1)?.frames.into_iter().next() else { return Ok(Vec::new()) };
        let Some((file, line)) = line_of(&frame) else { return Ok(Vec::new()) };
        let pc = frame.pc;
        let code = replay.with_engine(|engine| {
            let function = engine.function_at(RunAddr(pc))?;
            let ranges = function.map(|function| function.ranges).unwrap_or_default();
            match ranges.into_iter().find(|(start, end)| (start.0..end.0).contains(&pc)) {
                Some((_, end)) => engine.disassemble(RunAddr(pc), Some(end), LONGEST, Syntax::Att),
                None => Ok::<_, Error>(Vec::new()),
            }
        })?;
        let code = code.map_err(replay::Error::from)?.into_iter().map(Instruction::from);
        let is_here = |instruction: &Instruction| {
            instruction.location.as_ref().is_some_and(|at| at.file == file && at.line == line)
        };
        Ok(code.filter(is_here).filter_map(|one| Some((one.address, called(&one)?))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_named_by_what_it_calls() {
        let of = |text: &str| {
            let (address, bytes, text) = (0x40_1000, Vec::new(), text.to_owned());
            called(&Instruction { address, bytes, text, function: None, location: None })
        };
        assert_eq!(of("call   0x401136 <add>").as_deref(), Some("add"));
        assert_eq!(of("call   0x401030 <atoi@plt>").as_deref(), Some("atoi"));
        assert_eq!(of("call   0x401030 <ns::f<int>(int)>").as_deref(), Some("ns::f<int>(int)"));
        assert_eq!(of("call   *%rax").as_deref(), Some("*%rax"));
        assert_eq!(of("jmp    0x401136 <add>"), None);
    }
}
