//! A stopped process with the user's breakpoints in it, and what of it is selected.

use crate::api::error::Error;
use crate::breakpoints::log_lines::LogBook;
use crate::breakpoints::table::{Breakpoints, Entry, Trigger};
use crate::eval::inferior::Inferior;
use arch::ThreadId;
use dwarf::Image;
use program::sources::Sources;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A stopped process with the user's breakpoints in it.
pub(crate) struct Debuggee {
    pub(crate) inferior: Inferior,
    pub(crate) breakpoints: Breakpoints,
    /// Their places may be those of other modules than are loaded now.
    pub(crate) unbound: bool,
    /// What log points have written down.
    pub(crate) log: LogBook,
    /// The selected thread; after a movement the one that stopped.
    pub(crate) thread: ThreadId,
    /// The selected frame of it.
    pub(crate) level: u32,
    /// Known threads in the order in which they were seen first: their numbers.
    pub(crate) known_threads: Vec<ThreadId>,
    pub(crate) sources: Sources,
    /// The program whose directories the sources are told.
    program: Option<Arc<Image>>,
    /// Signals, in the protocol's numbering, that are to pass silently, or to stop, other than they do by themselves.
    pub(crate) signals: BTreeMap<u8, bool>,
}

impl Debuggee {
    /// Creates a `Debuggee` without breakpoints.
    pub(crate) fn new(inferior: Inferior, thread: ThreadId) -> Self {
        Self {
            inferior,
            breakpoints: Breakpoints::default(),
            unbound: false,
            log: LogBook::default(),
            thread,
            level: 0,
            known_threads: Vec::new(),
            sources: Sources::default(),
            program: None,
            signals: BTreeMap::new(),
        }
    }

    /// Brings modules, breakpoints and threads up to date with the process after it has moved.
    pub(crate) fn catch_up(&mut self) -> Result<(), Error> {
        self.inferior.refresh()?;
        self.meet_program();
        self.unbound |= self.inferior.renew() | self.inferior.take_changed();
        if self.unbound {
            self.resolve_again()?;
            self.unbound = false;
        }
        Ok(())
    }

    /// Takes note of where the program's file is, which its sources may be beside.
    fn meet_program(&mut self) {
        let program = self.inferior.modules.program().map(|program| program.image.clone());
        let is_known = self.program.as_ref().zip(program.as_ref()).is_some_and(|(known, now)| Arc::ptr_eq(known, now));
        if !is_known {
            self.sources.set_program(self.inferior.modules.program_directories());
            self.program = program;
        }
    }

    /// Remembers what the watched objects contain now, as what they contained before the next stop.
    pub(crate) fn remember_watched_values(&mut self) {
        self.remember_values_of(|_| true);
    }

    /// Remembers the same of those watchpoints of which changes may be skipped.
    pub(crate) fn remember_skipped_values(&mut self) {
        self.remember_values_of(Entry::may_skip);
    }

    fn remember_values_of(&mut self, wanted: impl Fn(&Entry) -> bool) {
        let Self { inferior, breakpoints, .. } = self;
        for entry in breakpoints.select_mut(|entry| entry.watch().is_some() && wanted(entry)) {
            if let Trigger::Data { watch, .. } = &mut entry.what {
                watch.last = watch.read(&mut inferior.process);
            }
        }
    }

    /// Returns whether a breakpoint of the user is where the thread is.
    pub(crate) fn is_awaited(&mut self, thread: ThreadId) -> Result<bool, Error> {
        let pc = self.inferior.process.registers(thread)?.pc();
        Ok(pc.is_some_and(|pc| !self.breakpoints.at(pc).is_empty()))
    }
}
