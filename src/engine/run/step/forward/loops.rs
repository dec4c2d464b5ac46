//! Forward through code of one line that takes many turns.
//!
//! Where it leaves that code counts, not how often it goes round in it. So it waits at all that comes after the code.

use super::{Forward, Next};
use crate::arch::RunAddr;
use crate::engine::api::error::Error;
use crate::engine::breakpoints::temporary::Temporary;
use crate::engine::run::step::machine::{Body, Calls, Inside, Machine, Row, Spot, beginning};

/// Instructions or calls of one line in a row that are executed one by one.
const WALKED: u32 = 100;
/// Most places that it is worth waiting at.
const MOST: usize = 64;

/// How a step goes through the code of a line.
#[derive(Default)]
pub(super) struct Turns {
    /// All the code of the line without a gap, and how many of its instructions were executed in a row.
    block: Option<Row>,
    walked: u32,
    /// Its ways out are not to be told.
    is_off: bool,
}

impl<M: Machine> Forward<'_, M> {
    /// Counts one more instruction that has been executed. If there have been many in the same code, goes to where that
    /// is left.
    pub(super) fn turn(&mut self) -> Result<Next, Error> {
        let here = self.m.spot()?;
        if !self.turns.block.as_ref().is_some_and(|b| b.contains(here.pc)) {
            let row = self.row.clone().filter(|row| row.contains(here.pc));
            self.turns = Turns { block: row.map(|row| self.block_around(row)), ..Turns::default() };
        }
        self.turns.walked += 1;
        if self.turns.is_off || self.turns.walked < WALKED {
            return Ok(Next::GoOn);
        }
        self.turns.walked = 0;
        let places = match (&self.turns.block, &self.home) {
            (Some(block), Some(home)) => self.places_after(&block.clone(), &home.clone(), here),
            _ => None,
        };
        let Some(places) = places else {
            self.turns.is_off = true;
            return Ok(Next::GoOn);
        };
        self.run_to(&places).map(|next| match (next, self.m.spot()) {
            // The same address may be where a caller of the same function goes on.
            (Next::Look, Ok(now)) if now.sp != here.sp => Next::Returned,
            (next, _) => next,
        })
    }

    /// Finds all the code of one line around a stretch of it, without a gap.
    fn block_around(&mut self, row: Row) -> Row {
        let mut row = self.m.extended_back(row, |_| false);
        while let Some(after) = self.m.row(row.end)
            && after.same_line(&row)
            && after.start == row.end
        {
            row.end = after.end;
        }
        row
    }

    /// Finds where a thread can come to when it leaves the code of a line; `None` if that is not clear.
    fn places_after(&mut self, block: &Row, home: &Body, here: Spot) -> Option<Vec<Temporary>> {
        let ways = self.m.ways_out(block.start, block.end)?;
        let is_through = |this: &mut Self, at: &RunAddr| {
            let path = this.m.inlined(*at);
            home.contains(*at) && beginning(&path) == 0 && Inside::new(&path, 0) == this.inside
        };
        let is_passed = !ways.calls || self.calls == Calls::Over;
        if !is_passed || ways.targets.len() > MOST || ways.targets.iter().any(|to| !home.contains(*to)) {
            return None;
        }
        ways.instructions.iter().all(|at| is_through(self, at)).then_some(())?;
        let goal = self.goal.filter(|goal| block.contains(*goal));
        let mut places: Vec<_> = ways.targets.iter().chain(&goal).map(|to| Temporary::is(*to, here.sp)).collect();
        if ways.returns {
            let back = self.m.caller(0).filter(|back| back.sp > here.sp)?;
            self.m.connector(back.pc).is_none().then(|| places.push(Temporary::is(back.pc, back.sp)))?;
        }
        (!places.is_empty()).then_some(places)
    }
}
