//! The connection as the layers above see it: threads, registers, the position, breakpoints to want.
//!
//! Running is in `run`, restarting in `restart`, memory and files in `memory`, the first packets in `handshake`.

use super::breakpoints::Breaks;
use super::command::{Command, RrCommand, Spelling};
use super::dialect::{self, Dialect};
use super::diversion::Diversion;
use super::handshake::{self, Image};
use super::link::Link;
use super::reply::{self, Decoded};
use super::signals::{PASSED_SIGNALS, TELLING};
use super::state::ServerState;
use super::transport::{Hangup, Tcp, Transport};
use super::{Abilities, Break, Error, Moment, StopReply, Traffic};
use arch::{RegisterLayout, Registers, RunAddr, ThreadId};
use base::cancel::Cancel;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Deadline for a request that is not a resume, unless set otherwise.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// How long an interrupted run may take to stop, unless set otherwise. A backward step cannot be interrupted and has to
/// finish first.
const INTERRUPT_TIMEOUT: Duration = Duration::from_secs(60);

/// Most threads of a list, which a server may make as long as it likes.
const MOST_THREADS: usize = 1 << 14;
/// Most packets of a thread list.
const MOST_LIST_PACKETS: usize = 1000;

/// A connection to one rr server. Synchronous; one thread owns it.
///
/// Whatever is called in whatever order, rr gets nothing that kills it: a resume after the debuggee's exit, a thread of
/// another process, a removal of a breakpoint that is not there are errors here and no packets.
pub struct Client {
    pub(super) link: Link,
    pub(super) spelling: Spelling,
    pub(super) dialect: Dialect,
    pub(super) layout: Arc<RegisterLayout>,
    pub(super) state: ServerState,
    pub(super) breaks: Breaks,
    /// Checkpoints that exist.
    pub(super) checkpoints: BTreeSet<u64>,
    /// The program image at the start of the connection.
    pub(super) first_image: Image,
    /// The program image where the breakpoints were inserted.
    pub(super) image: Image,
    /// The present image may be another one than that.
    pub(super) image_in_doubt: bool,
    pub(super) interrupt_timeout: Duration,
    pub(super) abilities: Abilities,
    /// The path of the program's file, if the server cannot tell it.
    pub(super) program: Option<String>,
    /// The signals that pass silently; `None` if the server cannot be told.
    passed_signals: Option<Vec<u8>>,
    /// What it was before the diversion that it is on.
    pub(super) diversion: Option<Diversion>,
}

impl Client {
    /// Connects and does the handshake: features, no-acknowledgement mode, signals that pass silently (GDB's list),
    /// register description, and what tells the dialects apart. Connects once: rr takes a lost connection for the end.
    /// It is waited for until the call is [cancelled](Client::set_cancel).
    pub fn connect(to: SocketAddr, deadline: Duration, cancel: &Cancel) -> Result<Self, Error> {
        Self::connect_while_answered(to, deadline, deadline, cancel)
    }

    /// Connects, as [`Self::connect`] does, to a server of which each answer to the handshake has to come within
    /// `each`: one that lets itself be connected to and does not answer often serves somebody else.
    pub fn connect_while_answered(
        to: SocketAddr,
        deadline: Duration,
        each: Duration,
        cancel: &Cancel,
    ) -> Result<Self, Error> {
        let started = Instant::now();
        let limit = deadline.min(each);
        let tcp = Tcp::connect(to, limit).map_err(|source| Error::Connect { address: to, source })?;
        Self::shake_hands(Box::new(tcp), deadline.saturating_sub(started.elapsed()), limit, cancel)
    }

    /// Shakes hands over a transport that is already connected. All of the handshake may take `deadline`.
    pub fn over(transport: Box<dyn Transport>, deadline: Duration) -> Result<Self, Error> {
        Self::shake_hands(transport, deadline, deadline, &Cancel::default())
    }

    fn shake_hands(
        transport: Box<dyn Transport>,
        deadline: Duration,
        each: Duration,
        cancel: &Cancel,
    ) -> Result<Self, Error> {
        let mut link = Link::new(transport, each);
        link.cancel = cancel.clone();
        link.until = Instant::now().checked_add(deadline);
        let found = handshake::shake_hands(&mut link)?;
        (link.request_timeout, link.until) = (REQUEST_TIMEOUT, None);
        Ok(Self {
            link,
            spelling: found.spelling,
            dialect: found.dialect,
            layout: Arc::new(found.layout),
            state: ServerState::new(found.thread),
            breaks: Breaks::default(),
            checkpoints: BTreeSet::new(),
            first_image: found.image.clone(),
            image: found.image,
            image_in_doubt: false,
            interrupt_timeout: INTERRUPT_TIMEOUT,
            abilities: found.abilities,
            program: None,
            passed_signals: found.passes_signals.then(|| PASSED_SIGNALS.to_vec()),
            diversion: None,
        })
    }

    /// Sets the deadline for each request that is not a resume. Default 10 s.
    pub fn set_request_timeout(&mut self, after: Duration) {
        self.link.request_timeout = after;
    }

    /// Sets how it is seen whether the server is at work. A request to one that is is waited for ten times as long.
    pub fn set_at_work(&mut self, at_work: impl Fn() -> bool + Send + 'static) {
        self.link.at_work = Some(Box::new(at_work));
    }

    /// Sets which signals pass without stopping a run, in GDB's numbering; at first [`PASSED_SIGNALS`]. A server that
    /// does not know the request stops for all. SIGINT, SIGTRAP and SIGKILL always stop.
    pub fn pass_signals(&mut self, numbers: &[u8]) -> Result<(), Error> {
        let numbers: Vec<u8> = numbers.iter().copied().filter(|number| !TELLING.contains(number)).collect();
        if self.passed_signals.as_ref().is_none_or(|passed| *passed == numbers) {
            return Ok(());
        }
        self.ask(&Command::PassSignals(&numbers), reply::ok)?;
        self.passed_signals = Some(numbers);
        Ok(())
    }

    /// Sets how long a run may take to stop after it was interrupted. Default 60 s: a backward step is not
    /// interruptible. After that the connection is abandoned.
    pub fn set_interrupt_timeout(&mut self, after: Duration) {
        self.interrupt_timeout = after;
    }

    /// Sets what cancels waiting for answers and restarts from now on. rr does not let itself be interrupted in them,
    /// so [that](Error::Cancelled) is the end of the connection. What is asked after it was cancelled is answered as
    /// always: where a cancelled call has ended is still to be told.
    pub fn set_cancel(&mut self, cancel: &Cancel) {
        self.link.cancel = cancel.clone();
    }

    /// Returns the registers of the debuggee, fixed for the life of the connection.
    pub fn layout(&self) -> &Arc<RegisterLayout> {
        &self.layout
    }

    /// Returns what this server can do.
    pub fn abilities(&self) -> Abilities {
        self.abilities
    }

    /// Returns the process that this connection debugs.
    pub fn pid(&self) -> u32 {
        self.state.pid
    }

    /// Returns a handle that ends the connection from another thread; rr then exits as soon as it looks for requests.
    /// `None` if the transport has none.
    pub fn hangup(&self) -> Option<Hangup> {
        self.link.hangup()
    }

    /// Returns what the packets have cost so far.
    pub fn traffic(&self) -> Traffic {
        self.link.traffic()
    }

    /// Asks for the thread and signal of `?`. It carries no reason.
    pub fn last_stop(&mut self) -> Result<StopReply, Error> {
        let pid = self.state.pid;
        self.ask(&Command::LastStop, |r| reply::stop(r, Some(pid)))
    }

    /// Asks for the live threads of the debuggee. Empty after its exit.
    pub fn threads(&mut self) -> Result<Vec<ThreadId>, Error> {
        let pid = self.state.pid;
        let mut found = Vec::new();
        let mut next = Command::FirstThreads;
        for _ in 0..MOST_LIST_PACKETS {
            match self.ask(&next, reply::thread_list)? {
                None => break,
                Some(ids) => found.extend(ids.into_iter().map(|id| id.of(Some(pid)))),
            }
            if found.len() > MOST_THREADS {
                break;
            }
            next = Command::MoreThreads;
        }
        found.retain(|t| t.pid == pid);
        Ok(found)
    }

    /// Asks for the name of a thread (its `comm`), `None` if it is empty. Fails for a thread that does not exist here:
    /// rr would crash if it were asked.
    pub fn thread_name(&mut self, thread: ThreadId) -> Result<Option<String>, Error> {
        self.select(thread)?;
        let name = match self.ask(&Command::ThreadName(thread), reply::text) {
            Err(Error::Unsupported { .. }) if !self.abilities.time => String::new(),
            name => name?,
        };
        Ok((!name.is_empty()).then_some(name))
    }

    /// Reads the registers of a thread.
    pub fn registers(&mut self, thread: ThreadId) -> Result<Registers, Error> {
        self.select(thread)?;
        let bytes = self.ask(&Command::Registers, reply::registers)?;
        let registers = Registers::new(Arc::clone(&self.layout), &bytes);
        if thread == self.state.current {
            self.state.pc = registers.pc();
        }
        Ok(registers)
    }

    /// Asks for the position in the recording, with the ticks of a thread that exists.
    pub fn moment(&mut self, thread: ThreadId) -> Result<Moment, Error> {
        self.select(thread)?;
        let event = self.rr(RrCommand::When, dialect::event)?;
        let ticks = self.rr(RrCommand::WhenTicks(thread), dialect::ticks)?;
        Ok(Moment { event, ticks })
    }

    /// Replaces the list of breakpoints and watchpoints. Nothing is sent: the next resume, or
    /// [`Client::insert_breaks`], makes the server's table equal to the list and says which entry the server refused.
    pub fn set_breaks(&mut self, wanted: &[Break]) -> Result<(), Error> {
        self.link.usable()?;
        self.breaks.want(wanted);
        Ok(())
    }

    /// Makes the server's table equal to the wanted list now. Err([`Error::Rejected`]) names the entry that the server
    /// refused; the others are in place.
    pub fn insert_breaks(&mut self) -> Result<(), Error> {
        self.state.alive()?;
        self.apply_breaks(None, true)
    }

    /// Makes one request and returns what its reply says.
    pub(super) fn ask<T>(
        &mut self,
        command: &Command<'_>,
        decode: impl FnOnce(&[u8]) -> Decoded<T>,
    ) -> Result<T, Error> {
        self.link.ask(command, self.spelling, decode)
    }

    /// Makes requests refer to a thread; fails if it does not exist here.
    pub(super) fn select(&mut self, thread: ThreadId) -> Result<(), Error> {
        self.link.usable()?;
        self.state.own(thread)?;
        if !self.state.queries(thread) {
            self.ask(&Command::SelectQuery(thread), reply::ok).map_err(|e| no_thread(e, thread))?;
            self.state.query_selected(thread);
        }
        Ok(())
    }

    /// Makes requests refer to some thread of the debuggee.
    pub(super) fn select_any(&mut self) -> Result<(), Error> {
        if self.state.queries_debuggee() { self.link.usable() } else { self.select(self.state.current) }
    }

    /// Carries out one of rr's own commands. Its complaints are an [`Error::Command`].
    pub(super) fn rr<T>(&mut self, command: RrCommand, read: impl FnOnce(&str) -> Option<T>) -> Result<T, Error> {
        self.on_record(command.name())?;
        // They all need some thread to exist.
        self.select_any()?;
        let name = command.name();
        let answer = self.ask(&Command::Rr(command), reply::text)?;
        read(&answer).ok_or_else(|| Error::Command { command: name.to_owned(), answer })
    }

    /// Sends the `z` and `Z` that the table needs, leaving out a software breakpoint at `except`. With `renew`, what rr
    /// may have lost is set again.
    pub(super) fn apply_breaks(&mut self, except: Option<RunAddr>, renew: bool) -> Result<(), Error> {
        self.link.usable()?;
        if let Some(beyond) = self.breaks.beyond_debug_registers(self.spelling.arch)
            && !self.dialect.refuses_watchpoints_cleanly()
        {
            return Err(Error::Rejected { refused: beyond.clone(), why: "the CPU's 4 debug registers do not suffice" });
        }
        let mut plan = self.breaks.plan(except, renew);
        if plan.is_empty() {
            return Ok(());
        }
        if self.image_in_doubt && self.forget_breaks_of_another_image()? {
            plan = self.breaks.plan(except, renew);
        }
        self.select_any()?;
        for entry in &plan.remove {
            self.ask(&Command::Remove(entry), reply::ok)?;
            self.breaks.removed(entry);
        }
        let mut refused = None;
        for entry in &plan.insert {
            match self.ask(&Command::Insert(entry), reply::ok) {
                Ok(()) => self.breaks.inserted(entry),
                Err(Error::Remote { .. } | Error::Unsupported { .. }) => {
                    self.breaks.removed(entry);
                    refused.get_or_insert_with(|| rejection(entry));
                }
                Err(other) => return Err(other),
            }
        }
        if renew {
            self.breaks.renewed();
        }
        refused.map_or(Ok(()), Err)
    }

    /// Finds out whether the debuggee runs another program image than where the entries were set. If so they are out of
    /// reach, and trying to remove them would kill rr.
    fn forget_breaks_of_another_image(&mut self) -> Result<bool, Error> {
        let image = self.read_image()?;
        self.image_in_doubt = false;
        if image == self.image {
            return Ok(false);
        }
        self.breaks.forget_inserted();
        self.image = image;
        Ok(true)
    }

    /// Records that the replay has moved backward.
    ///
    /// Forward, a run stops before an `exec` and cannot pass it; backward, it cannot pass the start of the image that
    /// was current at connection. So the image can change without a `vRun` only by going backward in a later image.
    pub(super) fn moved_back(&mut self) {
        self.breaks.moved_back();
        self.image_in_doubt |= self.image != self.first_image;
    }
}

/// Returns what a refusal to select a thread means.
pub(super) fn no_thread(error: Error, thread: ThreadId) -> Error {
    match error {
        Error::Remote { .. } => Error::NoThread { thread },
        other => other,
    }
}

/// The engine's thread takes the connection over from the one that made it.
const _: fn() = || {
    fn assert_send<T: Send>() {}
    assert_send::<Client>();
};

fn rejection(entry: &Break) -> Error {
    use super::BreakKind::Software;
    let why = if entry.kind == Software {
        "no memory is mapped there"
    } else {
        "the CPU's 4 debug registers do not suffice, or the range is not aligned"
    };
    Error::Rejected { refused: entry.clone(), why }
}
