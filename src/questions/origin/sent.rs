//! Goes on from a call that has read to the one that wrote it, perhaps in another process.

use super::HopKind;
use super::names::of_memory;
use super::snapshot::Snapshot;
use super::trace::{Next, Spot, Tracer, Tracked};
use crate::questions::channels::{Channels, Reader, Sent};
use crate::questions::error::Error;
use crate::questions::frame::GENERAL;
use std::time::Instant;

impl Tracer<'_> {
    /// Goes on where what a call has read was written; `what`: the call in words. `None`: it has not read from a pipe or a
    /// socket of which the other end was recorded, or the call that wrote it is not certain, which is noted.
    pub(super) fn by_sender(
        &mut self,
        reader: Reader,
        what: &str,
        address: u64,
        tracked: &Tracked,
    ) -> Result<Option<Next>, Error> {
        let channels = match self.channels.take() {
            Some(channels) => channels,
            None => {
                let looker = self.looker;
                looker.passes.set(looker.passes.get() + 1);
                let patience = looker.until.saturating_duration_since(Instant::now());
                Channels::ask(looker.rr, &looker.trace, looker.program, looker.cancel, patience)?
            }
        };
        let sent = channels.sender(reader, address, tracked.bytes.len() as u64);
        self.channels = Some(channels);
        let sent = match sent {
            Some(Ok(sent)) => sent,
            Some(Err(why)) => {
                self.note(why);
                return Ok(None);
            }
            None => return Ok(None),
        };
        let Some(before) = self.where_it_was_sent(&sent) else { return Ok(None) };
        // Users know the call, not the library's inside.
        let call = self.call_of(&before, 0).map_or_else(|| before.clone(), |(_, call)| call);
        let name = of_memory(self.program(), &call, sent.address, tracked.bytes.len() as u64);
        let process = match before.pid == tracked.before.pid {
            true => format!("thread {}", before.tid),
            false => format!("process {}", before.pid),
        };
        let Sent { function, descriptor, offset, length, by, .. } = &sent;
        let name = name.told(tracked.bytes.len());
        let from = format!(
            "{what}, a {by}: {name} of {process}, bytes {offset} on of {length} that {function} wrote to its descriptor \
             {descriptor}"
        );
        self.close(HopKind::Sent, from);
        let bytes = tracked.bytes.clone();
        let is_here = before.pid == self.looker.pid;
        let next = Tracked { spot: Spot::Memory(sent.address), bytes, before };
        Ok(Some(if is_here { Next::on(next) } else { Next::Elsewhere(Box::new(next)) }))
    }

    /// Returns the state where a call begins that wrote.
    fn where_it_was_sent(&self, sent: &Sent) -> Option<Snapshot> {
        let call = &sent.call;
        let bias = self.program().bias(sent.module, call.pid, call.event.saturating_add(1))?;
        let mut registers = [None; GENERAL as usize];
        let (known, stack) = sent.state();
        for (number, value) in known {
            *registers.get_mut(usize::from(number))? = Some(value);
        }
        Some(Snapshot {
            thread: Some(call.thread),
            tid: call.tid,
            pid: call.pid,
            ticks: call.ticks,
            pc: sent.entry.at(bias).0,
            registers,
            stack,
            texts: Vec::new(),
            vectors: Vec::new(),
            frame: None,
            event: Some(call.event),
            visit: call.visit,
            is_exact: true,
            anchor: None,
        })
    }
}
