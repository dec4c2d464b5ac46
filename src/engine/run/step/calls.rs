//! Calls, returns and signal handlers, met going back or forward.

use crate::api::Reason;
use crate::api::error::Error;
use crate::breakpoints::temporary::Temporary;
use crate::run::step::machine::{Connector, Machine, Moved, Spot, after};
use arch::{Direction, Flow, Instruction, RunAddr};

/// Returns whether `here` is at the return instruction of a callee that returned to `was`.
pub(super) fn is_return_to<M: Machine>(m: &mut M, here: Spot, was: Spot) -> bool {
    let is_return = m.instruction(here.pc).is_some_and(|i| i.flow == Flow::Return);
    is_return && m.word(here.sp) == Some(was.pc.0) && here.sp < was.sp
}

/// Goes from inside a callee back to the call that returned to `was`.
pub(super) fn back_to_call<M: Machine>(m: &mut M, here: Spot, was: Spot) -> Moved {
    if let Some(call) = call_before(m, was.pc) {
        return m.run_to(Direction::Reverse, &[Temporary::is(call, was.sp)]);
    }
    let Some(body) = m.body(here.pc) else { return Ok(None) };
    if body.entry != here.pc
        && let Some(reason) = m.run_to(Direction::Reverse, &[Temporary::is(body.entry, here.sp)])?
    {
        return Ok(Some(reason));
    }
    m.step(Direction::Reverse)
}

/// Returns where the return of a signal handler goes on, if the thread is at the beginning of one, and not where an
/// instruction at `was` has led.
pub(crate) fn interrupted_by_handler<M: Machine>(m: &mut M, was: Spot) -> Option<Temporary> {
    let ret = m.caller(0)?;
    if m.connector(ret.pc) != Some(Connector::Trampoline) {
        return None;
    }
    m.caller(1).filter(|back| back.sp == was.sp).map(|back| Temporary::is(back.pc, back.sp))
}

/// Going back from the trampoline of a signal handler.
pub(crate) enum Handler {
    /// At the return from the handler: its function's entry, and the stack pointer there.
    Returning(RunAddr, u64),
    /// Nothing is known of the function that returned.
    Unknown,
    /// Stopped on the way.
    Stopped(Box<Reason>),
}

/// Goes from the trampoline of a signal handler back into the handler.
pub(crate) fn back_into_handler<M: Machine>(m: &mut M) -> Result<Handler, Error> {
    /// Instructions of a trampoline.
    const LENGTH: usize = 4;
    for _ in 0..LENGTH {
        let here = m.spot()?;
        if m.connector(here.pc) != Some(Connector::Trampoline) {
            let body = m.body(here.pc);
            return Ok(body.map_or(Handler::Unknown, |body| Handler::Returning(body.entry, here.sp)));
        }
        if let Some(reason) = m.step(Direction::Reverse)? {
            return Ok(Handler::Stopped(Box::new(reason)));
        }
    }
    Ok(Handler::Unknown)
}

/// Goes from a signal handler back to where the signal came. No breakpoint there would do: if it came at the end of a
/// system call, the instruction there has not been executed before the handler. So by way of the handler's entry.
pub(crate) fn back_out_of_handler<M: Machine>(m: &mut M, entry: RunAddr, sp: u64) -> Moved {
    /// Functions that leave by a jump to the next one.
    const TAIL_CALLS: usize = 16;
    let mut entry = entry;
    for _ in 0..TAIL_CALLS {
        if m.spot()? != (Spot { pc: entry, sp })
            && let Some(reason) = m.run_to(Direction::Reverse, &[Temporary::is(entry, sp)])?
        {
            return Ok(Some(reason));
        }
        if let Some(reason) = m.step(Direction::Reverse)? {
            return Ok(Some(reason));
        }
        let here = m.spot()?;
        match m.body(here.pc) {
            Some(body) if here.sp == sp => entry = body.entry,
            _ => break,
        }
    }
    Ok(None)
}

/// Finds the call instruction that returns to `ret`.
pub(crate) fn call_before<M: Machine>(m: &mut M, ret: RunAddr) -> Option<RunAddr> {
    instruction_before(m, ret).filter(|(_, i)| i.flow == Flow::Call).map(|(at, _)| at)
}

/// Finds the instruction that ends where this one begins. Instructions cannot be decoded backwards, so this starts at
/// the beginning of the line, or else of the function, which in a stripped library has no name.
pub(crate) fn instruction_before<M: Machine>(m: &mut M, next: RunAddr) -> Option<(RunAddr, Instruction)> {
    /// The longest line or function looked through, in instructions.
    const REACH: usize = 100_000;
    let last = RunAddr(next.0.checked_sub(1)?);
    let mut at = match m.row(last) {
        Some(row) => row.start,
        None => m.body(last).map(|body| body.entry).or_else(|| m.code_start(last))?,
    };
    for _ in 0..REACH {
        let i = m.instruction(at)?;
        let end = after(at, i);
        if end >= next {
            return (end == next).then_some((at, i));
        }
        at = end;
    }
    None
}
