//! What is waited for: breakpoints, watchpoints, catchpoints.

use super::error::{Error, Result};
use super::location::Location;
use super::session::Replay;
use super::stop::Stop;
use engine::Typed;
use engine::model::{self, BreakpointInfo, BreakpointSpec, CatchEvent, CatchSpec};
use std::fmt;
use std::ops::ControlFlow;

/// What a watchpoint waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Access {
    /// The value changes.
    #[default]
    Write,
    /// The value is read.
    Read,
    /// Either.
    ReadWrite,
}

impl From<model::Access> for Access {
    fn from(access: model::Access) -> Self {
        match access {
            model::Access::Write => Self::Write,
            model::Access::Read => Self::Read,
            model::Access::Access => Self::ReadWrite,
        }
    }
}

impl From<Access> for model::Access {
    fn from(access: Access) -> Self {
        match access {
            Access::Write => Self::Write,
            Access::Read => Self::Read,
            Access::ReadWrite => Self::Access,
        }
    }
}

/// What a catchpoint waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Catch {
    /// A signal, also one that would not stop by itself.
    Signal,
    /// A system call, made by the C library's function of that name.
    Syscall,
    /// The process becomes another program.
    Exec,
    /// A new process is made.
    Fork,
    /// A C++ exception is thrown.
    Throw,
    /// A C++ exception is handled.
    Handle,
    /// A Rust program panics.
    Panic,
}

impl From<Catch> for CatchEvent {
    fn from(catch: Catch) -> Self {
        match catch {
            Catch::Signal => Self::Signal,
            Catch::Syscall => Self::Syscall,
            Catch::Exec => Self::Exec,
            Catch::Fork => Self::Fork,
            Catch::Throw => Self::Throw,
            Catch::Handle => Self::Catch,
            Catch::Panic => Self::Panic,
        }
    }
}

impl From<CatchEvent> for Catch {
    fn from(event: CatchEvent) -> Self {
        match event {
            CatchEvent::Signal => Self::Signal,
            CatchEvent::Syscall => Self::Syscall,
            CatchEvent::Exec => Self::Exec,
            CatchEvent::Fork => Self::Fork,
            CatchEvent::Throw => Self::Throw,
            CatchEvent::Catch => Self::Handle,
            CatchEvent::Panic => Self::Panic,
        }
    }
}

/// A breakpoint, watchpoint or catchpoint that is set, as it was when it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Breakpoint {
    /// From 1, shared by all sorts; what a [`StopReason`](crate::StopReason) names.
    pub number: u32,
    /// What sort it is.
    pub kind: BreakpointKind,
    /// As given: a location, a watched expression, what is caught.
    pub text: String,
    /// The condition, as given.
    pub condition: Option<String>,
    /// The only thread that it stops, by the number that it had when it was recorded; `None` if it stops all.
    pub thread: Option<u32>,
    /// What it writes down instead of stopping.
    pub log: Option<String>,
    /// Whether it is waited for.
    pub is_enabled: bool,
    /// Whether it is removed at its first stop.
    pub is_temporary: bool,
    /// How many more hits it skips.
    pub ignore_count: u32,
    /// How often it was hit with its condition true.
    pub hits: u32,
    /// Where it is in the code: nowhere for a watchpoint, and while it is pending.
    pub locations: Vec<BreakpointLocation>,
    /// What else there is to know: "line 41 has no place to stop at, resolved to 42".
    pub note: Option<String>,
}

/// What sort of breakpoint one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BreakpointKind {
    /// It waits for an instruction to be reached.
    Code,
    /// It waits for an access to a value.
    Watch(Access),
    /// It waits for something to happen.
    Catch(Catch),
}

/// One of the addresses of a breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BreakpointLocation {
    /// The address of the instruction.
    pub address: u64,
    /// The function.
    pub function: Option<String>,
    /// Where in the source.
    pub location: Option<Location>,
}

impl Breakpoint {
    /// Returns whether a stop is for this one.
    pub fn is_hit(&self, stop: &Stop) -> bool {
        stop.reason.is_hit_of(self.number)
    }
}

impl From<BreakpointInfo> for Breakpoint {
    fn from(info: BreakpointInfo) -> Self {
        let kind = match (info.watch, info.catch) {
            (Some(access), _) => BreakpointKind::Watch(access.into()),
            (None, Some(event)) => BreakpointKind::Catch(event.into()),
            (None, None) => BreakpointKind::Code,
        };
        let place = |place: model::BreakpointLocation| BreakpointLocation {
            address: place.address.0,
            location: Location::new(place.file.as_deref(), place.fullname.as_deref(), place.line, None),
            function: place.function,
        };
        Self {
            number: info.number,
            kind,
            text: info.location,
            condition: info.condition,
            thread: info.thread.map(|thread| thread.tid),
            log: info.log,
            is_enabled: info.enabled,
            is_temporary: info.temporary,
            ignore_count: info.ignore_count,
            hits: info.hits,
            locations: info.locations.into_iter().map(place).collect(),
            note: info.note,
        }
    }
}

/// `breakpoint 1 at store`
impl fmt::Display for Breakpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            BreakpointKind::Code => write!(f, "breakpoint {} at {}", self.number, self.text),
            BreakpointKind::Watch(_) => write!(f, "watchpoint {} on {}", self.number, self.text),
            BreakpointKind::Catch(_) => write!(f, "catchpoint {} for {}", self.number, self.text),
        }
    }
}

/// A breakpoint that is to be set. Made by [`Replay::breakpoint`].
#[must_use = "a breakpoint is not set before `set`"]
pub struct BreakpointBuilder<'r> {
    replay: &'r mut Replay,
    spec: BreakpointSpec,
}

impl BreakpointBuilder<'_> {
    /// Stops only if this expression is true there.
    pub fn condition(mut self, expression: impl Into<String>) -> Self {
        self.spec.condition = Some(expression.into());
        self
    }

    /// Stops only this thread: its [number](crate::Thread::number), its id, or its name if only one has it.
    pub fn thread(mut self, thread: impl fmt::Display) -> Self {
        self.spec.thread = Some(thread.to_string());
        self
    }

    /// Makes it temporary: it is removed at its first stop.
    pub fn temporary(mut self) -> Self {
        self.spec.temporary = true;
        self
    }

    /// Skips the first `hits` hits.
    pub fn ignore(mut self, hits: u32) -> Self {
        self.spec.ignore_count = hits;
        self
    }

    /// Makes it a *log point*: it does not stop but logs this text, with the values of the expressions in braces:
    /// `n is {n}`. The next stop [has the lines](Stop::log).
    pub fn log(mut self, text: impl Into<String>) -> Self {
        self.spec.log = Some(text.into());
        self
    }

    /// Accepts a location that nothing loaded has: it is set when a library that has it is loaded.
    pub fn pending(mut self) -> Self {
        self.spec.pending = true;
        self
    }

    /// Treats the location as a regular expression for function names, and stops in all functions that match.
    pub fn regex(mut self) -> Self {
        self.spec.regex = true;
        self
    }

    /// Sets it.
    ///
    /// # Errors
    /// [`ErrorKind::NoLocation`](crate::ErrorKind::NoLocation) or
    /// [`ErrorKind::BadCondition`](crate::ErrorKind::BadCondition), with what would be valid.
    pub fn set(self) -> Result<Breakpoint> {
        Ok(self.replay.core.engine().set_breakpoint(&self.spec)?.into())
    }
}

/// A watchpoint that is to be set. Made by [`Replay::watchpoint`].
#[must_use = "a watchpoint is not set before `set`"]
pub struct WatchpointBuilder<'r> {
    replay: &'r mut Replay,
    expression: String,
    access: Access,
    condition: Option<String>,
    log: Option<String>,
}

impl WatchpointBuilder<'_> {
    /// Waits for this sort of access, rather than for changes.
    pub fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// Stops only if this expression is true there.
    pub fn condition(mut self, expression: impl Into<String>) -> Self {
        self.condition = Some(expression.into());
        self
    }

    /// Does not stop but writes this down, with the values of the expressions in braces.
    pub fn log(mut self, text: impl Into<String>) -> Self {
        self.log = Some(text.into());
        self
    }

    /// Sets the watchpoint.
    ///
    /// # Errors
    /// [`ErrorKind::Unwatchable`](crate::ErrorKind::Unwatchable) for what is not in memory, or too large: the processor
    /// watches up to four locations of up to eight bytes.
    pub fn set(self) -> Result<Breakpoint> {
        let (condition, log) = (self.condition.as_deref(), self.log.as_deref());
        let engine = self.replay.core.engine();
        Ok(engine.set_watchpoint(&self.expression, self.access.into(), condition, log)?.into())
    }
}

/// A catchpoint that is to be set. Made by [`Replay::catchpoint`].
#[must_use = "a catchpoint is not set before `set`"]
pub struct CatchpointBuilder<'r> {
    replay: &'r mut Replay,
    spec: CatchSpec,
}

impl CatchpointBuilder<'_> {
    /// Waits for this only: a signal (`SIGUSR1`), a system call (`write`), a regular expression over types of
    /// exceptions. It can be said more than once.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.spec.names.push(name.into());
        self
    }

    /// Makes it temporary: it is removed at its first stop.
    pub fn temporary(mut self) -> Self {
        self.spec.temporary = true;
        self
    }

    /// Sets it.
    ///
    /// # Errors
    /// [`ErrorKind::NoLocation`](crate::ErrorKind::NoLocation) if the program has nothing that could be caught.
    pub fn set(self) -> Result<Breakpoint> {
        Ok(self.replay.core.engine().set_catchpoint(&self.spec)?.into())
    }
}

/// # What is waited for
///
/// Breakpoints, watchpoints and catchpoints work in both directions of time.
impl Replay {
    /// Builds a breakpoint at a location: `main`, `file.c:42`, `42`, `file.c:function`, `Class::method`, `*0x401136`.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// let late = replay.breakpoint("store").condition("hour == 24").set()?;
    /// replay.breakpoint("observe").log("day {day}").set()?;
    /// let stop = replay.run()?;
    /// assert!(late.is_hit(&stop));
    /// let days: Vec<&str> = stop.log.iter().map(|line| line.text.as_str()).collect();
    /// assert_eq!(days, ["day 0", "day 1"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn breakpoint(&mut self, location: impl Into<String>) -> BreakpointBuilder<'_> {
        let spec = BreakpointSpec { location: location.into(), ..BreakpointSpec::default() };
        BreakpointBuilder { replay: self, spec }
    }

    /// Builds a watchpoint on what an expression names in memory now. The address is computed once, and is watched
    /// whatever function runs.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # use retrograde::{Replay, StopReason};
    /// # let mut replay = Replay::open("app-0")?;
    /// replay.run()?; // to the crash
    /// replay.watchpoint("station->calibration").set()?;
    /// let stop = replay.reverse_run()?; // the signal of the crash is not hit again
    /// let StopReason::Watchpoint { new: Some(new), .. } = &stop.reason else { panic!("{stop}") };
    /// assert_eq!(new, "(struct calibration *) 0x3e8");
    /// # Ok(())
    /// # }
    /// ```
    pub fn watchpoint(&mut self, expression: impl Into<String>) -> WatchpointBuilder<'_> {
        let expression = expression.into();
        WatchpointBuilder { replay: self, expression, access: Access::Write, condition: None, log: None }
    }

    /// Watches a value of this moment that was kept, where it is in memory. `text`: what it is called.
    pub(crate) fn watch_kept(
        &mut self,
        kept: &Typed,
        text: &str,
        access: Access,
        condition: Option<&str>,
        log: Option<&str>,
    ) -> Result<Breakpoint> {
        Ok(self.core.engine().watch_typed(kept, text, access.into(), condition, log)?.into())
    }

    /// Makes a breakpoint skip its next `hits` hits.
    ///
    /// # Errors
    /// [`ErrorKind::NoBreakpoint`](crate::ErrorKind::NoBreakpoint) if it does not exist any more.
    pub fn set_ignore(&mut self, breakpoint: &Breakpoint, hits: u32) -> Result<()> {
        self.core.engine().set_ignore_count(breakpoint.number, hits).map_err(Error::from)
    }

    /// Builds a catchpoint, which stops before something happens, wherever in the program that is.
    pub fn catchpoint(&mut self, catch: Catch) -> CatchpointBuilder<'_> {
        let spec = CatchSpec { event: catch.into(), names: Vec::new(), temporary: false };
        CatchpointBuilder { replay: self, spec }
    }

    /// Returns all breakpoints, watchpoints and catchpoints, in their current state.
    pub fn breakpoints(&self) -> Vec<Breakpoint> {
        self.core.ask().breakpoints().into_iter().map(Breakpoint::from).collect()
    }

    /// Removes one.
    ///
    /// # Errors
    /// [`ErrorKind::NoBreakpoint`](crate::ErrorKind::NoBreakpoint) if it does not exist any more.
    pub fn remove(&mut self, breakpoint: &Breakpoint) -> Result<()> {
        self.core.engine().remove_breakpoint(breakpoint.number)?;
        Ok(())
    }

    /// Enables or disables a breakpoint, watchpoint or catchpoint.
    ///
    /// # Errors
    /// [`ErrorKind::NoBreakpoint`](crate::ErrorKind::NoBreakpoint) if it does not exist any more.
    pub fn set_enabled(&mut self, breakpoint: &Breakpoint, enabled: bool) -> Result<()> {
        self.core.engine().set_enabled(breakpoint.number, enabled).map_err(Error::from)
    }

    /// Runs forward and calls a closure at each hit of a breakpoint, until the closure breaks or the process ends.
    /// Returns what it broke with; `None` if the process ended. Other stops on the way are skipped.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # use std::ops::ControlFlow;
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// let store = replay.breakpoint("store").set()?;
    /// let mut slots: Vec<u32> = Vec::new();
    /// let failed = replay.each_hit(&store, |replay, _stop| match replay.eval("hour / 3").and_then(u32::try_from) {
    ///     Ok(slot) => {
    ///         slots.push(slot);
    ///         if slots.len() < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(None) }
    ///     }
    ///     Err(error) => ControlFlow::Break(Some(error)),
    /// })?;
    /// assert!(matches!(failed, Some(None)));
    /// assert_eq!(slots, [0, 1, 2, 3, 4, 5, 6, 7, 0, 1]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`run`](Replay::run). Running out of time and being [cancelled](crate::Cancel) are errors here, not stops.
    /// After an error the replay is where it was before the first hit.
    pub fn each_hit<B>(
        &mut self,
        breakpoint: &Breakpoint,
        mut look: impl FnMut(&Self, &Stop) -> ControlFlow<B>,
    ) -> Result<Option<B>> {
        self.or_back(|replay| {
            while let Some(stop) = replay.run_to_hit(breakpoint.number)? {
                if let ControlFlow::Break(result) = look(replay, &stop) {
                    return Ok(Some(result));
                }
            }
            Ok(None)
        })
    }
}
