//! Calls in their order, thread by thread, for who compares them.

use super::Calls;
use super::join::Call;
use super::row::CallRow;
use crate::answer::ASKED;
use crate::error::Error;
use crate::matching::End;
use crate::place::Asked;
use crate::program::Program;
use base::cancel::Cancel;
use std::collections::BTreeMap;

impl Calls {
    /// Returns the program.
    pub(crate) const fn program(&self) -> &Program {
        &self.program
    }

    /// Returns the function of a call, by the number of its row.
    pub(crate) fn function_of(&self, row: usize) -> Option<&Asked> {
        let call = self.calls.get(row)?;
        self.subjects.get(call.subject as usize).map(|subject| &subject.asked)
    }

    /// Returns the number of the thread of each row, from 1 in the order of the threads' beginnings.
    ///
    /// # Errors
    /// If what was found cannot be read any more, and if it is cancelled.
    pub(crate) fn threads(&self, cancel: &Cancel) -> Result<Vec<u32>, Error> {
        let mut threads = Vec::with_capacity(self.calls.len());
        let mut entries = self.calls.iter().filter_map(Call::entry).peekable();
        let (mut hits, mut numbers) = (self.pass.glimpses()?, 0u64..);
        while let (Some(hit), Some(number)) = (hits.next_hit(), numbers.next()) {
            let (hit, _) = hit?;
            if number.is_multiple_of(ASKED) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if entries.next_if_eq(&number).is_some() {
                threads.push(hit.thread);
            }
        }
        Ok(threads)
    }

    /// Returns where a call began, among all hits, and where it returned.
    pub(crate) fn span_of(&self, row: usize) -> Option<(u64, Option<u64>)> {
        let call = self.calls.get(row)?;
        Some((call.entry()?, call.exit().filter(|_| call.end == End::Returned)))
    }

    /// Returns the rows of these numbers; none of what cannot be told.
    ///
    /// # Errors
    /// As [`Calls::page`].
    pub(crate) fn some_rows(&self, rows: &[usize], cancel: &Cancel) -> Result<Vec<Option<CallRow>>, Error> {
        let calls: Vec<Option<Call>> = rows.iter().map(|row| self.calls.get(*row).copied()).collect();
        let mut told = self.rows_of(&calls.iter().copied().flatten().collect::<Vec<_>>(), cancel)?.into_iter();
        Ok(calls.into_iter().map(|call| call.and_then(|_| told.next().flatten())).collect())
    }
}

/// A call, by the branches that its thread had executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// From 1 in the order of the threads' beginnings.
    pub(crate) thread: u32,
    /// When it began.
    pub(crate) begun: u64,
    /// When it returned. `None`: it did not, or that was not seen.
    pub(crate) ended: Option<u64>,
    /// The call around it, by its row.
    pub(crate) around: Option<usize>,
}

impl Calls {
    /// Returns when each call began and ended, row by row, and up to when each thread was seen. All calls must match.
    ///
    /// # Errors
    /// As [`Calls::threads`].
    pub(crate) fn spans(&self, cancel: &Cancel) -> Result<(Vec<Span>, BTreeMap<u32, u64>), Error> {
        let mut spans: Vec<Span> =
            self.calls.iter().map(|call| Span { thread: 0, begun: 0, ended: None, around: call.around() }).collect();
        let mut entries = self.calls.iter().filter_map(Call::entry).enumerate().peekable();
        let mut exits: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (row, call) in self.calls.iter().enumerate() {
            if let Some(exit) = call.exit().filter(|_| call.end == End::Returned) {
                exits.entry(exit).or_default().push(row);
            }
        }
        let mut seen = BTreeMap::new();
        let (mut hits, mut numbers) = (self.pass.glimpses()?, 0u64..);
        while let (Some(hit), Some(number)) = (hits.next_hit(), numbers.next()) {
            let (hit, _) = hit?;
            if number.is_multiple_of(ASKED) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            seen.insert(hit.thread, hit.ticks);
            if let Some((row, _)) = entries.next_if(|(_, entry)| *entry == number)
                && let Some(span) = spans.get_mut(row)
            {
                (span.thread, span.begun) = (hit.thread, hit.ticks);
            }
            for row in exits.remove(&number).into_iter().flatten() {
                if let Some(span) = spans.get_mut(row) {
                    span.ended = Some(hit.ticks);
                }
            }
        }
        Ok((spans, seen))
    }
}
