//! Which activation of a function something was in, where no frame information tells: counted from where it is entered
//! and where it returns.

use super::code::Code;
use super::look::{Ask, Seen};
use super::snapshot::Snapshot;
use super::trace::Tracer;
use crate::error::Error;
use crate::frame::GENERAL;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Hits whose activations are kept.
const MOST_KNOWN: usize = 1 << 10;
/// Activations in each other that are kept, the innermost.
const DEEPEST: usize = 64;

/// What tells one hit from another.
type Key = (u64, u64, [Option<u64>; GENERAL as usize]);

/// An activation that is under way.
#[derive(Clone, Debug)]
struct Activation {
    /// The stack pointer where it began.
    sp: u64,
    /// The last wanted instruction that it has come to.
    last: Option<Rc<Snapshot>>,
}

/// The activations of a function in a thread, the innermost last.
#[derive(Clone, Debug, Default)]
struct Activations(Vec<Activation>);

impl Activations {
    /// Leaves those that cannot be under way any more where the stack pointer is this: a jump has ended them.
    fn leave_stale(&mut self, sp: u64) {
        while self.0.last().is_some_and(|innermost| innermost.sp < sp) {
            self.0.pop();
        }
    }

    /// Takes note that the function is entered.
    fn enter(&mut self, sp: u64) {
        self.leave_stale(sp);
        if self.0.last().is_some_and(|innermost| innermost.sp == sp) {
            self.0.pop();
        }
        self.0.push(Activation { sp, last: None });
        if self.0.len() > DEEPEST {
            self.0.remove(0);
        }
    }

    /// Takes note of a wanted instruction.
    fn come_to(&mut self, state: &Snapshot, sp: u64) {
        self.leave_stale(sp);
        if self.0.is_empty() {
            // It was entered before what is seen.
            self.0.push(Activation { sp: u64::MAX, last: None });
        }
        if let Some(innermost) = self.0.last_mut() {
            innermost.last = Some(Rc::new(state.clone()));
        }
    }

    fn leave(&mut self) {
        self.0.pop();
    }
}

fn key(state: &Snapshot) -> Key {
    (state.ticks, state.pc, state.registers)
}

impl Tracer<'_> {
    /// Returns the last time before a moment that one of these instructions was executed in the same activation of its
    /// function, of which no frame information says where its frame is.
    pub(super) fn last_in_activation(&self, at: &[u64], before: &Snapshot) -> Result<Option<Snapshot>, Error> {
        let Some(code) = Code::around(self.program(), before.pid, before.mapped(), before.pc) else { return Ok(None) };
        let later = before.anchor.as_deref().and_then(Snapshot::sp);
        let Some(sp) = before.sp().or(later) else { return Ok(None) };
        let returns = code.returns();
        let mut all = at.to_vec();
        all.extend(returns.iter().copied().chain([code.entry]).filter(|place| !at.contains(place)));
        let under_way = RefCell::new(Activations::default());
        let known: RefCell<HashMap<Key, Activations>> = RefCell::default();
        let is_its = |seen: &Seen| {
            let state = &seen.state;
            let Some(sp) = state.sp().filter(|_| seen.written.is_none() && state.tid == before.tid) else {
                return false;
            };
            let mut activations = under_way.borrow_mut();
            if state.pc == code.entry {
                activations.enter(sp);
            }
            if at.contains(&state.pc) {
                activations.come_to(state, sp);
            }
            if returns.contains(&state.pc) {
                activations.leave();
            }
            // Of the whole way only what was last before the moment counts, which is found out later.
            let mut known = known.borrow_mut();
            if known.len() >= MOST_KNOWN {
                known.clear();
            }
            known.insert(key(state), activations.clone());
            true
        };
        let looked = self.looker.last(&Ask { before, at: &all, memory: None, texts: Vec::new() }, &is_its)?;
        let Some(last) = looked.last else { return Ok(None) };
        let Some(mut activations) = known.borrow_mut().remove(&key(&last.state)) else { return Ok(None) };
        activations.leave_stale(sp);
        Ok(activations.0.pop().and_then(|innermost| innermost.last).map(|last| (*last).clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(pc: u64) -> Snapshot {
        Snapshot {
            thread: None,
            tid: 1,
            pid: 1,
            ticks: 0,
            pc,
            registers: [None; GENERAL as usize],
            stack: Vec::new(),
            texts: Vec::new(),
            vectors: Vec::new(),
            frame: None,
            event: None,
            visit: Some(1),
            is_exact: true,
            anchor: None,
        }
    }

    #[test]
    fn what_an_inner_activation_does_is_not_of_the_outer_one() {
        let mut all = Activations::default();
        all.enter(100);
        all.come_to(&at(1), 90);
        all.enter(80);
        all.come_to(&at(2), 70);
        assert_eq!(all.0.last().and_then(|a| a.last.as_ref()).map(|s| s.pc), Some(2));
        all.leave();
        assert_eq!(all.0.last().and_then(|a| a.last.as_ref()).map(|s| s.pc), Some(1));
        // One that a jump has ended is none any more.
        all.enter(60);
        all.leave_stale(90);
        assert_eq!(all.0.len(), 1);
        all.enter(100);
        assert!(all.0.len() == 1 && all.0[0].last.is_none());
        all.come_to(&at(3), 200);
        assert_eq!(all.0.len(), 1);
    }
}
