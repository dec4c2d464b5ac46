//! Setting catchpoints, and what they have caught.

use crate::api::error::Error;
use crate::api::{BreakpointInfo, CatchEvent, CatchSpec, Caught};
use crate::breakpoints::catch::{Catch, THROW};
use crate::breakpoints::debuggee::Debuggee;
use crate::breakpoints::resolve::pending;
use crate::breakpoints::syscalls;
use crate::breakpoints::table::{Entry, Trigger};
use crate::target::signals;
use arch::{Arch, RunAddr, ThreadId};
use base::qualified::QualifiedName;
use dwarf::type_name;
use program::location::{Location, joined};
use rsp::PASSED_SIGNALS;
use std::sync::Arc;

/// The last number of a signal in the protocol that the kernel has one for.
const LAST_SIGNAL: u8 = 0x97;

/// Longest mangled name of a type.
const MAX_TYPE: usize = 4096;
/// What looks for handlers, and finds where there must be none (Itanium C++ ABI, section 2.5.2).
const PERSONALITY: &str = "__gxx_personality_v0";
/// What calls that of an exception that is not handled, in libstdc++, libc++abi and what clang puts into programs.
const NO_HANDLERS: [&str; 8] = [
    THROW,
    PERSONALITY,
    "__cxa_rethrow",
    "__cxa_rethrow_primary_exception",
    "__cxa_call_terminate",
    "__clang_call_terminate",
    "std::rethrow_exception",
    "__cxxabiv1::failed_throw",
];
/// From the `_Unwind_Exception` of a C++ exception back to the `exceptionType` of its `__cxa_exception`, on 64-bit
/// machines (Itanium C++ ABI, section 2.2.1). Of a dependent exception, which `std::rethrow_exception` makes, libstdc++
/// has a pointer there to the object that was thrown, which is behind its exception's header; libc++ has a copy of the
/// type.
const TYPE_BEFORE_HEADER: u64 = 80;
const TYPE_BEFORE_OBJECT: u64 = 112;
/// `exception_class` of libstdc++ (`GNUCC++`) and libc++ (`CLNGC++`), for one that is not dependent.
const GNU_CLASS: u64 = 0x474e_5543_432b_2b00;
const CLANG_CLASS: u64 = 0x434c_4e47_432b_2b00;
/// What a dependent exception's class has in addition.
const DEPENDENT: u64 = 1;

/// What is to become of a signal.
pub(crate) enum OnSignal {
    /// A stop for this catchpoint; whether it was temporary.
    Stop(u32),
    /// A catchpoint is for it, but passes it by.
    PassBy,
    /// No catchpoint is for it.
    Uncaught,
}

/// Returns what is asked for with the names of system calls that were given by number.
fn by_name(spec: &CatchSpec) -> CatchSpec {
    let mut named = spec.clone();
    if named.event == CatchEvent::Syscall {
        for name in &mut named.names {
            if let Some(found) = name.trim().parse().ok().and_then(syscalls::name_of) {
                found.clone_into(name);
            }
        }
    }
    named
}

impl Debuggee {
    pub(crate) fn set_catchpoint(&mut self, spec: &CatchSpec) -> Result<BreakpointInfo, Error> {
        self.catch_up()?;
        let catch = Catch::new(&by_name(spec))?;
        let location = Location::Entries(catch.functions());
        let found = self.find(&location, None)?;
        if catch.event == CatchEvent::Syscall {
            self.know_syscalls(&catch.names)?;
        }
        let waits_in_code = !matches!(catch.event, CatchEvent::Signal | CatchEvent::Exec);
        let note = match waits_in_code && found.locations.is_empty() {
            true => Some(pending(&location, &self.inferior.modules, None)),
            false => joined(catch.note().map(str::to_owned), self.without_function(&catch)?),
        };
        let locations = self.inferior.compile_locations(found.locations, None);
        let number = self.breakpoints.add(|number| Entry {
            number,
            what: Trigger::Code { location, file: None, locations },
            text: catch.text(),
            condition: None,
            thread: None,
            enabled: true,
            log: None,
            catch: Some(Arc::new(catch)),
            temporary: spec.temporary,
            ignore_count: 0,
            hits: 0,
            note,
            partly_resolved: false,
            hardware: false,
        });
        self.accepted(number)
    }

    /// Returns a note of which of several system calls no function is loaded for; of one alone, that makes the
    /// catchpoint pending.
    fn without_function(&mut self, catch: &Catch) -> Result<Option<String>, Error> {
        let mut missing = Vec::new();
        for (name, functions) in catch.names.iter().zip(catch.functions()) {
            if self.find(&Location::Entries(vec![functions]), None)?.locations.is_empty() {
                missing.push(name.as_str());
            }
        }
        let told = || format!("no function is loaded for {}: these calls are not seen", missing.join(", "));
        Ok((!missing.is_empty()).then(told))
    }

    /// Refuses names that are of no system call, and of no function that is loaded.
    fn know_syscalls(&mut self, names: &[String]) -> Result<(), Error> {
        for name in names.iter().filter(|name| !syscalls::is_known(name)) {
            let function = Location::Entries(vec![vec![name.clone()]]);
            if !self.find(&function, None)?.locations.is_empty() {
                continue;
            }
            let near = match syscalls::near(name).join(", ") {
                none if none.is_empty() => none,
                near => format!("; near are: {near}"),
            };
            let reason = format!("there is no system call `{name}`{near}");
            return Err(Error::BadLocation { text: CatchEvent::Syscall.word().to_owned(), reason });
        }
        Ok(())
    }

    /// Returns what a catchpoint in code has caught where a thread is; `None` if it is not for that.
    pub(crate) fn caught(&mut self, thread: ThreadId, pc: RunAddr, catch: &Catch) -> Result<Option<Caught>, Error> {
        let function = |s: &Self| s.inferior.symbol(pc).map(|(name, _)| name).unwrap_or_default();
        Ok(match catch.event {
            CatchEvent::Signal | CatchEvent::Exec => None,
            CatchEvent::Fork => Some(Caught::Fork { function: function(self) }),
            CatchEvent::Panic => Some(Caught::Panic),
            CatchEvent::Syscall => {
                let shown = function(self);
                let bare = shown.trim_start_matches("__libc_").trim_start_matches('_');
                let named = catch.names.iter().find(|name| name.trim_start_matches('_') == bare);
                // Another name of the same function.
                let name = named.or(catch.names.first()).cloned().unwrap_or(shown);
                Some(Caught::Syscall { name })
            }
            CatchEvent::Throw | CatchEvent::Catch => {
                let thrown = catch.event == CatchEvent::Throw;
                if !thrown && self.is_handled_by_the_runtime(thread)? {
                    return Ok(None);
                }
                let ty = self.exception_type(thread, thrown)?;
                catch.is_of_type(ty.as_deref()).then_some(Caught::Exception { thrown, ty })
            }
        })
    }

    /// Returns the type of the exception that is about to be thrown, or to be handled, by a thread at the entry of the
    /// function that does it.
    fn exception_type(&mut self, thread: ThreadId, thrown: bool) -> Result<Option<String>, Error> {
        let [first, second] = self.first_arguments(thread)?;
        let info = match thrown {
            true => second,
            false => first.and_then(|header| Some(self.handled(header)?.1)),
        };
        let mangled = info.and_then(|info| self.type_info_name(info));
        Ok(mangled.map(|mangled| type_name(&mangled).unwrap_or(mangled)))
    }

    /// Returns whether the C++ runtime itself has called the function at whose entry a thread is: of an exception that
    /// nobody handles, it begins to handle it before it calls `std::terminate`.
    fn is_handled_by_the_runtime(&mut self, thread: ThreadId) -> Result<bool, Error> {
        // What the personality routine calls for that may have no name.
        for (depth, runtime) in [(1, NO_HANDLERS.as_slice()), (2, &[PERSONALITY])] {
            let Ok(caller) = self.inferior.after_returns(thread, depth)? else { return Ok(false) };
            let function = self.inferior.symbol(caller.address.for_lookup());
            let is_one_of = |(name, _): (String, u64)| runtime.contains(&QualifiedName::split(&name).path());
            if function.is_some_and(is_one_of) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the first two arguments of the function at whose entry a thread is.
    pub(crate) fn first_arguments(&mut self, thread: ThreadId) -> Result<[Option<u64>; 2], Error> {
        let names = match self.inferior.process.arch() {
            Arch::X86_64 => ["rdi", "rsi"],
            Arch::Aarch64 => ["x0", "x1"],
        };
        let registers = self.inferior.process.registers(thread)?;
        Ok(names.map(|name| registers.value(name)))
    }

    /// Reads the mangled name that a `std::type_info` gives.
    pub(crate) fn type_info_name(&mut self, info: u64) -> Option<String> {
        let name = self.inferior.process.read_u64(info.wrapping_add(8))?;
        let mangled = self.inferior.process.read_c_string(name, MAX_TYPE)?;
        // A `*` marks a name that is compared by its address.
        Some(mangled.trim_start_matches('*').to_owned())
    }

    /// Reads where the object of the C++ exception with this `_Unwind_Exception` is, if that is known, and the address
    /// of its `std::type_info`.
    pub(crate) fn handled(&mut self, header: u64) -> Option<(Option<u64>, u64)> {
        let process = &mut self.inferior.process;
        let class = process.read_u64(header)?;
        let mut before = |address: u64, distance| process.read_u64(address.wrapping_sub(distance));
        match (class & !DEPENDENT, class & DEPENDENT) {
            (GNU_CLASS, DEPENDENT) => {
                let object = before(header, TYPE_BEFORE_HEADER)?;
                Some((Some(object), before(object, TYPE_BEFORE_OBJECT)?))
            }
            (CLANG_CLASS, DEPENDENT) => Some((None, before(header, TYPE_BEFORE_HEADER)?)),
            (GNU_CLASS | CLANG_CLASS, _) => {
                let object = header.wrapping_add(TYPE_BEFORE_OBJECT - TYPE_BEFORE_HEADER);
                Some((Some(object), before(header, TYPE_BEFORE_HEADER)?))
            }
            _ => None,
        }
    }

    /// Counts a signal of a thread for the catchpoints, and returns what they say to it.
    pub(crate) fn on_signal(&mut self, thread: ThreadId, name: &str) -> OnSignal {
        let is_for = |e: &Entry| e.enabled && e.is_for(thread) && e.catches_signal(name);
        let mut answer = OnSignal::Uncaught;
        for entry in self.breakpoints.select_mut(is_for) {
            let stops = entry.count_hit();
            answer = match answer {
                OnSignal::Stop(first) => OnSignal::Stop(first),
                _ if stops => OnSignal::Stop(entry.number),
                _ => OnSignal::PassBy,
            };
        }
        answer
    }

    /// Counts an `exec` for the catchpoints and returns the one that it stops for.
    pub(crate) fn on_exec(&mut self) -> Option<u32> {
        let mut number = None;
        for entry in self.breakpoints.select_mut(|e| e.enabled && e.event() == Some(CatchEvent::Exec)) {
            if entry.count_hit() {
                number = number.or(Some(entry.number));
            }
        }
        number
    }

    /// Removes a catchpoint that has stopped, if it was temporary.
    pub(crate) fn remove_if_temporary(&mut self, number: u32) -> Result<(), Error> {
        if self.breakpoints.get(number).is_some_and(|e| e.temporary) {
            self.breakpoints.remove(number)?;
        }
        Ok(())
    }

    /// Returns the signals that rr is to pass silently now, in the protocol's numbering.
    pub(crate) fn passed_signals(&self) -> Vec<u8> {
        let is_caught = |number: &u8| {
            let (name, _) = signals::describe(*number);
            self.breakpoints.enabled().any(|e| e.catches_signal(&name))
        };
        (1..=LAST_SIGNAL).filter(|number| self.passes(*number) && !is_caught(number)).collect()
    }

    /// Returns whether a signal that nobody catches passes silently.
    pub(crate) fn passes(&self, signal: u8) -> bool {
        self.signals.get(&signal).copied().unwrap_or_else(|| PASSED_SIGNALS.contains(&signal))
    }
}
