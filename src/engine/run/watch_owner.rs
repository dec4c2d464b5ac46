//! What a stop tells of whose memory is watched: of a frame that is gone, or of the heap, which an allocator hands out
//! and takes back. A watchpoint goes on at its address; a stop says that the memory is another's.

use crate::api::error::Error;
use crate::api::{Frame, Reason};
use crate::breakpoints::table::Trigger;
use crate::breakpoints::watch_scope::Owner;
use crate::run::session::Session;
use crate::run::stop_state::StoreSequence;
use arch::{RunAddr, ThreadId};

/// Frames of an allocator, the innermost ones, among which the function that the program has called is.
const ALLOCATOR_DEPTH: u32 = 8;

/// Bytes of a word.
const WORD: u64 = 8;

/// What hands out memory, and what takes it back.
const HANDS_OUT: [&str; 9] = [
    "malloc",
    "calloc",
    "realloc",
    "memalign",
    "aligned_alloc",
    "posix_memalign",
    "operator new",
    "operator new[]",
    "mmap",
];
const TAKES_BACK: [&str; 5] = ["free", "cfree", "operator delete", "operator delete[]", "munmap"];

impl Session {
    /// Notes what a stop at a watchpoint has to tell of whose memory it is.
    pub(crate) fn note_owner_of_watched(&mut self, number: u32, thread: ThreadId) -> Result<(), Error> {
        let Some((expression, address, owner)) = self.watched(number) else { return Ok(()) };
        match owner {
            Some(owner) if self.debuggee.inferior.has(&owner) == Some(false) => {
                let absence = owner.absence(self.debuggee.inferior.position(thread)?);
                self.notes.push(format!(
                    "watchpoint {number}: the call of `{}` that has `{expression}` {absence} here; the memory at \
                     {address:#x} is something else's",
                    owner.function
                ));
            }
            Some(_) => {}
            // What an image has is no allocator's.
            None if self.debuggee.inferior.modules.at(RunAddr(address)).is_some() => {}
            None => {
                let Some((function, hands_out)) = self.allocator_above(thread)? else { return Ok(()) };
                let what = match hands_out {
                    true => "before, its memory was something else's, or nobody's",
                    false => "from here on, its memory is something else's, or nobody's",
                };
                self.notes.push(format!(
                    "watchpoint {number}: written in `{function}`: this may be no value of `{expression}`; {what}"
                ));
            }
        }
        Ok(())
    }

    /// Finds which stores of an allocator a stop at a watchpoint is among, if it watches several words: an allocator
    /// keeps its lists in them, a word after the other.
    pub(crate) fn stores_of_allocator(
        &mut self,
        number: u32,
        thread: ThreadId,
    ) -> Result<Option<StoreSequence>, Error> {
        let watch = self.debuggee.breakpoints.get(number).and_then(|entry| entry.watch());
        let Some((address, size)) =
            watch.filter(|watch| watch.owner.is_none()).map(|watch| (watch.address, watch.size))
        else {
            return Ok(None);
        };
        let is_of_image = self.debuggee.inferior.modules.at(RunAddr(address)).is_some();
        if size <= WORD || is_of_image || self.allocator_above(thread)?.is_none() {
            return Ok(None);
        }
        let moment = self.debuggee.inferior.position(thread)?.moment;
        Ok(moment.map(|moment| StoreSequence { number, thread, moment }))
    }

    /// Notes, at the end or the start of the recording, which watchpoints watch what there is no more, or not yet.
    pub(crate) fn note_owners_at_the_end(&mut self) {
        if !matches!(self.reason, Reason::EndOfRecording { .. } | Reason::StartOfRecording) {
            return;
        }
        let numbers: Vec<u32> = self.debuggee.breakpoints.enabled().map(|entry| entry.number).collect();
        for number in numbers {
            let Some((expression, _, Some(owner))) = self.watched(number) else { continue };
            if self.debuggee.inferior.has(&owner) == Some(false)
                && let Ok(here) = self.debuggee.inferior.position(self.debuggee.thread)
            {
                let absence = owner.absence(here);
                self.notes.push(format!(
                    "watchpoint {number}: the call of `{}` that has `{expression}` {absence} here",
                    owner.function
                ));
            }
        }
    }

    fn watched(&mut self, number: u32) -> Option<(String, u64, Option<Owner>)> {
        let entry = self.debuggee.breakpoints.get(number)?;
        match &entry.what {
            Trigger::Data { watch, .. } => Some((entry.text.clone(), watch.address, watch.owner.clone())),
            Trigger::Code { .. } => None,
        }
    }

    /// Finds the function of an allocator that a thread is in, and whether it hands out memory.
    fn allocator_above(&mut self, thread: ThreadId) -> Result<Option<(String, bool)>, Error> {
        for number in 0..ALLOCATOR_DEPTH {
            let Ok(level) = self.debuggee.inferior.level(thread, number) else { break };
            let Frame { function: Some(name), .. } = self.debuggee.inferior.frame(thread, number, level, false)? else {
                continue;
            };
            let plain = name.trim_start_matches("__libc_").trim_start_matches('_');
            let hands_out = HANDS_OUT.contains(&plain);
            if hands_out || TAKES_BACK.contains(&plain) {
                return Ok(Some((name, hands_out)));
            }
        }
        Ok(None)
    }
}
