//! Forward through code in which a step takes many turns: that of its line, and of inlined functions that it passes over.
//!
//! Where it leaves that code counts, not how often it goes round in it. So it waits at all that comes after the code.

use super::{Forward, Next};
use crate::api::error::Error;
use crate::run::step::machine::{Body, Calls, Inside, Machine, Row, beginning, call_row};
use crate::run::step::stretch::{WALKED, ways_out};
use arch::{Flow, RunAddr};

/// How a step goes through code that does not end it.
#[derive(Default)]
pub(super) struct Turns {
    /// The code, and how many of its instructions were executed in a row.
    passed: Option<Passed>,
    walked: u32,
}

impl<M: Machine> Forward<'_, M> {
    /// Counts one more instruction that has been executed. If there have been many in such code, goes to where that is
    /// left.
    pub(super) fn turn(&mut self) -> Result<Next, Error> {
        let here = self.m.spot()?;
        let is_same = self.turns.passed.as_ref().is_some_and(|passed| passed.is_of(self));
        if !is_same {
            self.turns = Turns { passed: Passed::by(self), walked: 0 };
        }
        let Turns { passed: Some(passed), walked } = &mut self.turns else { return Ok(Next::GoOn) };
        *walked += 1;
        if !passed.contains(self.m, here.pc) {
            *walked = 0;
        }
        if *walked < WALKED {
            return Ok(Next::GoOn);
        }
        *walked = 0;
        let Some(places) = ways_out(self.m, here, |m, at| passed.contains(m, at)) else {
            return Ok(Next::GoOn);
        };
        self.run_to(&places).map(|next| match (next, self.m.spot()) {
            // The same address may be where a caller of the same function goes on.
            (Next::Look, Ok(now)) if now.sp != here.sp => Next::Returned,
            (next, _) => next,
        })
    }
}

/// The code of a function that a step goes through without ending in it and without changing its line.
struct Passed {
    home: Body,
    calls: Calls,
    /// The line, and the inlined functions that the step is in.
    row: Option<Row>,
    inside: Inside,
    /// Where it ends nevertheless.
    goal: Option<RunAddr>,
}

impl Passed {
    fn by<M: Machine>(step: &Forward<'_, M>) -> Option<Self> {
        let home = step.home.clone()?;
        let (row, inside) = (step.row.clone(), step.inside.clone());
        Some(Self { home, calls: step.calls, row, inside, goal: step.goal })
    }

    /// Returns whether the step is still in the line that this is the code of.
    fn is_of<M: Machine>(&self, step: &Forward<'_, M>) -> bool {
        let is_same_line = match (&self.row, &step.row) {
            (Some(then), Some(now)) => then.same_line(now),
            (then, now) => then.is_none() && now.is_none(),
        };
        is_same_line
            && self.inside == step.inside
            && self.goal == step.goal
            && step.home.as_ref().is_some_and(|home| home.entry == self.home.entry)
    }

    fn contains<M: Machine>(&self, m: &mut M, at: RunAddr) -> bool {
        if !self.home.contains(at) || self.goal == Some(at) {
            return false;
        }
        if self.calls == Calls::Into && m.instruction(at).is_none_or(|i| i.flow == Flow::Call) {
            return false;
        }
        let path = m.inlined(at);
        let beginning = beginning(&path);
        let inside = Inside::new(&path, beginning);
        if inside.is_deeper_than(&self.inside) {
            return self.calls == Calls::Over;
        }
        if inside != self.inside {
            return false;
        }
        let is_same_line = |row: &Row| self.row.as_ref().is_some_and(|own| own.same_line(row));
        match beginning {
            0 => m.row(at).is_none_or(|row| is_same_line(&row) || !row.is_stmt),
            _ => self.calls == Calls::Over && call_row(&path, beginning, at).is_some_and(|call| is_same_line(&call)),
        }
    }
}
