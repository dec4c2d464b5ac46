//! Goes on from a call that has read to the one that wrote it, perhaps in another process.

use super::HopKind;
use super::names::of_memory;
use super::snapshot::Snapshot;
use super::trace::{Next, Spot, Tracer, Tracked};
use crate::channels::{Channels, Over, Reader, Sent};
use crate::error::Error;
use crate::frame::GENERAL;
use rr::Mapped;
use std::time::Instant;

impl Tracer<'_> {
    /// Returns what processes send each other, which takes a pass the first time.
    fn asked_channels(&mut self) -> Result<Channels, Error> {
        if let Some(channels) = self.channels.take() {
            return Ok(channels);
        }
        let looker = self.looker;
        looker.passes.set(looker.passes.get() + 1);
        let patience = looker.until.saturating_duration_since(Instant::now());
        Channels::ask(looker.rr, &looker.trace, looker.program, looker.cancel, patience)
    }

    /// Goes on where what a call has read was written; `what`: the call in words; `read`: the state of its thread then.
    /// `None`: nobody in the recording wrote it, as far as is seen, or who did is not certain, which is noted.
    pub(super) fn by_sender(
        &mut self,
        reader: Reader,
        (what, read): (&str, &Snapshot),
        address: u64,
        tracked: &Tracked,
    ) -> Result<Option<Next>, Error> {
        let length = tracked.bytes.len() as u64;
        let channels = self.asked_channels()?;
        let sent = channels.sender(reader, address, length);
        let place = channels.mapped_place(reader, address, length);
        self.channels = Some(channels);
        // Of a file that is mapped, a store may be the last that wrote it.
        if let Some((inode, at)) = place
            && let Some(next) =
                self.by_store(inode, at, (what, read), sent.as_ref().and_then(|sent| sent.as_ref().ok()), tracked)?
        {
            return Ok(Some(next));
        }
        self.by_found(sent, what, tracked)
    }

    /// Goes on where what a file has was written that is mapped at an address; `what`: how it came there; `before`: the calls
    /// that count. `None`: as [`Tracer::by_sender`].
    pub(super) fn by_file(
        &mut self,
        what: &str,
        address: u64,
        before: &dyn Fn(&Mapped, &Over) -> bool,
        tracked: &Tracked,
    ) -> Result<Option<Next>, Error> {
        let program = self.program();
        let found = program.mappings.at(tracked.before.pid, tracked.before.mapped(), address);
        let Some(mapped) = found.filter(|mapped| mapped.name.starts_with('/')) else { return Ok(None) };
        let at = mapped.offset.saturating_add(address - mapped.start);
        let file = (mapped.inode, mapped.name.as_str());
        let channels = self.asked_channels()?;
        let sent = channels.writer_of(file, at, &tracked.bytes, &|over| before(mapped, over));
        self.channels = Some(channels);
        self.by_found(sent, what, tracked)
    }

    fn by_found(
        &mut self,
        sent: Option<Result<Sent, String>>,
        what: &str,
        tracked: &Tracked,
    ) -> Result<Option<Next>, Error> {
        match sent {
            Some(Ok(sent)) => self.by_sent(&sent, what, tracked),
            Some(Err(why)) => {
                self.note(why);
                Ok(None)
            }
            None => Ok(None),
        }
    }

    /// Goes on in the memory that a call has written from.
    fn by_sent(&mut self, sent: &Sent, what: &str, tracked: &Tracked) -> Result<Option<Next>, Error> {
        let Some(before) = self.where_it_was_sent(sent) else { return Ok(None) };
        // Users know the call, not the library's inside.
        let call = self.call_of(&before, 0).map_or_else(|| before.clone(), |(_, call)| call);
        let name = of_memory(self.program(), &call, sent.address, tracked.bytes.len() as u64);
        let process = process_of(&before, &tracked.before);
        let Sent { function, descriptor, offset, length, by, .. } = sent;
        let name = name.told(tracked.bytes.len());
        let from = format!(
            "{what}, {by}: {name} of {process}, bytes {offset} on of {length} that {function} wrote to its descriptor \
             {descriptor}"
        );
        self.close(HopKind::Sent, from);
        let is_here = before.pid == self.looker.pid;
        let next = Tracked::at(Spot::Memory(sent.address), tracked.bytes.clone(), before);
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

/// Returns in words of which process a state is, as seen from another one.
pub(super) fn process_of(state: &Snapshot, from: &Snapshot) -> String {
    match state.pid == from.pid {
        true => format!("thread {}", state.tid),
        false => format!("process {}", state.pid),
    }
}
