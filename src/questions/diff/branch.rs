//! The branch that decided where the calls of two recordings part.

use super::side::Side;
use crate::calls::CallRow;
use crate::error::Error;
use crate::function::call_of;
use crate::hits::Moment;
use crate::program::Program;
use crate::why::{Code, FirstBranch, Stretch, first_branch};
use base::cancel::Cancel;
use rr::Rr;
use std::path::Path;

/// Returns the first branch between the last call that both recordings made, and the next one, that went on differently.
/// `thread`: whose calls part. `same`: how many of its calls are the same. `next`: when the next call of each began.
///
/// # Errors
/// If a recording cannot be replayed; if it is cancelled.
pub(super) fn branch_before(
    rr: &Rr,
    recordings: [&Path; 2],
    sides: &[Side; 2],
    (thread, same): (u32, usize),
    next: [Option<&CallRow>; 2],
    cancel: &Cancel,
) -> Result<Option<FirstBranch>, Error> {
    let [a, b] = sides;
    let (Some(in_a), Some(in_b)) = (a.program(), b.program()) else { return Ok(None) };
    let last = same.checked_sub(1);
    let around = last.map(|last| a.functions_around(thread, last)).unwrap_or_default();
    let around = around.into_iter().map(|asked| Code { module: asked.module, function: asked.function.clone() });
    let around = around.filter_map(|code| Some((code.clone(), same_in(in_a, in_b, &code)?)));
    let [next_a, next_b] = next;
    let of_a =
        next_a.and_then(|call| caller_of(in_a, call)).and_then(|of| Some((of.clone(), same_in(in_a, in_b, &of)?)));
    let of_b = next_b.and_then(|call| caller_of(in_b, call)).and_then(|of| Some((same_in(in_b, in_a, &of)?, of)));
    let mut code: Vec<(Code, Code)> = Vec::new();
    for both in around.chain(of_a).chain(of_b) {
        let place = |(of, _): &(Code, Code)| (of.module, of.function.entry);
        if !code.iter().any(|other| place(other) == place(&both)) {
            code.push(both);
        }
    }
    let (in_first, in_second) = code.into_iter().unzip();
    let began = |side: &Side| -> Result<Option<Moment>, Error> {
        let row = last.and_then(|last| side.stream(thread).get(last));
        let Some((_, row)) = row else { return Ok(None) };
        Ok(side.rows(&[*row], cancel)?.into_iter().flatten().next().map(|call| call.at))
    };
    let [recording_a, recording_b] = recordings;
    let [next_a, next_b] = next.map(|call| call.map(|call| call.at.clone()));
    let stretches = [
        Stretch { recording: recording_a, program: in_a, code: in_first, thread, from: began(a)?, to: next_a },
        Stretch { recording: recording_b, program: in_b, code: in_second, thread, from: began(b)?, to: next_b },
    ];
    first_branch(rr, &stretches, cancel)
}

/// Returns the same function in the other recording's program, if its file is the same.
fn same_in(program: &Program, other: &Program, code: &Code) -> Option<Code> {
    let identity = &program.module(code.module)?.identity;
    let module = other.modules.iter().position(|module| module.identity == *identity)?;
    Some(Code { module, function: code.function.clone() })
}

/// Returns the function that made a call.
fn caller_of(program: &Program, call: &CallRow) -> Option<Code> {
    let (address, event) = (call.caller.address, call.at.event.unwrap_or(u64::MAX));
    let (module, bias) = program.at(call.at.pid, event, address)?;
    let number = program.modules.iter().position(|other| std::ptr::eq(other, module))?;
    Some(Code { module: number, function: module.image.function_at(call_of(address).linked(bias))? })
}
