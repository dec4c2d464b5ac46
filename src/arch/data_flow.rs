//! All ways through a function's code, and what is known on each of them.

use super::preserved_registers::{instruction, is_call, successors};
use super::{MAX_INSTRUCTION, Program, RunAddr};
use iced_x86::{Instruction, Mnemonic};
use std::collections::HashMap;

/// Instructions that are looked at, those of loops again.
const MAX_STEPS: usize = 8_000;

/// What is to be known of a function's code.
pub(super) trait Analysis {
    /// What is known before an instruction.
    type State: Clone + PartialEq;

    /// Joins two states to what is so on both ways.
    fn meet(one: &Self::State, other: &Self::State) -> Self::State;

    /// Takes an instruction into account.
    fn step(&mut self, state: &mut Self::State, instruction: &Instruction);

    /// Takes into account that the function goes on in code that is not followed. Returns whether anything can be told
    /// nevertheless.
    fn leave(&mut self, state: &Self::State) -> bool;
}

/// Finds out what is known at each return of the function at `entry`. `None` if its code cannot be followed, or is too
/// long.
pub(super) fn at_returns<A: Analysis>(
    analysis: &mut A,
    entry: u64,
    first: A::State,
    is_own: &dyn Fn(RunAddr) -> bool,
    program: &mut dyn Program,
) -> Option<Vec<A::State>> {
    let all = at_each(analysis, entry, first, is_own, program)?;
    Some(all.into_iter().filter(|(i, _)| i.mnemonic() == Mnemonic::Ret).map(|(_, state)| state).collect())
}

/// Finds out what is known before each instruction of the function at `entry`. `None` if its code cannot be followed, or
/// is too long.
pub(super) fn at_each<A: Analysis>(
    analysis: &mut A,
    entry: u64,
    first: A::State,
    is_own: &dyn Fn(RunAddr) -> bool,
    program: &mut dyn Program,
) -> Option<Vec<(Instruction, A::State)>> {
    let mut states = HashMap::from([(entry, first)]);
    let mut decoded: HashMap<u64, Instruction> = HashMap::new();
    let mut open = vec![entry];
    let mut steps = 0;
    while let Some(at) = open.pop() {
        steps += 1;
        if steps > MAX_STEPS {
            return None;
        }
        let next = match decoded.get(&at) {
            Some(known) => *known,
            None => {
                let bytes = program.code(RunAddr(at));
                let found = instruction(bytes.get(..MAX_INSTRUCTION.min(bytes.len()))?, at)?;
                decoded.insert(at, found);
                found
            }
        };
        if next.mnemonic() == Mnemonic::Ret {
            continue;
        }
        let mut state = states.get(&at)?.clone();
        analysis.step(&mut state, &next);
        let Some(successors) = successors(&next) else {
            if !analysis.leave(&state) {
                return None;
            }
            continue;
        };
        for to in successors.into_iter().flatten() {
            if !is_own(RunAddr(to)) {
                // A call that never returns may be the last instruction.
                if !is_call(&next) && !analysis.leave(&state) {
                    return None;
                }
                continue;
            }
            let merged = states.get(&to).map_or_else(|| state.clone(), |known| A::meet(known, &state));
            if states.get(&to) != Some(&merged) {
                states.insert(to, merged);
                open.push(to);
            }
        }
    }
    Some(decoded.into_iter().filter_map(|(at, i)| Some((i, states.remove(&at)?))).collect())
}
