//! Backward through code of one line that has taken many turns.
//!
//! What counts is only how it was entered. Going back from the middle of it, the first thing to be met of all that is
//! outside of it in the same function, and goes anywhere but to the next instruction, is what led into it; unless that
//! was its own beginning.

use super::{Back, Backward};
use crate::api::error::Error;
use crate::breakpoints::temporary::Temporary;
use crate::run::step::machine::{
    Body, Calls, FunctionEntry, Inside, Machine, Ran, Row, Spot, after, beginning, call_row,
};
use crate::run::step::stretch::{Lies, WALKED, instructions, ways_in};
use arch::{Flow, Instruction, RunAddr};

/// How a step goes back through the code of a line.
#[derive(Default)]
pub(super) struct Turns {
    /// The [bounds](Stretch::bounds) of the code, and how many of its instructions were taken back in a row.
    block: Option<Option<(RunAddr, RunAddr)>>,
    walked: u32,
    /// The highest stack pointer there: nothing is pushed for a call.
    top: u64,
    /// It did not help.
    is_off: bool,
}

impl<M: Machine> Backward<'_, M> {
    /// Counts one more instruction that has been taken back. If there have been many in the same code, goes to where it
    /// was entered.
    pub(super) fn turn(&mut self) -> Result<Back, Error> {
        let here = self.m.spot()?;
        let stretch = match self.is_passed_over(here.pc) {
            true => Some(Stretch::PassedOver),
            false => self.block.clone().filter(|b| b.contains(here.pc)).map(Stretch::Block),
        };
        let block = stretch.as_ref().map(Stretch::bounds);
        if block.is_none() || block != self.turns.block {
            self.turns = Turns { block, is_off: self.turns.is_off, ..Turns::default() };
        }
        self.turns.walked += 1;
        self.turns.top = self.turns.top.max(here.sp);
        let has_pushed = here.sp < self.turns.top;
        let is_at_start = block.is_none_or(|bounds| bounds.is_some_and(|(start, _)| start == here.pc));
        if is_at_start || has_pushed || self.turns.is_off || self.turns.walked < WALKED {
            return Ok(Back::GoOn);
        }
        let (Some(home), Some(stretch)) = (self.home.clone(), stretch) else { return Ok(Back::GoOn) };
        let Some(places) = self.ways_into(&home, &stretch, here) else {
            self.turns.is_off = true;
            return Ok(Back::GoOn);
        };
        let at_entry = self.m.inlined(home.entry);
        let leads_in = matches!(stretch, Stretch::PassedOver) && Inside::new(&at_entry, 0).is_deeper_than(&self.inside);
        let entry = FunctionEntry { at: home.entry, leads_in };
        Ok(match self.m.run_back_in_frame(&places, entry)? {
            Ran::There => Back::Look,
            Ran::Stopped(reason) => Back::Stop(*reason),
            Ran::Stayed => {
                self.turns.is_off = true;
                Back::GoOn
            }
        })
    }

    /// Finds where a thread has been last before it came into a stretch of code; `None` if that is not clear.
    fn ways_into(&mut self, home: &Body, stretch: &Stretch, here: Spot) -> Option<Vec<Temporary>> {
        if let Stretch::Block(block) = stretch {
            // At its beginning a function has no frame yet.
            home.after_prologue.filter(|p| *p <= block.start && home.entry < block.start)?;
        }
        let all = instructions(self.m, home)?;
        let lies = |at, i: Instruction| {
            let is_in = |this: &mut Self, at| match stretch {
                Stretch::Block(block) => block.contains(at),
                Stretch::PassedOver => this.is_passed_over(at),
            };
            match is_in(self, at) {
                true if self.is_walked_through(at, i.flow) => Lies::Inside,
                true => Lies::Looked,
                // A block is met at its beginning.
                false if matches!(stretch, Stretch::PassedOver) && is_in(self, after(at, i)) => Lies::Before,
                false => Lies::Outside,
            }
        };
        let mut places = ways_in(all, here, lies)?;
        if let Stretch::Block(block) = stretch {
            places.push(Temporary::is(block.start, here.sp));
        }
        Some(places)
    }

    /// Returns whether a step does nothing but pass an instruction of the line.
    fn is_walked_through(&mut self, at: RunAddr, flow: Flow) -> bool {
        if self.is_passed_over(at) {
            return true;
        }
        let path = self.m.inlined(at);
        let is_entered = flow == Flow::Call && self.calls == Calls::Into;
        !is_entered && beginning(&path) == 0 && Inside::new(&path, 0) == self.inside
    }

    /// Returns whether code is of an inlined function that the step passes over, as it does a call. Where the function
    /// begins is the call itself, at which the step may end.
    fn is_passed_over(&mut self, at: RunAddr) -> bool {
        let path = self.m.inlined(at);
        if self.calls != Calls::Over || !Inside::new(&path, 0).is_deeper_than(&self.inside) {
            return false;
        }
        let beginning = beginning(&path);
        if Inside::new(&path, beginning).is_deeper_than(&self.inside) {
            return true;
        }
        call_row(&path, beginning, at).is_some_and(|call| self.block_around(call, at).start != at)
    }
}

/// Code in which a step takes many turns.
enum Stretch {
    /// That of one line.
    Block(Row),
    /// That of inlined functions that the step passes over.
    PassedOver,
}

impl Stretch {
    /// Returns where the line's code begins and ends; `None` of inlined functions, which end no step.
    fn bounds(&self) -> Option<(RunAddr, RunAddr)> {
        match self {
            Self::Block(block) => Some((block.start, block.end)),
            Self::PassedOver => None,
        }
    }
}
