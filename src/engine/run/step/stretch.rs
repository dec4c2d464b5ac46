//! Code of one function in which a movement takes many turns, and the places at which it is left and entered: the turns
//! need not be walked one by one.

use crate::breakpoints::temporary::{StackPointer, Temporary};
use crate::run::step::machine::{Body, Machine, Spot, after};
use arch::{Flow, Instruction, RunAddr};
use std::collections::BTreeSet;

/// Instructions in a row that a movement takes one by one before it looks for the places.
pub(crate) const WALKED: u32 = 100;
/// Most instructions of a function that are looked at.
const REACH: usize = 20_000;
/// Most places that are worth breakpoints.
const MOST: usize = 256;

/// Finds where a thread that stands in code comes to when it leaves it: at instructions that are not in it, and at those
/// that move the stack pointer or whose destination only the thread knows. Returns `None` if there are none or too many,
/// or if the thread stands at one.
pub(crate) fn ways_out<M: Machine>(
    m: &mut M,
    here: Spot,
    mut is_in: impl FnMut(&mut M, RunAddr) -> bool,
) -> Option<Vec<Temporary>> {
    let (mut seen, mut left) = (BTreeSet::from([here.pc]), vec![here.pc]);
    let mut places = Vec::new();
    while let Some(at) = left.pop() {
        let clear = is_in(m, at).then(|| m.instruction(at)).flatten().and_then(|i| m.ways_out(at, after(at, i)));
        match clear.filter(|ways| !ways.returns) {
            Some(ways) => left.extend(ways.targets.into_iter().filter(|to| seen.insert(*to))),
            None if at == here.pc => return None,
            None => places.push(Temporary::is(at, here.sp)),
        }
        if seen.len() > REACH || places.len() > MOST {
            return None;
        }
    }
    (!places.is_empty()).then_some(places)
}

/// Decodes all instructions of a function. Returns `None` if they are too many or there are other bytes.
pub(crate) fn instructions<M: Machine>(m: &mut M, body: &Body) -> Option<Vec<(RunAddr, Instruction)>> {
    let mut all = Vec::new();
    for (start, end) in &body.ranges {
        let mut at = *start;
        while at < *end {
            let i = m.instruction(at).filter(|_| all.len() < REACH)?;
            all.push((at, i));
            at = after(at, i);
        }
    }
    Some(all)
}

/// How an instruction lies to the code that a movement goes back through.
pub(crate) enum Lies {
    Inside,
    /// Inside, but the movement may end there.
    Looked,
    Outside,
    /// Outside, and the next one is inside.
    Before,
}

/// Finds where a thread that stands in code of a function has been last before it came into it: at jumps and calls
/// outside, and at what comes before. Returns `None` if there are too many, or if a movement has to look at an
/// instruction inside.
pub(crate) fn ways_in(
    instructions: Vec<(RunAddr, Instruction)>,
    here: Spot,
    mut lies: impl FnMut(RunAddr, Instruction) -> Lies,
) -> Option<Vec<Temporary>> {
    let mut places = Vec::new();
    for (at, i) in instructions {
        match (lies(at, i), i.flow) {
            (Lies::Looked, _) => return None,
            (Lies::Outside | Lies::Before, Flow::Jump | Flow::IndirectJump)
            | (Lies::Before, Flow::Syscall | Flow::Trap | Flow::Next) => places.push(Temporary::is(at, here.sp)),
            // By a `longjmp` or an exception, too; there may be arguments on the stack.
            (Lies::Outside | Lies::Before, Flow::Call) => {
                places.push(Temporary { address: at, sp: StackPointer::JustBelow(here.sp) });
            }
            (Lies::Inside | Lies::Outside | Lies::Before, _) => {}
        }
    }
    (places.len() <= MOST).then_some(places)
}
