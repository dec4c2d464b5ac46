//! Calls as numbers: what was in the registers that arguments and results are passed in, without text.

use super::Calls;
use super::join::Call;
use super::row::CallRow;
use crate::answer::ASKED;
use crate::error::Error;
use crate::frame::register_name;
use crate::function::{AT_ENTRY, PASSED_IN};
use base::cancel::Cancel;
use rr::HitAt;
use softcounters::probes::{BriefHit, Register, Value};
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// A call whose function was asked about without types.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    /// Its number, in the order in which calls began.
    pub(crate) call: usize,
    /// The number of its function, in the order in which these were asked about.
    pub(crate) function: usize,
    /// The number of the hit with which it began, and when that was. These numbers have the order of the execution.
    pub(crate) began: (u64, HitAt),
    /// The same of its return; `None` if it did not return.
    pub(crate) ended: Option<(u64, HitAt)>,
    /// By their order in the calling convention.
    pub(crate) arguments: [u64; PASSED_IN.len()],
    /// What was in rax when it returned.
    pub(crate) result: Option<u64>,
    /// Another call of these functions was under way that began before it and returned after it, or has left to it by a
    /// tail call.
    pub(crate) is_inner: bool,
}

impl Calls {
    /// Goes by all calls: those that returned when they did, then the others. What was asked must not have left out any
    /// by a condition or a filter.
    ///
    /// # Errors
    /// If what was found cannot be read any more, and if it is cancelled.
    pub(crate) fn numbers(&self, cancel: &Cancel, mut take: impl FnMut(&Numbers)) -> Result<(), Error> {
        let arguments: Vec<Vec<Option<usize>>> =
            self.subjects.iter().map(|subject| places(&subject.entry_plan.values)).collect();
        let exit = |(number, call): (usize, &Call)| Some((call.exit()?, number));
        let mut exits: Vec<(u64, usize)> = self.calls.iter().enumerate().filter_map(exit).collect();
        exits.sort_unstable();
        let (mut entries, mut exits) = (self.calls.iter().enumerate().peekable(), exits.into_iter().peekable());
        let mut open: HashMap<usize, Numbers> = HashMap::new();
        let (mut hits, mut numbers) = (self.pass.glimpses()?, 0u64..);
        while let (Some(hit), Some(number)) = (hits.next_hit(), numbers.next()) {
            let (hit, values) = hit?;
            if number.is_multiple_of(ASKED) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if let Some((call, entered)) = entries.next_if(|(_, call)| call.entry() == Some(number)) {
                let places = arguments.get(entered.subject as usize).map_or(&[][..], Vec::as_slice);
                open.insert(call, self.began(call, entered, (number, hit), &values, places));
            }
            while let Some((_, call)) = exits.next_if(|(exit, _)| *exit == number) {
                if let Some(mut ended) = open.remove(&call) {
                    // The stack pointer is the first value, and rax the first of what is collected at returns.
                    (ended.ended, ended.result) = (Some((number, hit)), values.word(1));
                    take(&ended);
                }
            }
        }
        let mut open: Vec<Numbers> = open.into_values().collect();
        open.sort_unstable_by_key(|numbers| numbers.call);
        open.iter().for_each(take);
        Ok(())
    }

    fn began(
        &self,
        call: usize,
        entered: &Call,
        began: (u64, HitAt),
        values: &BriefHit<'_>,
        places: &[Option<usize>],
    ) -> Numbers {
        let around = entered.around().and_then(|around| self.calls.get(around));
        let is_in = around.and_then(Call::exit).zip(entered.exit()).is_some_and(|(outer, inner)| outer > inner);
        let is_inner = is_in || entered.tail;
        let mut arguments = [0; PASSED_IN.len()];
        for (argument, place) in arguments.iter_mut().zip(places) {
            *argument = place.and_then(|place| values.word(place)).unwrap_or_default();
        }
        let function = entered.subject as usize;
        Numbers { call, function, began, ended: None, arguments, result: None, is_inner }
    }

    /// Returns when a hit was: the process, and how many events were completed at least and at most.
    pub(crate) fn when(&self, hit: &HitAt) -> (u32, (u64, u64)) {
        (self.program.mappings.process_of(hit.tid), self.pass.completed_between(hit.thread, hit.ticks))
    }

    /// Returns which processes have made what is in the memory of one at an event, and between which events.
    pub(crate) fn makers(&self, pid: u32, event: u64) -> Vec<(u32, RangeInclusive<u64>)> {
        self.program.mappings.makers(pid, event)
    }

    /// Returns the rows of these calls; `None` for those that are unavailable.
    ///
    /// # Errors
    /// As [`Calls::page`].
    pub(crate) fn rows_numbered(&self, numbers: &[usize], cancel: &Cancel) -> Result<Vec<Option<CallRow>>, Error> {
        let calls: Vec<Call> = numbers.iter().filter_map(|number| self.calls.get(*number)).copied().collect();
        self.rows_of(&calls, cancel)
    }
}

/// Returns where the registers of arguments are among the values of the probe at a function's beginning.
fn places(collected: &[Value]) -> Vec<Option<usize>> {
    let place = |number: &usize| {
        let register = Register::named(register_name(*number as u16))?;
        let place = collected.iter().position(|value| *value == Value::Register(register))?;
        Some(AT_ENTRY + place)
    };
    PASSED_IN.iter().map(place).collect()
}
