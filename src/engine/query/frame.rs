//! More about what is selected than a backtrace shows: where a frame is on the stack, and which activation it is.

use crate::api::error::Error;
use crate::api::{Frame, Reason, Variable};
use crate::run::session::Session;
use crate::session::engine::Engine;
use crate::stack::physical::{Level, Physical};
use arch::{FrameAddress, RunAddr, ThreadId};
use ctype::Answer;
use dwarf::FrameContext;

/// What tells one activation of a function from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameKey {
    thread: ThreadId,
    /// Canonical frame address, if it is known.
    cfa: Option<u64>,
    /// Entry of the function, or of the inlined copy of it.
    function: Option<RunAddr>,
    /// How many functions it is inlined into there, itself included.
    depth: usize,
}

/// Where a frame is on the stack.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameDetail {
    /// The frame, with arguments.
    pub frame: Frame,
    /// Whether its address is where execution goes on, rather than where a call returns to.
    pub is_pc: bool,
    /// Canonical frame address: the stack pointer before the call.
    pub cfa: Option<u64>,
    /// Where it returns to.
    pub saved_pc: Option<RunAddr>,
    /// Canonical frame addresses of the frame that called it, and of the one that it called.
    pub caller: Option<u64>,
    /// See `caller`.
    pub callee: Option<u64>,
    /// The caller's registers that it has saved in memory, and where, in the target's order.
    pub saved: Vec<(String, u64)>,
    /// The stack pointer in it, if it is known.
    pub sp: Option<u64>,
    /// Whether its registers are those of the thread, none of which it can have saved.
    pub is_live: bool,
    /// Level of the frame that it is inlined into.
    pub inlined_into: Option<u32>,
    /// `c`, `c++`, `rust`.
    pub language: Option<&'static str>,
}

/// A local variable and how deep the block is that declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// Name and value.
    pub variable: Variable,
    /// Blocks around it within the function.
    pub depth: u32,
}

impl Session {
    fn cfa(&mut self, thread: ThreadId, physical: usize) -> Result<Option<u64>, Error> {
        self.debuggee.inferior.with_frame(thread, physical, None, |context| context.cfa())
    }

    fn key(&mut self) -> Result<FrameKey, Error> {
        let thread = self.debuggee.thread;
        let level = self.debuggee.inferior.level(thread, 0)?;
        let physical = self.debuggee.inferior.physical(thread, level.physical)?;
        let function = physical.chain.get(level.inline).and_then(|f| f.entry);
        let run = physical.module.as_ref().zip(function).map(|(m, entry)| entry.at(m.bias));
        let cfa = self.cfa(thread, level.physical)?;
        Ok(FrameKey { thread, cfa, function: run, depth: physical.levels().saturating_sub(level.inline) })
    }

    fn detail(&mut self, number: u32) -> Result<FrameDetail, Error> {
        let thread = self.debuggee.thread;
        let level = self.debuggee.inferior.level(thread, number)?;
        let frame = self.debuggee.inferior.frame(thread, number, level, true)?;
        let physical = self.debuggee.inferior.physical(thread, level.physical)?;
        let caller = self.debuggee.inferior.caller(thread, level.physical)?.ok();
        let caller_cfa =
            match self.debuggee.inferior.caller_index(thread, level.physical)?.filter(|_| !physical.is_main()) {
                Some(index) => self.cfa(thread, index)?,
                None => None,
            };
        let callee = match number.checked_sub(1) {
            Some(inner) => {
                let inner = self.debuggee.inferior.level(thread, inner)?;
                self.cfa(thread, inner.physical)?
            }
            None => None,
        };
        let language =
            physical.module.as_ref().and_then(|m| m.image.language_at(m.link(physical.address.for_lookup())));
        Ok(FrameDetail {
            is_pc: matches!(physical.address, FrameAddress::Pc(_)),
            cfa: self.cfa(thread, level.physical)?,
            saved_pc: caller.map(|c| c.address.address()),
            caller: caller_cfa,
            callee,
            saved: self.saved(level.physical, &physical)?,
            sp: physical.registers.sp(),
            is_live: physical.registers.is_live(),
            inlined_into: frame.inlined.then_some(number + 1),
            language: language.filter(|_| frame.line.is_some()),
            frame,
        })
    }

    pub(super) fn saved(&mut self, index: usize, physical: &Physical) -> Result<Vec<(String, u64)>, Error> {
        let Some(module) = &physical.module else { return Ok(Vec::new()) };
        let at = module.link(physical.address.for_lookup());
        let found = self
            .debuggee
            .inferior
            .with_frame(self.debuggee.thread, index, None, |context| module.image.saved_registers(at, context))?;
        let arch = self.debuggee.inferior.process.arch();
        let layout = self.debuggee.inferior.process.layout().clone();
        let order = |name: &str| layout.registers.iter().position(|r| r.name == name);
        let named = found.unwrap_or_default().into_iter().filter_map(|(n, at)| Some((arch.dwarf_register(n)?, at)));
        let mut saved: Vec<_> = named.collect();
        saved.sort_by_key(|(name, _)| order(name));
        Ok(saved.into_iter().map(|(name, at)| (name.to_owned(), at)).collect())
    }

    fn locals_of(&mut self, level: Level) -> Result<Vec<Local>, Error> {
        let thread = self.debuggee.thread;
        let shown = self.debuggee.inferior.rendered_variables(thread, level, false, &mut Answer::default())?;
        let depths = self.debuggee.inferior.variables(thread, level)?.into_iter().map(|f| f.variable.depth);
        Ok(shown.into_iter().zip(depths).map(|(variable, depth)| Local { variable, depth }).collect())
    }
}

impl Engine {
    /// Returns the key that tells which activation the innermost frame of the selected thread is.
    pub fn frame_key(&mut self) -> Result<FrameKey, Error> {
        self.with(Session::key)
    }

    /// Returns the selected thread.
    pub fn selected_thread(&self) -> ThreadId {
        self.session.debuggee.thread
    }

    /// Returns why the replay is where it is: the reason of the last stop.
    pub fn reason(&self) -> &Reason {
        &self.session.reason
    }

    /// Changes with each movement: what is derived from a position is valid for one value of it.
    pub fn epoch(&self) -> u64 {
        self.session.debuggee.inferior.process.epoch()
    }

    /// Returns the level of the selected frame.
    pub fn frame_level(&self) -> u32 {
        self.session.debuggee.level
    }

    /// Describes where a frame of the selected thread is on the stack.
    pub fn frame_detail(&mut self, level: u32) -> Result<FrameDetail, Error> {
        self.with(|s| s.detail(level))
    }

    /// Returns the arguments and locals of the selected frame with the depth of their blocks.
    pub fn variables(&mut self) -> Result<Vec<Local>, Error> {
        self.with(|s| {
            let level = s.debuggee.selected()?;
            s.locals_of(level)
        })
    }

    /// Returns the number that users know a thread by.
    pub fn thread_number(&self, thread: ThreadId) -> u32 {
        self.session.debuggee.number(thread)
    }

    /// Returns the selected thread's number and the highest number that a thread has had in this session.
    pub fn thread_numbers(&mut self) -> Result<(u32, u32), Error> {
        self.with(|s| {
            s.debuggee.meet_threads()?;
            Ok((
                s.debuggee.number(s.debuggee.thread),
                u32::try_from(s.debuggee.known_threads.len()).unwrap_or(u32::MAX),
            ))
        })
    }
}
