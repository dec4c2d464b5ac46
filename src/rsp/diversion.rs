//! Diversions: a copy of the process in which memory and registers can be written, and one thread runs as it would now,
//! off the record. rr throws it away when it is over, and is where it was.
//!
//! What the copy does with files and sockets it really does; what concerns other processes and threads, rr refuses it.

use super::client::Client;
use super::command::{Command, RrCommand};
use super::dialect;
use super::error::Error;
use super::reply;
use super::state::ServerState;
use super::{Break, BreakKind, Outcome, StopReply};
use arch::{Direction, RunAddr, ThreadId};
use base::cancel::Cancel;
use std::time::Duration;

/// Bytes written at a time.
const PIECE: usize = 4096;

/// What the client was before a diversion, which it is again behind it.
#[derive(Debug)]
pub(super) struct Diversion {
    state: ServerState,
    wanted: Vec<Break>,
}

impl Client {
    /// Begins a diversion. What is read from now on is the copy's, and no breakpoint counts in it.
    pub fn begin_diversion(&mut self, thread: ThreadId) -> Result<(), Error> {
        self.link.usable()?;
        self.state.alive()?;
        self.on_record("siginfo")?;
        if !self.abilities.time {
            return Err(Error::Unsupported { request: "qXfer:siginfo".to_owned() });
        }
        self.select(thread)?;
        self.diversion = Some(Diversion { state: self.state.clone(), wanted: self.breaks.wanted().to_vec() });
        match self.ask(&Command::SignalInfo, reply::transfer) {
            Ok(_) => Ok(()),
            Err(error) => {
                self.diversion = None;
                Err(error)
            }
        }
    }

    /// Writes memory of the copy. What is not mapped there kills rr: the caller has looked.
    pub fn write_memory(&mut self, at: RunAddr, bytes: &[u8]) -> Result<(), Error> {
        self.diverted("write memory")?;
        self.select_any()?;
        let mut address = at.0;
        for piece in bytes.chunks(PIECE) {
            self.ask(&Command::WriteMemory(RunAddr(address), piece), reply::ok)?;
            address = address.wrapping_add(piece.len() as u64);
        }
        Ok(())
    }

    /// Writes a register of the copy, of the size that it has.
    pub fn write_register(&mut self, thread: ThreadId, number: u32, bytes: &[u8]) -> Result<(), Error> {
        self.diverted("write a register")?;
        self.select(thread)?;
        self.ask(&Command::WriteRegister(number, bytes), reply::ok)
    }

    /// Has a thread of the copy run until it comes to an address, or anything else stops it. When `cancel` is
    /// cancelled, it is interrupted, and has so much `patience` to stop: rr looks for that only where the program calls
    /// the system. After that the connection is unusable.
    pub fn run_diverted(
        &mut self,
        thread: ThreadId,
        until: RunAddr,
        patience: Duration,
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        self.diverted("run")?;
        self.breaks.want(&[Break { kind: BreakKind::Software, address: until, length: 1, conditions: Vec::new() }]);
        self.apply_breaks(None, false)?;
        let usual = std::mem::replace(&mut self.interrupt_timeout, patience);
        let outcome = self.run(&Command::ContinueOne(thread), Direction::Forward, cancel);
        self.interrupt_timeout = usual;
        let outcome = outcome?;
        let (Outcome::Stopped(stop) | Outcome::Interrupted(stop)) = &outcome;
        if !matches!(stop, StopReply::Stopped { .. }) {
            // With the copy rr has dropped all breakpoints.
            self.breaks.forget_inserted();
        }
        Ok(outcome)
    }

    /// Ends the diversion: everything is as it was before.
    pub fn end_diversion(&mut self) -> Result<(), Error> {
        let Some(before) = self.diversion.take() else { return Ok(()) };
        self.breaks.want(&before.wanted);
        // The answer to an interrupt may come as late as at the next resume, whichever that is of.
        let is_owed = self.state.interrupt_owed;
        self.state = before.state;
        self.state.interrupt_owed |= is_owed;
        // Any command of rr's own that is about the replay ends it.
        self.rr(RrCommand::When, dialect::event).map(drop)
    }

    /// Fails on a diversion: rr would end it.
    pub(super) fn on_record(&self, what: &str) -> Result<(), Error> {
        match self.diversion {
            None => Ok(()),
            Some(_) => Err(refused(what, "not while a function is called")),
        }
    }

    fn diverted(&self, what: &str) -> Result<(), Error> {
        self.link.usable()?;
        match self.diversion {
            Some(_) => Ok(()),
            None => Err(refused(what, "a replay cannot be changed")),
        }
    }
}

fn refused(what: &str, why: &str) -> Error {
    Error::Command { command: what.to_owned(), answer: why.to_owned() }
}
