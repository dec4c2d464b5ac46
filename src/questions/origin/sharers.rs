//! Goes on where another process has written to memory that it shares, or the same one by another mapping.

use super::HopKind;
use super::look::{Area, Ask, Seen};
use super::names::of_memory;
use super::sent::process_of;
use super::snapshot::Snapshot;
use super::trace::{Next, Spot, Tracer, Tracked};
use crate::channels::{Over, Sent};
use crate::error::Error;
use crate::shared::Shared;
use rr::Mapped;

/// How what a file has comes to be in memory.
pub(super) const MAPPED: &str = "mapped there";

impl Tracer<'_> {
    /// Goes on where shared memory was written last; `seen`: the last write of all that share it. `None`: its own process has
    /// written it where it has it, or nobody.
    pub(super) fn by_sharer(
        &mut self,
        shared: &Shared,
        seen: Option<&Seen>,
        tracked: &Tracked,
    ) -> Result<Option<Next>, Error> {
        if shared.is_cut {
            return self.stopped("the memory is shared at more addresses than are looked at", tracked).map(Some);
        }
        let name = of_memory(self.program(), &tracked.before, shared.own, tracked.bytes.len() as u64);
        let to = match self.hops.is_empty() && self.open.is_none() {
            true => self.query.expression.clone(),
            false => name.clone().told(tracked.bytes.len()),
        };
        self.begin(to, &tracked.bytes, &tracked.before, Some(&name));
        if let Some(open) = &mut self.open {
            open.is_placed = true;
        }
        // What calls write to a file comes to its mappings by no instruction.
        if !seen.is_some_and(|seen| seen.is_code && has_left(seen, shared, tracked)) {
            let before = tracked.before.clone();
            let is_before = |_: &Mapped, over: &Over| is_behind(&before, over);
            if let Some(next) = self.by_file(MAPPED, shared.own, &is_before, tracked)? {
                return Ok(Some(next));
            }
        }
        let Some((seen, written, own)) = seen.and_then(|seen| Some((seen, seen.written.as_ref()?, seen.own?))) else {
            self.open = None;
            return Ok(None);
        };
        if seen.state.pid == self.looker.pid && written.address == own {
            self.open = None;
            return Ok(None);
        }
        let base = written.address.wrapping_sub(own.wrapping_sub(shared.own));
        let what = match shared.name.is_empty() || shared.name.starts_with("/dev/zero") {
            true => "shared memory".to_owned(),
            false => format!("shared memory, {} at byte {}", shared.name, shared.offset),
        };
        Ok(Some(self.by_writer(seen, base, &what, tracked)))
    }

    /// Goes on where what a call has read of a file was stored by a mapping of that, unless a call has written it since.
    /// `None`: it was not, as far as is seen.
    pub(super) fn by_store(
        &mut self,
        inode: (u64, u64),
        at: u64,
        (what, read): (&str, &Snapshot),
        sent: Option<&Sent>,
        tracked: &Tracked,
    ) -> Result<Option<Next>, Error> {
        let length = tracked.bytes.len() as u64;
        let Some(shared) = Shared::of(&self.program().mappings, inode, at, length) else { return Ok(None) };
        let memory = Some(Area { address: shared.own, length, last: Some(1), shared: Some(&shared) });
        let ask = Ask { before: read, at: &[], memory, texts: Vec::new() };
        let Some(seen) = self.looker.last(&ask, &|seen| seen.written.is_some() && seen.is_code)?.last else {
            return Ok(None);
        };
        if sent.is_some_and(|sent| !is_behind(&seen.state, &sent.over)) {
            return Ok(None);
        }
        let Some((written, own)) = seen.written.as_ref().zip(seen.own) else { return Ok(None) };
        if !has_left(&seen, &shared, tracked) {
            return Ok(None);
        }
        let base = written.address.wrapping_sub(own.wrapping_sub(shared.own));
        let what = format!("{what}, the file {} at byte {at}", shared.name);
        Ok(Some(self.by_writer(&seen, base, &what, tracked)))
    }

    /// Goes on at a write to shared memory, which begins there at this address of the writer.
    fn by_writer(&mut self, seen: &Seen, base: u64, what: &str, tracked: &Tracked) -> Next {
        let name = of_memory(self.program(), &seen.state, base, tracked.bytes.len() as u64);
        let process = process_of(&seen.state, &tracked.before);
        self.close(HopKind::Shared, format!("{what}: {} of {process}", name.told(tracked.bytes.len())));
        let wrote = Some(Box::new(seen.clone()));
        let next = Tracked { wrote, ..Tracked::at(Spot::Memory(base), tracked.bytes.clone(), seen.state.clone()) };
        match seen.state.pid == self.looker.pid {
            true => Next::on(next),
            false => Next::Elsewhere(Box::new(next)),
        }
    }
}

/// Returns whether a write has left what is followed.
fn has_left(seen: &Seen, shared: &Shared, tracked: &Tracked) -> bool {
    let Some((written, own)) = seen.written.as_ref().zip(seen.own) else { return false };
    let into = usize::try_from(own.wrapping_sub(shared.own)).unwrap_or(usize::MAX);
    tracked.bytes.get(into..into.saturating_add(written.after.len())) == Some(&written.after)
}

/// Returns whether a state is behind the end of a call, or the same moment.
pub(super) fn is_behind(state: &Snapshot, over: &Over) -> bool {
    let event = state.event.unwrap_or(u64::MAX);
    over.event < event || over.event == event && over.tid == state.tid && over.ticks <= state.ticks
}
