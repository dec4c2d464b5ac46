//! The replayed process as the rest of the engine sees it: a [`RemoteTarget`] with its registers and memory cached.
//!
//! Nothing in a replay changes while it is stopped, so what was read once stays true until the next movement. All
//! movements go through this file, and [`Process::moved`] is the one place where the caches are dropped.

use crate::api::Mapping;
use crate::api::error::Error;
use crate::target::interface::RemoteTarget;
use crate::target::waiting_parents::{Compared, Present};
use arch::{Arch, RegisterLayout, Registers, RunAddr, ThreadId};
use base::cancel::Cancel;
use base::untrusted::one_line;
use ctype::Unavailable;
use dwarf::Work;
use rr::{Delivery, SharedMemory, deliveries, shared_memory};
use rsp::{Abilities, Break, BreakKind, Moment, Outcome, Restart, Resume, SIGTRAP, StopCause, StopReply, Traffic};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Unit of the memory cache; divides every architecture's page size, so a unit is readable as a whole or not at all.
const PAGE: u64 = 4096;

fn is_in_code(entry: &Break) -> bool {
    matches!(entry.kind, BreakKind::Software | BreakKind::Hardware)
}

/// A stopped process.
pub(crate) struct Process {
    target: Box<dyn RemoteTarget>,
    layout: Arc<RegisterLayout>,
    /// Page number → its bytes, empty if it cannot be read.
    pages: BTreeMap<u64, Vec<u8>>,
    registers: BTreeMap<ThreadId, Arc<Registers>>,
    threads: Option<Vec<ThreadId>>,
    /// Names where it is: whatever was derived from this process is valid for one value of it.
    epoch: u64,
    /// The last value of `epoch` that was given.
    last_epoch: u64,
    /// Why memory could not be read, if nothing can be read any more.
    failed: Option<rsp::Error>,
    /// Why rr is to be replaced, if a function that was called has made it useless.
    lost: Option<Error>,
    /// What cancels waiting for answers.
    cancel: Cancel,
    /// Set by movements that may have led to another program image: forward, rr stops before an `exec`.
    maybe_another_image: bool,
    /// Where the process stops when its list of libraries changes, if something is set there.
    library_hook: Option<RunAddr>,
    /// Libraries may have been replaced since that was last asked.
    unseen_changes: bool,
    /// What is to be set in rr.
    wanted: Vec<Break>,
    /// The thread that has stopped last.
    current: Option<ThreadId>,
    /// The recording.
    trace: Option<PathBuf>,
    /// The children that share its memory for a time, once that was looked for.
    shares: Option<Arc<[SharedMemory]>>,
    /// The signals that the recording delivers, once that was asked for.
    deliveries: Option<Arc<[Delivery]>>,
    /// Those that runs forward have come by.
    passed_children: BTreeSet<u32>,
    /// The work on debug info for what is being asked. When that was cut short, nothing is told any more where to go.
    work: Work,
}

/// What was read of a process at a place that it leaves for a moment.
pub(crate) struct LeftPlace {
    pages: BTreeMap<u64, Vec<u8>>,
    registers: BTreeMap<ThreadId, Arc<Registers>>,
    threads: Option<Vec<ThreadId>>,
    epoch: u64,
    maybe_another_image: bool,
    unseen_changes: bool,
}

impl Process {
    pub(crate) fn new(target: Box<dyn RemoteTarget>) -> Self {
        let layout = target.layout();
        Self {
            target,
            layout,
            pages: BTreeMap::new(),
            registers: BTreeMap::new(),
            threads: None,
            epoch: 0,
            last_epoch: 0,
            failed: None,
            lost: None,
            cancel: Cancel::default(),
            maybe_another_image: true,
            library_hook: None,
            unseen_changes: false,
            wanted: Vec::new(),
            current: None,
            trace: None,
            shares: None,
            deliveries: None,
            passed_children: BTreeSet::new(),
            work: Work::default(),
        }
    }

    /// Watches this work: from now on it goes nowhere when that is cancelled.
    pub(crate) fn watch(&mut self, work: &Work) {
        self.work = work.clone();
    }

    /// Fails if debug info does not answer any more: what was found out since then is not true.
    pub(crate) fn check_answers(&self) -> Result<(), Error> {
        Ok(self.work.check()?)
    }

    /// Sets which recording it is of.
    pub(crate) fn set_recording(&mut self, trace: &Path) {
        self.trace = Some(trace.to_owned());
    }

    /// Goes on with another replay of the same process.
    pub(crate) fn replace(&mut self, target: Box<dyn RemoteTarget>) {
        self.layout = target.layout();
        self.target = target;
        (self.failed, self.current, self.unseen_changes) = (None, None, true);
        self.moved();
        self.maybe_another_image = true;
    }

    pub(crate) fn layout(&self) -> &Arc<RegisterLayout> {
        &self.layout
    }

    pub(crate) fn arch(&self) -> Arch {
        self.layout.arch
    }

    /// Returns how often the process was moved, there and back counted twice.
    pub(crate) fn moves(&self) -> u64 {
        self.last_epoch
    }

    /// Changes with each movement.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    pub(crate) fn registers(&mut self, thread: ThreadId) -> Result<Arc<Registers>, Error> {
        if let Some(known) = self.registers.get(&thread) {
            return Ok(known.clone());
        }
        let mut read = self.target.registers(thread)?;
        // One moment has the same registers, whatever way rr has come to it.
        read.clear_resume_flag();
        let read = Arc::new(read);
        self.registers.insert(thread, read.clone());
        Ok(read)
    }

    /// Fills `buffer`, or gives the first address that cannot be read.
    pub(crate) fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
        let mut done = 0usize;
        while done < buffer.len() {
            let at = address.checked_add(done as u64).ok_or(Unavailable::Memory(address))?;
            let offset = (at % PAGE) as usize;
            let page = self.page(at / PAGE);
            let Some(bytes) = page.get(offset..).filter(|b| !b.is_empty()) else {
                return Err(Unavailable::Memory(at));
            };
            let n = bytes.len().min(buffer.len() - done);
            buffer[done..done + n].copy_from_slice(&bytes[..n]);
            done += n;
        }
        Ok(())
    }

    /// Reads as many bytes as can be read from `address`, up to `len`.
    pub(crate) fn read_up_to(&mut self, address: u64, len: usize) -> Vec<u8> {
        let mut out = Vec::new();
        while out.len() < len {
            let Some(at) = address.checked_add(out.len() as u64) else {
                break;
            };
            let page = self.page(at / PAGE);
            let Some(bytes) = page.get((at % PAGE) as usize..).filter(|b| !b.is_empty()) else {
                break;
            };
            let n = bytes.len().min(len - out.len());
            out.extend_from_slice(&bytes[..n]);
        }
        out
    }

    /// Reads as many bytes as one request gives, and does not remember them: for whoever looks at very much.
    pub(crate) fn read_once(&mut self, address: RunAddr, len: usize) -> Result<Vec<u8>, Error> {
        match self.target.read_memory(address, len) {
            Ok(bytes) => Ok(bytes),
            Err(error) if error.is_fatal() => Err(error.into()),
            Err(_) => Ok(Vec::new()),
        }
    }

    pub(crate) fn read_u64(&mut self, address: u64) -> Option<u64> {
        self.read_array(address).map(u64::from_le_bytes)
    }

    /// Reads so many bytes. `None`: not all of them can be read.
    pub(crate) fn read_array<const N: usize>(&mut self, address: u64) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.read(address, &mut bytes).ok()?;
        Some(bytes)
    }

    /// Reads a NUL-terminated string of at most `limit` bytes.
    pub(crate) fn read_c_string(&mut self, address: u64, limit: usize) -> Option<String> {
        let mut text = Vec::new();
        while text.len() < limit {
            // To the end of the page, and further only if the string goes on there.
            let at = address.checked_add(text.len() as u64)?;
            let bytes = self.read_up_to(at, (PAGE - at % PAGE) as usize);
            match memchr::memchr(0, &bytes) {
                Some(end) => {
                    text.extend_from_slice(&bytes[..end]);
                    return Some(String::from_utf8_lossy(&text).into_owned());
                }
                None if bytes.is_empty() => return None,
                None => text.extend_from_slice(&bytes),
            }
        }
        None
    }

    fn page(&mut self, number: u64) -> &[u8] {
        let Self { target, failed, .. } = self;
        self.pages.entry(number).or_insert_with(|| {
            let read = target.read_memory(RunAddr(number.wrapping_mul(PAGE)), PAGE as usize);
            read.unwrap_or_else(|error| {
                // A dead connection reads as unreadable memory here; whoever asked looks at this afterwards.
                if error.is_fatal() {
                    failed.get_or_insert(error);
                }
                Vec::new()
            })
        })
    }

    /// Takes the reason why all memory has read as unreadable since then, if the connection has failed.
    pub(crate) fn take_failure(&mut self) -> Option<rsp::Error> {
        self.failed.take()
    }

    pub(crate) fn threads(&mut self) -> Result<Vec<ThreadId>, Error> {
        if self.threads.is_none() {
            self.threads = Some(self.target.threads()?);
        }
        Ok(self.threads.clone().unwrap_or_default())
    }

    pub(crate) fn thread_name(&mut self, thread: ThreadId) -> Result<Option<String>, Error> {
        Ok(self.target.thread_name(thread)?.map(|name| one_line(&name).into_owned()))
    }

    pub(crate) fn pass_signals(&mut self, numbers: &[u8]) -> Result<(), Error> {
        Ok(self.target.pass_signals(numbers)?)
    }

    pub(crate) fn set_breaks(&mut self, wanted: &[Break]) -> Result<(), Error> {
        self.wanted = wanted.to_vec();
        Ok(self.target.set_breaks(wanted)?)
    }

    pub(crate) fn insert_breaks(&mut self) -> Result<(), Error> {
        self.check_answers()?;
        Ok(self.target.insert_breaks()?)
    }

    /// Resumes, forward past children that share its memory, which are not stopped by what is set in it.
    pub(crate) fn resume(&mut self, how: Resume, cancel: &Cancel) -> Result<Outcome, Error> {
        self.check_answers()?;
        let is_run = matches!(how, Resume::Continue | Resume::ReverseContinue(_));
        self.unseen_changes |= is_run && !self.wanted.iter().any(|entry| Some(entry.address) == self.library_hook);
        if matches!(how, Resume::Continue | Resume::Step(_)) && self.wanted.iter().any(is_in_code) {
            let shares = self.shares(cancel);
            if let Some(compared) = Compared::of(&self.layout).filter(|_| !shares.is_empty()) {
                return self.resume_past_children(how, (&shares, compared), cancel);
            }
        }
        self.resume_once(how, cancel)
    }

    fn resume_once(&mut self, how: Resume, cancel: &Cancel) -> Result<Outcome, Error> {
        self.moved();
        self.maybe_another_image |= matches!(how, Resume::ReverseContinue(_) | Resume::ReverseStep(_));
        let outcome = self.target.resume(how, cancel)?;
        let (Outcome::Stopped(reply) | Outcome::Interrupted(reply)) = outcome;
        self.stopped(reply);
        Ok(outcome)
    }

    fn stopped(&mut self, reply: StopReply) {
        if let StopReply::Stopped { thread, .. } = reply {
            self.current = Some(thread);
        }
    }

    /// Sets where the process comes by when its list of libraries changes.
    pub(crate) fn stops_at_changes_of_libraries(&mut self, at: Option<RunAddr>) {
        self.library_hook = at;
    }

    /// Returns whether libraries may have been replaced by others since this was asked last, without a stop.
    pub(crate) fn take_unseen_changes(&mut self) -> bool {
        std::mem::take(&mut self.unseen_changes)
    }

    /// Returns the signals that the recording delivers; none, if it cannot be read.
    pub(crate) fn deliveries(&mut self, cancel: &Cancel) -> Arc<[Delivery]> {
        if let Some(known) = &self.deliveries {
            return known.clone();
        }
        let Some(trace) = &self.trace else { return Arc::default() };
        match deliveries(trace, cancel) {
            Err(rr::Error::Cancelled { .. }) => Arc::default(),
            read => self.deliveries.insert(read.unwrap_or_default().into()).clone(),
        }
    }

    /// Returns which children share its memory for a time; none, if the recording does not tell.
    fn shares(&mut self, cancel: &Cancel) -> Arc<[SharedMemory]> {
        if let Some(known) = &self.shares {
            return known.clone();
        }
        let (Some(trace), Some(current)) = (&self.trace, self.current) else { return Arc::default() };
        match shared_memory(trace, current.pid, cancel) {
            // The run is cancelled, too.
            Err(rr::Error::Cancelled { .. }) => Arc::default(),
            found => self.shares.insert(found.unwrap_or_default().into()).clone(),
        }
    }

    fn resume_past_children(
        &mut self,
        how: Resume,
        (shares, compared): (&[SharedMemory], Compared),
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        let wanted = std::mem::take(&mut self.wanted);
        let ran = self.run_past_children(how, &wanted, (shares, compared), cancel);
        self.set_breaks(&wanted)?;
        ran
    }

    fn run_past_children(
        &mut self,
        how: Resume,
        wanted: &[Break],
        (shares, compared): (&[SharedMemory], Compared),
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        let mut refused = BTreeSet::new();
        loop {
            let Some(thread) = self.current else { return self.resume_once(how, cancel) };
            let event = self.moment(thread)?.event;
            let pc = self.registers(thread)?.pc();
            let present = Present::at(shares, event, thread, pc);
            let mut is_free = |at: RunAddr| {
                !refused.contains(&at) && self.target.read_memory(at, 1).is_ok_and(|read| !read.is_empty())
            };
            let (all, own) = present.guard(wanted, shares, event, compared, &mut is_free);
            self.target.set_breaks(&all)?;
            // What is set with the child has to be gone when its parent goes on.
            let is_made_next = present.is_made_next && how == Resume::Continue;
            let once = if is_made_next { Resume::Step(thread) } else { how };
            let outcome = match self.resume_once(once, cancel) {
                Err(Error::Rsp(rsp::Error::Rejected { refused: entry, .. })) if own.contains(&entry.address) => {
                    refused.insert(entry.address);
                    continue;
                }
                other => other?,
            };
            self.passed_children.extend(present.children);
            let Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, thread: stopped, cause }) = outcome else {
                return Ok(outcome);
            };
            let here = self.registers(stopped)?.pc();
            let is_wanted =
                here.is_some_and(|here| wanted.iter().any(|entry| is_in_code(entry) && entry.address == here));
            match cause {
                StopCause::Plain if is_made_next && stopped == thread && is_wanted => {
                    // The next run would go off it.
                    let cause = StopCause::SoftwareBreak;
                    return Ok(Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, thread, cause }));
                }
                StopCause::Plain if is_made_next && stopped == thread => {}
                StopCause::SoftwareBreak if !is_wanted && here.is_some_and(|here| own.contains(&here)) => {}
                _ => return Ok(outcome),
            }
        }
    }

    /// Takes the children that runs forward have come by while they shared its memory.
    pub(crate) fn take_passed_children(&mut self) -> Vec<SharedMemory> {
        let passed = std::mem::take(&mut self.passed_children);
        let shares = self.shares.as_deref().unwrap_or_default();
        shares.iter().filter(|share| passed.contains(&share.child)).copied().collect()
    }

    pub(crate) fn restart(&mut self, to: Restart, deadline: Duration) -> Result<StopReply, Error> {
        self.check_answers()?;
        self.moved();
        self.maybe_another_image = true;
        self.unseen_changes = true;
        let reply = self.target.restart(to, deadline)?;
        self.stopped(reply);
        Ok(reply)
    }

    /// Begins a diversion: a copy of the process, in which functions can be called. What was found out of the process
    /// is true of it, too.
    pub(crate) fn begin_diversion(&mut self, thread: ThreadId) -> Result<(), Error> {
        self.check_answers()?;
        Ok(self.target.begin_diversion(thread)?)
    }

    /// Writes memory of the copy, which has to be mapped.
    pub(crate) fn write_memory(&mut self, at: RunAddr, bytes: &[u8]) -> Result<(), Error> {
        self.changed();
        Ok(self.target.write_memory(at, bytes)?)
    }

    /// Writes a register of the copy.
    pub(crate) fn write_register(&mut self, thread: ThreadId, number: u32, bytes: &[u8]) -> Result<(), Error> {
        self.changed();
        Ok(self.target.write_register(thread, number, bytes)?)
    }

    /// Has a thread of the copy run until it comes to an address.
    pub(crate) fn run_diverted(
        &mut self,
        thread: ThreadId,
        until: RunAddr,
        patience: Duration,
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        self.changed();
        Ok(self.target.run_diverted(thread, until, patience, cancel)?)
    }

    /// Ends the diversion: the process is what it was.
    pub(crate) fn end_diversion(&mut self) -> Result<(), Error> {
        self.changed();
        Ok(self.target.end_diversion()?)
    }

    /// Drops what was read. The stacks of the threads stay what they are: in a copy, who calls a function puts the
    /// registers back.
    fn changed(&mut self) {
        self.pages.clear();
        self.registers.clear();
    }

    fn moved(&mut self) {
        self.changed();
        self.threads = None;
        self.last_epoch += 1;
        self.epoch = self.last_epoch;
    }

    /// Takes out what was read, for when the process comes back to where it is.
    pub(crate) fn leave(&mut self) -> LeftPlace {
        LeftPlace {
            pages: std::mem::take(&mut self.pages),
            registers: std::mem::take(&mut self.registers),
            threads: self.threads.take(),
            epoch: self.epoch,
            maybe_another_image: self.maybe_another_image,
            unseen_changes: self.unseen_changes,
        }
    }

    /// Puts that back: the process is there again.
    pub(crate) fn come_back(&mut self, to: LeftPlace) {
        let LeftPlace { pages, registers, threads, epoch, maybe_another_image, unseen_changes } = to;
        (self.pages, self.registers, self.threads) = (pages, registers, threads);
        (self.epoch, self.maybe_another_image, self.unseen_changes) = (epoch, maybe_another_image, unseen_changes);
    }

    pub(crate) fn set_request_timeout(&mut self, after: Duration) {
        self.target.set_request_timeout(after);
    }

    /// Sets what cancels waiting for answers and restarts from now on.
    pub(crate) fn set_cancel(&mut self, cancel: &Cancel) {
        self.cancel = cancel.clone();
        self.target.set_cancel(cancel);
    }

    /// Returns what cancels waiting.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Has whatever is being done end: rr does not answer any more.
    pub(crate) fn lose(&mut self, error: Error) {
        self.lost = Some(error);
    }

    /// Takes why rr is to be replaced, if that is so.
    pub(crate) fn take_lost(&mut self) -> Option<Error> {
        self.lost.take()
    }

    pub(crate) fn last_stop(&mut self) -> Result<StopReply, Error> {
        let reply = self.target.last_stop()?;
        self.stopped(reply);
        Ok(reply)
    }

    pub(crate) fn abilities(&self) -> Abilities {
        self.target.abilities()
    }

    pub(crate) fn moment(&mut self, thread: ThreadId) -> Result<Moment, Error> {
        // It is asked of rr each time: so a call about a place notices that rr is gone.
        Ok(self.target.moment(thread)?)
    }

    /// Makes rr save the present moment. Nothing is in debug registers meanwhile: rr 5.10 copies these with the moment,
    /// and does not take them back, so that what is set later in memory at such a place is passed by.
    pub(crate) fn checkpoint(&mut self, place: &str) -> Result<u64, Error> {
        self.check_answers()?;
        if self.wanted.iter().any(|set| set.kind != BreakKind::Software) {
            self.target.set_breaks(&[])?;
            self.target.insert_breaks()?;
            let made = self.target.checkpoint(place);
            self.target.set_breaks(&self.wanted)?;
            return Ok(made?);
        }
        Ok(self.target.checkpoint(place)?)
    }

    pub(crate) fn delete_checkpoint(&mut self, id: u64) -> Result<(), Error> {
        Ok(self.target.delete_checkpoint(id)?)
    }

    /// Returns whether the program image may be another one than when it was last [known](Self::mark_image_known).
    pub(crate) fn is_image_doubtful(&self) -> bool {
        self.maybe_another_image
    }

    pub(crate) fn mark_image_known(&mut self) {
        self.maybe_another_image = false;
    }

    pub(crate) fn auxv(&mut self) -> Result<Vec<u8>, Error> {
        Ok(self.target.auxv()?)
    }

    pub(crate) fn exec_file(&mut self) -> Result<String, Error> {
        Ok(self.target.exec_file()?)
    }

    /// Reads what is mapped where.
    pub(crate) fn mappings(&mut self) -> Result<Vec<Mapping>, Error> {
        Ok(self.target.mappings()?.lines().filter_map(Mapping::parse).collect())
    }

    /// Reads the signal that a thread has stopped for, as the kernel told it.
    pub(crate) fn signal_info(&mut self, thread: ThreadId) -> Result<Vec<u8>, Error> {
        Ok(self.target.signal_info(thread)?)
    }

    pub(crate) fn traffic(&self) -> Traffic {
        self.target.traffic()
    }
}
