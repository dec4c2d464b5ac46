//! Source-level stepping, forward and back, in terms of single instructions and temporary breakpoints.
//!
//! The rules are GDB's. Forward, a step ends at the start of a statement of another line, or in a called function
//! after its prologue; code without line information is run through. Backward, it ends at the *first* instruction of
//! the line that ran before (of the whole stretch of that line's code, as in GDB 15 and later), in a callee at its
//! last line; the prologue is no place to stop at, the call before it is.
//!
//! Calls are not detected by comparing frames but by looking at the instruction: a call pushes a known return
//! address at a known stack pointer, so "step over" is a breakpoint there that is conditional on the stack pointer.
//! That condition is evaluated by rr, and makes recursion and other threads harmless.
//!
//! The code here knows no debug info and no process: see [`Machine`].

mod backward;
mod calls;
mod forward;
mod machine;
mod stretch;

pub(crate) use calls::{
    Handler, back_into_handler, back_out_of_handler, call_before, instruction_before, interrupted_by_handler,
};
pub(crate) use machine::{Body, Calls, Connector, FunctionEntry, Inlined, Machine, Moved, Ran, Row, Spot};
pub(crate) use stretch::{Lies, WALKED, instructions, ways_in, ways_out};

use crate::api::Reason;
use crate::api::error::Error;
use crate::breakpoints::temporary::Temporary;
use arch::{Direction, Flow, RunAddr};
use backward::Backward;
use calls::{back_to_call, is_return_to};
use forward::Forward;
pub(crate) use machine::after;

/// Steps one instruction.
pub(crate) fn instruction<M: Machine>(m: &mut M, direction: Direction, calls: Calls) -> Moved {
    let was = m.spot()?;
    if direction == Direction::Forward
        && calls == Calls::Over
        && let Some(i) = m.instruction(was.pc).filter(|i| i.flow == Flow::Call)
    {
        return m.run_to(Direction::Forward, &[Temporary::is(after(was.pc, i), was.sp)]);
    }
    if let Some(reason) = m.step(direction)? {
        return Ok(Some(reason));
    }
    if direction == Direction::Reverse && calls == Calls::Over {
        let here = m.spot()?;
        if is_return_to(m, here, was) {
            return back_to_call(m, here, was);
        }
    }
    Ok(None)
}

/// Steps one line.
pub(crate) fn line<M: Machine>(m: &mut M, direction: Direction, calls: Calls, after_signal: bool) -> Moved {
    let hidden = m.hidden();
    if direction == Direction::Forward && calls == Calls::Into && hidden > 0 {
        m.hide(hidden - 1);
        return Ok(None);
    }
    match direction {
        Direction::Forward => Forward::new(m, calls, after_signal)?.go(),
        Direction::Reverse => Backward::new(m, calls)?.go(),
    }
}

/// How a step into a call of the line has ended.
#[derive(Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "lives on the stack of one movement only")]
pub(crate) enum IntoCall {
    /// In what is called, or where a step into it ends if that has no lines.
    Made,
    /// The line was left before it came to the call.
    NotReached,
    /// Stopped on the way.
    Stopped(Reason),
}

/// Steps over what comes before a call in the line, and into that call.
pub(crate) fn into_call<M: Machine>(m: &mut M, call: RunAddr, mut after_signal: bool) -> Result<IntoCall, Error> {
    if m.spot()?.pc != call {
        let mut before = Forward::new(m, Calls::Over, after_signal)?.up_to(call);
        if let Some(reason) = before.go()? {
            return Ok(IntoCall::Stopped(reason));
        }
        if !before.is_there()? {
            return Ok(IntoCall::NotReached);
        }
        after_signal = false;
    }
    Ok(Forward::new(m, Calls::Into, after_signal)?.go()?.map_or(IntoCall::Made, IntoCall::Stopped))
}

#[cfg(test)]
mod tests;
