//! What a stop is about: recognised by the signal, by functions on the stack, by what the processor and the kernel say.

use crate::api::error::Error;
use crate::api::{EXIT_AFTER_PANIC, Explanation, Fault, Frame, Kind, Mapping, Reason, Waits};
use crate::query::exit::exited_by;
use crate::query::fault::SignalInfo;
use crate::session::engine::Engine;
use arch::ThreadId;

/// How many frames are looked through for what has ended the program.
const FRAMES: u32 = 40;
/// Lines of source shown, with the one of the frame in the middle.
const LINES: u32 = 5;
/// Longest message that is shown.
const MESSAGE: usize = 300;

/// Signals that an instruction causes.
const FAULTS: [&str; 5] = ["SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP"];
/// Functions of the C library by which an assertion fails.
const ASSERTIONS: [&str; 4] = ["__assert_fail", "__assert_fail_base", "__assert_perror_fail", "__assert"];
/// Functions of the C++ runtime that are called in place of a virtual function that cannot be, and what they say before
/// they end the program.
const NOT_VIRTUAL: [(&str, &str); 2] =
    [("__cxa_pure_virtual", "pure virtual method called"), ("__cxa_deleted_virtual", "deleted virtual method called")];
/// Functions of the C++ runtime by which an exception is found to have no handler.
const TERMINATES: [&str; 5] = [
    "std::terminate",
    "__cxxabiv1::__terminate",
    "__cxa_call_terminate",
    "__clang_call_terminate",
    "__gnu_cxx::__verbose_terminate_handler",
];
/// Functions of Rust's library by which a panic begins.
const PANICS: [&str; 9] = [
    "rust_begin_unwind",
    "__rustc::rust_begin_unwind",
    "core::panicking::",
    "std::panicking::begin_panic",
    "std::panicking::begin_panic_handler",
    "std::panicking::panic_handler",
    "std::panicking::rust_panic_with_hook",
    "std::panicking::rust_panic",
    "rust_panic",
];
/// A function of Rust's library, by a name that is the same everywhere.
const OF_RUST: &str = "rust_eh_personality";
/// By which an exception is thrown, in C++'s runtime.
const THROWERS: [&str; 3] = ["__cxa_throw", "__cxa_rethrow", "std::rethrow_exception"];
/// What handlers of exceptions call first.
const HANDLERS: [&str; 1] = ["__cxa_begin_catch"];

/// What begins with the call of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beginning {
    Throw,
    Handler,
    Panic,
}

/// What kind of stop it is, and what that is known by.
struct StopKind {
    kind: Kind,
    known_by: Vec<String>,
    /// What begins here.
    beginning: Option<Beginning>,
    /// What the threads wait for.
    waits: Option<Waits>,
}

/// Returns the name of a function as it is in the source: without template arguments, parameters, and the C library's
/// prefix of its own copies.
pub(super) fn plain(function: &str) -> &str {
    let end = function.find(['(', '<']).unwrap_or(function.len());
    let name = function.get(..end).unwrap_or(function);
    let name = name.strip_prefix("__GI_").unwrap_or(name);
    name.strip_prefix("___").map_or(name, |rest| if rest.starts_with("pthread") { rest } else { name })
}

pub(super) fn is_among(frame: &Frame, names: &[&str]) -> bool {
    let function = frame.function.as_deref().unwrap_or_default();
    names.iter().any(|name| match name.ends_with("::") {
        true => function.starts_with(name),
        false => plain(function) == *name,
    })
}

fn among<'a>(frames: &'a [Frame], names: &[&str]) -> Option<&'a Frame> {
    frames.iter().find(|frame| is_among(frame, names))
}

/// Returns what the C++ runtime says of a virtual function that could not be called.
fn not_virtual(frames: &[Frame]) -> Option<&'static str> {
    NOT_VIRTUAL.iter().find(|(function, _)| among(frames, &[function]).is_some()).map(|(_, message)| *message)
}

/// Returns how the program has ended itself, and the frame that tells it.
fn own_end(frames: &[Frame]) -> Option<(Kind, &Frame)> {
    let not_virtual = NOT_VIRTUAL.map(|(function, _)| function);
    let kinds = [
        (Kind::Panic, PANICS.as_slice()),
        (Kind::Assertion, ASSERTIONS.as_slice()),
        // These terminate too, without an exception.
        (Kind::Abort, not_virtual.as_slice()),
        (Kind::UncaughtException, TERMINATES.as_slice()),
    ];
    let aborted = among(frames, &["abort"]);
    let told = kinds.into_iter().find_map(|(kind, names)| Some((kind, among(frames, names)?)));
    // Where the runtime has no symbols: while it looks for a handler, nothing else aborts.
    let thrown = || Some((Kind::UncaughtException, among(frames, &THROWERS).filter(|_| aborted.is_some())?));
    told.or_else(thrown).or(aborted.map(|frame| (Kind::Abort, frame)))
}

/// Returns what begins where a thread enters its innermost function, by that: an exception, its handling, a panic.
fn beginning(frames: &[Frame]) -> Option<Beginning> {
    let frame = frames.first()?;
    let is = |names: &[&str]| is_among(frame, names);
    if is(&THROWERS[..1]) {
        return Some(Beginning::Throw);
    }
    if is(&HANDLERS) {
        return Some(Beginning::Handler);
    }
    is(&PANICS).then_some(Beginning::Panic)
}

fn evidence(frame: &Frame) -> String {
    format!("frame #{} is {}", frame.level, frame.function.as_deref().unwrap_or("??"))
}

impl Engine {
    /// Lists what is mapped where, and what may be done with it.
    pub fn mappings(&mut self) -> Result<Vec<Mapping>, Error> {
        self.with(|s| s.debuggee.inferior.process.mappings())
    }

    /// Explains the stop of the selected thread, by what can be seen there.
    pub fn explain(&mut self) -> Result<Explanation, Error> {
        let selected = self.frame_level();
        let explained = self.explained();
        self.select_frame(selected)?;
        explained
    }

    fn explained(&mut self) -> Result<Explanation, Error> {
        self.select_frame(0)?;
        let waypoint = self.waypoint().ok();
        let reason = self.reason().clone();
        let frames = self.backtrace(0, FRAMES, false)?.frames;
        let info = if matches!(reason, Reason::Signal { .. }) { self.signal_info()? } else { None };
        let own = self.selected_thread().pid;
        let sender = info.as_ref().and_then(|info: &SignalInfo| info.sender(own));
        let found = self.kind(&reason, sender.as_deref(), &frames)?;
        let fault = if found.kind == Kind::Fault { Some(self.fault(info.as_ref())?) } else { None };
        let threads = self.other_threads()?;
        let user = self.with(|s| s.debuggee.user_frame(s.debuggee.thread, LINES))?;
        let locals = match &user {
            Some(user) => {
                self.select_frame(user.frame.level)?;
                let locals = self.locals()?;
                self.select_frame(0)?;
                locals
            }
            None => Vec::new(),
        };
        let (frame, source) = user.map(|user| (user.frame, user.source)).unzip();
        let source = source.unwrap_or_default();
        let summary = match found.beginning {
            Some(beginning) => self.begun(beginning, frame.as_ref())?,
            None => self.summary(&found, &reason, sender, &frames, fault.as_ref())?,
        };
        let StopKind { kind, known_by: mut evidence, .. } = found;
        if fault.as_ref().is_some_and(Fault::is_stack_overflow) {
            evidence.extend(self.recursion(&frames)?);
        }
        Ok(Explanation { kind, summary, evidence, fault, frame, source, locals, threads, waypoint })
    }

    /// Finds out what kind of end it is. `sender`: by whom the signal was sent, if it is one that was sent.
    fn kind(&mut self, reason: &Reason, sender: Option<&str>, frames: &[Frame]) -> Result<StopKind, Error> {
        let found = |kind, known_by| StopKind { kind, known_by, beginning: None, waits: None };
        let (name, meaning) = match reason {
            Reason::Signal { name, meaning, .. } => (name, meaning),
            Reason::EndOfRecording { exit_code, signal } => {
                let end = match (exit_code, signal) {
                    (_, Some(signal)) => format!("the recording ends with {signal}"),
                    (Some(code), None) => format!("the recording ends with exit code {code}"),
                    (None, None) => "the recording ends here".to_owned(),
                };
                return Ok(found(Kind::End, vec![end]));
            }
            _ => return self.without_signal(frames),
        };
        let signal = format!("{name} ({meaning})");
        let is_fault = FAULTS.contains(&name.as_str());
        if is_fault && sender.is_none() {
            return Ok(found(Kind::Fault, vec![signal]));
        }
        if let Some((kind, frame)) = own_end(frames).filter(|_| !is_fault) {
            return Ok(found(kind, vec![signal, evidence(frame)]));
        }
        let signal = sender.map_or(signal.clone(), |sender| format!("{signal}, {sender}"));
        // A signal from outside often is the end of somebody's patience.
        let waiting = self.waiting()?;
        let kind = if waiting.kind == Kind::Blocked { waiting.kind } else { Kind::Signal };
        Ok(StopKind { kind, known_by: [vec![signal], waiting.known_by].concat(), ..waiting })
    }

    /// Finds out what kind of stop it is that is for no signal.
    fn without_signal(&mut self, frames: &[Frame]) -> Result<StopKind, Error> {
        let is_at_entry = self.with(|s| Ok(s.debuggee.is_at_entry(s.debuggee.thread)))?;
        if let Some((beginning, frame)) = beginning(frames).zip(frames.first()).filter(|_| is_at_entry) {
            let kind = if beginning == Beginning::Panic { Kind::Panic } else { Kind::Exception };
            let known_by = vec![format!("{} begins", evidence(frame))];
            return Ok(StopKind { kind, known_by, beginning: Some(beginning), waits: None });
        }
        match own_end(frames) {
            Some((kind, frame)) => Ok(StopKind { kind, known_by: vec![evidence(frame)], beginning: None, waits: None }),
            None => self.waiting(),
        }
    }

    /// Finds out whether threads wait for each other.
    fn waiting(&mut self) -> Result<StopKind, Error> {
        let plain = StopKind { kind: Kind::Plain, known_by: Vec::new(), beginning: None, waits: None };
        if !self.is_any_waiting()? {
            return Ok(plain);
        }
        let waits = match self.waits() {
            Ok(waits) => waits,
            Err(error) if error.ends_replay() => return Err(error),
            Err(_) => return Ok(plain),
        };
        let all_wait = waits.more == 0 && waits.threads.iter().all(|waiting| waiting.wait.is_some());
        if !all_wait && waits.deadlocks().is_empty() {
            return Ok(StopKind { waits: Some(waits), ..plain });
        }
        let known_by = waits.threads.iter().filter_map(|waiting| {
            let place = waiting.frame.as_ref().map(|frame| format!(" in {}", place(frame))).unwrap_or_default();
            Some(format!("thread {} waits for {}{place}", waiting.thread.id, waiting.wait.as_ref()?))
        });
        Ok(StopKind { kind: Kind::Blocked, known_by: known_by.collect(), beginning: None, waits: Some(waits) })
    }

    fn other_threads(&mut self) -> Result<Vec<String>, Error> {
        let all = self.threads()?;
        Ok(all
            .into_iter()
            .filter(|thread| !thread.current)
            .map(|thread| {
                let name = thread.name.map(|name| format!(" {name}")).unwrap_or_default();
                let place = thread.frame.map_or("no frame".to_owned(), |frame| place(&frame));
                format!("{} ({}{name}): {place}", thread.number, thread.id)
            })
            .collect())
    }

    fn summary(
        &mut self,
        found: &StopKind,
        reason: &Reason,
        sender: Option<String>,
        frames: &[Frame],
        fault: Option<&Fault>,
    ) -> Result<String, Error> {
        let kind = found.kind;
        Ok(match (kind, reason) {
            (Kind::Fault, Reason::Signal { name, .. }) => {
                let Some(fault) = fault else { return Ok(name.clone()) };
                if let (Some(division), "SIGFPE") = (&fault.division, name.as_str()) {
                    let code = fault.code.as_ref().map(|code| format!(" ({code})")).unwrap_or_default();
                    return Ok(format!("{name}{code} by this instruction: {division}"));
                }
                match (fault.access, fault.address, &fault.memory) {
                    (Some(access), Some(address), memory) => {
                        let memory = memory.as_ref().map(|memory| format!(": {memory}")).unwrap_or_default();
                        format!("{name}: {access} at {:#x}{memory}", address.0)
                    }
                    (None, Some(address), Some(memory)) => format!("{name}: address {:#x}: {memory}", address.0),
                    _ => match &fault.code {
                        Some(code) => format!("{name} ({code}) by this instruction"),
                        None => format!("{name}; the kernel gave no address"),
                    },
                }
            }
            (Kind::Assertion | Kind::Abort, _) => match not_virtual(frames).map(str::to_owned).or(self.last_message()?)
            {
                Some(message) => message,
                None if kind == Kind::Assertion => "an assertion has failed; its message is not in memory".to_owned(),
                None => "the program has called abort".to_owned(),
            },
            (Kind::UncaughtException, _) => self.uncaught(frames)?,
            (Kind::Panic, _) => self.panic_said_before()?.unwrap_or_else(|| {
                "a Rust panic; its message, if it wrote one, is in its stderr (rr_output)".to_owned()
            }),
            (Kind::Blocked, _) => blocked(found.waits.as_ref()),
            (Kind::Signal, Reason::Signal { name, meaning, .. }) => {
                let how = sender.unwrap_or_else(|| "which no instruction of the thread has caused".to_owned());
                format!("{name} ({meaning}), {how}")
            }
            (Kind::End, Reason::EndOfRecording { exit_code: Some(EXIT_AFTER_PANIC), .. }) if self.is_rust()? => {
                let said =
                    self.panic_said_before()?.map(|said| format!("; it has written: {said}")).unwrap_or_default();
                format!(
                    "the process has ended; a Rust program ends with 101 after a panic in its main thread: catch its \
                     panics, or read what it wrote to stderr{said}"
                )
            }
            (Kind::End, Reason::EndOfRecording { exit_code: Some(code), .. }) if *code != 0 => {
                let by = exited_by(frames).map(|by| format!(": {by}")).unwrap_or_default();
                format!("the process has ended with exit code {code}{by}; what led to it is earlier")
            }
            (Kind::End, Reason::EndOfRecording { exit_code: Some(0), .. }) => {
                "the process has ended with exit code 0, which says that all went well".to_owned()
            }
            (Kind::End, Reason::EndOfRecording { exit_code: None, signal: None }) => {
                "the recording ends here; how the process has ended is not known".to_owned()
            }
            (Kind::End, _) => "the process has ended; what led to it is earlier".to_owned(),
            _ => nothing_wrong(found.waits.as_ref(), self.selected_thread()),
        })
    }

    /// Says what begins where the selected thread is. `frame`: of the user's code.
    fn begun(&mut self, beginning: Beginning, frame: Option<&Frame>) -> Result<String, Error> {
        let by = frame.map(|frame| format!(" by #{} {}", frame.level, place(frame))).unwrap_or_default();
        Ok(match beginning {
            Beginning::Panic => match self.panic_that_begins()? {
                Some(words) => words,
                None => format!("a Rust panic begins here, raised{by}; its message is written later (rr_output)"),
            },
            Beginning::Throw | Beginning::Handler => {
                let is_thrown = beginning == Beginning::Throw;
                let what = self.entering_exception(is_thrown)?;
                let what = what.unwrap_or_else(|| "an exception of a type that cannot be read".to_owned());
                format!("{what}, about to be {}{by}", if is_thrown { "thrown" } else { "handled" })
            }
        })
    }

    /// Says which exception nothing catches.
    fn uncaught(&mut self, frames: &[Frame]) -> Result<String, Error> {
        let Some(thrower) = among(frames, &THROWERS) else {
            return Ok("std::terminate was called; no throw is on the stack".to_owned());
        };
        let from = frames.iter().find(|frame| frame.level == thrower.level + 1);
        let from = from.map(|from| format!(", thrown at #{} {}", from.level, place(from))).unwrap_or_default();
        Ok(match self.exception_thrown_by(thrower)? {
            Some(what) => format!("an exception that nothing catches{from}: {what}"),
            None => format!(
                "an exception that nothing catches{from}; its type and what() are in stderr (rr_output), unless the \
                 program has a handler of its own"
            ),
        })
    }

    /// Returns whether the program itself, not only a library of it, is written in Rust, or partly.
    fn is_rust(&mut self) -> Result<bool, Error> {
        self.with(|s| {
            let Some(program) = s.debuggee.inferior.modules.program() else { return Ok(false) };
            let symbols = program.image.symbols_spelled(OF_RUST);
            Ok(symbols.into_iter().any(|symbol| program.image.language_at(symbol.address) == Some("rust")))
        })
    }

    /// Reads what the C library was about to say when the program ended itself: `__abort_msg` points to a size and a
    /// text.
    fn last_message(&mut self) -> Result<Option<String>, Error> {
        let text = self.with(|s| {
            let inferior = &mut s.debuggee.inferior;
            let named = inferior.modules.all().iter().find_map(|module| {
                let symbol = module.image.symbols_spelled("__abort_msg").into_iter().next()?;
                Some(symbol.address.at(module.bias))
            });
            let Some(at) = named else { return Ok(None) };
            let message = inferior.process.read_u64(at.0).filter(|message| *message != 0);
            Ok(message.and_then(|message| inferior.process.read_c_string(message.wrapping_add(4), MESSAGE)))
        })?;
        Ok(text.map(|text| text.trim_end().to_owned()).filter(|text| !text.is_empty()))
    }
}

/// Says who waits for whom.
fn blocked(waits: Option<&Waits>) -> String {
    const REPORT: &str = "rr_threads_report says since when";
    let circles = waits.map(Waits::deadlocks).unwrap_or_default();
    let told = circles.iter().map(|circle| {
        let ids = circle.iter().chain(circle.first()).map(ToString::to_string);
        format!("deadlock: {}", ids.collect::<Vec<_>>().join(" waits for "))
    });
    match told.collect::<Vec<_>>().join("; ") {
        none if none.is_empty() => format!("no thread runs: each waits to be woken by another one; {REPORT}"),
        told => format!("{told}; {REPORT}"),
    }
}

/// Says that nothing went wrong, and what a thread waits for.
fn nothing_wrong(waits: Option<&Waits>, thread: ThreadId) -> String {
    let own = waits.and_then(|waits| waits.threads.iter().find(|waiting| waiting.thread.id == thread)?.wait.as_ref());
    let own = own.map(|wait| format!("; it waits for {wait} (rr_threads_report)")).unwrap_or_default();
    format!("nothing went wrong here, as far as can be seen{own}")
}

/// Returns where a frame is: `wait_for at queue.c:12`.
pub(super) fn place(frame: &Frame) -> String {
    let function = frame.function.clone().unwrap_or_else(|| frame.address.to_string());
    match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!("{function} at {}:{line}", file.rsplit('/').next().unwrap_or(file)),
        _ => function,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack::describe::empty_frame;

    fn frames(functions: &[&str]) -> Vec<Frame> {
        let empty = empty_frame(arch::RunAddr(0x1000));
        let frame =
            |(level, function): (u32, &&str)| Frame { level, function: Some((*function).to_owned()), ..empty.clone() };
        (0..).zip(functions).map(frame).collect()
    }

    #[test]
    fn a_call_of_a_pure_virtual_function_is_no_exception() {
        let pure = frames(&["__GI_abort", "std::terminate()", "__cxa_pure_virtual", "Base::call()", "main"]);
        let (kind, frame) = own_end(&pure).unwrap();
        assert_eq!((kind, frame.level, not_virtual(&pure)), (Kind::Abort, 2, Some("pure virtual method called")));
        let thrown = frames(&["__GI_abort", "std::terminate()", "__cxa_throw", "main"]);
        let (kind, frame) = own_end(&thrown).unwrap();
        assert_eq!((kind, frame.level, not_virtual(&thrown)), (Kind::UncaughtException, 1, None));
        assert_eq!(own_end(&frames(&["abort", "main"])).unwrap().0, Kind::Abort);
        let stripped = frames(&["abort", "??", "__gxx_personality_v0", "__cxa_throw", "main"]);
        assert_eq!(own_end(&stripped).unwrap().0, Kind::UncaughtException);
        assert!(own_end(&frames(&["??", "__gxx_personality_v0", "__cxa_throw", "main"])).is_none());
        // On the stack of each Rust program.
        let rust = frames(&["abort", "main", "std::panicking::catch_unwind", "std::panicking::try"]);
        assert_eq!(own_end(&rust).unwrap().0, Kind::Abort);
        assert!(own_end(&frames(&["main"])).is_none());
    }

    #[test]
    fn functions_are_known_by_their_names() {
        for (function, name) in [
            ("__GI_abort", "abort"),
            ("std::terminate()", "std::terminate"),
            ("___pthread_mutex_lock", "pthread_mutex_lock"),
            ("__assert_fail", "__assert_fail"),
            ("f<int>(int)", "f"),
        ] {
            assert_eq!(plain(function), name);
        }
    }
}
