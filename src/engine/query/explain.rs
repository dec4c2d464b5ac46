//! What a stop is about: recognised by the signal, by functions on the stack, by what the processor and the kernel say.

use crate::engine::api::error::Error;
use crate::engine::api::{Explanation, Fault, Frame, Kind, Mapping, Reason};
use crate::engine::query::fault::SignalInfo;
use crate::engine::session::engine::Engine;

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
const TERMINATES: [&str; 2] = ["std::terminate", "__cxxabiv1::__terminate"];
/// Functions of Rust's library by which a panic begins.
const PANICS: [&str; 4] = ["rust_begin_unwind", "core::panicking::", "std::panicking::", "rust_panic"];
/// What a Rust program ends with after a panic in its main thread.
const PANICKED: i32 = 101;
/// A function of Rust's library, by a name that is the same everywhere.
const OF_RUST: &str = "rust_eh_personality";
/// Functions of the C library in which a thread waits for another one.
const WAITS: [&str; 14] = [
    "__lll_lock_wait",
    "__lll_lock_wait_private",
    "lll_mutex_lock_optimized",
    "__futex_abstimed_wait_common",
    "__futex_abstimed_wait_common64",
    "__futex_abstimed_wait_cancelable64",
    "futex_wait",
    "pthread_mutex_lock",
    "pthread_cond_wait",
    "pthread_join",
    "__pthread_clockjoin_ex",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_rdlock",
    "sem_wait",
];

/// Returns the name of a function as it is in the source: without template arguments, parameters, and the C library's
/// prefix of its own copies.
fn plain(function: &str) -> &str {
    let end = function.find(['(', '<']).unwrap_or(function.len());
    let name = function.get(..end).unwrap_or(function);
    let name = name.strip_prefix("__GI_").unwrap_or(name);
    name.strip_prefix("___").map_or(name, |rest| if rest.starts_with("pthread") { rest } else { name })
}

fn is_among(frame: &Frame, names: &[&str]) -> bool {
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
        (Kind::Abort, ["abort"].as_slice()),
    ];
    kinds.into_iter().find_map(|(kind, names)| Some((kind, among(frames, names)?)))
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
        let (kind, known_by) = self.kind(&reason, sender.as_deref(), &frames)?;
        let fault = if kind == Kind::Fault { Some(self.fault(info.as_ref())?) } else { None };
        let threads = self.other_threads()?;
        let found = self.with(|s| s.debuggee.user_frame(s.debuggee.thread, LINES))?;
        let locals = match &found {
            Some(found) => {
                self.select_frame(found.frame.level)?;
                self.locals()?
            }
            None => Vec::new(),
        };
        let (frame, source) = found.map(|found| (found.frame, found.source)).unzip();
        let source = source.unwrap_or_default();
        let summary = self.summary(kind, &reason, sender, &frames, fault.as_ref())?;
        Ok(Explanation { kind, summary, evidence: known_by, fault, frame, source, locals, threads, waypoint })
    }

    /// Finds out what kind of end it is. `sender`: by whom the signal was sent, if it is one that was sent.
    fn kind(&mut self, reason: &Reason, sender: Option<&str>, frames: &[Frame]) -> Result<(Kind, Vec<String>), Error> {
        let Reason::Signal { name, meaning, .. } = reason else {
            return match reason {
                Reason::EndOfRecording { exit_code, signal } => Ok((
                    Kind::End,
                    vec![match (exit_code, signal) {
                        (_, Some(signal)) => format!("the recording ends with {signal}"),
                        (Some(code), None) => format!("the recording ends with exit code {code}"),
                        (None, None) => "the recording ends here".to_owned(),
                    }],
                )),
                _ => self.waiting(frames),
            };
        };
        let signal = format!("{name} ({meaning})");
        let is_fault = FAULTS.contains(&name.as_str());
        if is_fault && sender.is_none() {
            return Ok((Kind::Fault, vec![signal]));
        }
        if let Some((kind, frame)) = own_end(frames).filter(|_| !is_fault) {
            return Ok((kind, vec![signal, evidence(frame)]));
        }
        let signal = sender.map_or(signal.clone(), |sender| format!("{signal}, {sender}"));
        // A signal from outside often is the end of somebody's patience.
        let (kind, known_by) = self.waiting(frames)?;
        let kind = if kind == Kind::Blocked { kind } else { Kind::Signal };
        Ok((kind, [vec![signal], known_by].concat()))
    }

    /// Finds out whether each thread waits for another one.
    fn waiting(&mut self, frames: &[Frame]) -> Result<(Kind, Vec<String>), Error> {
        let selected = self.selected_thread();
        let others: Vec<String> = self
            .threads()?
            .into_iter()
            .filter(|thread| thread.id != selected)
            .map(|thread| thread.id.to_string())
            .collect();
        let mut known_by = Vec::new();
        let Some(own) = among(frames.get(..3).unwrap_or(frames), &WAITS) else { return Ok((Kind::Plain, known_by)) };
        known_by.push(format!("thread {selected}: {}", evidence(own)));
        let mut all = true;
        for id in others {
            self.select_thread(&id)?;
            let innermost = self.backtrace(0, 3, false).map(|found| found.frames).unwrap_or_default();
            match among(&innermost, &WAITS) {
                Some(frame) => known_by.push(format!("thread {id}: {}", evidence(frame))),
                None => all = false,
            }
        }
        self.select_thread(&selected.to_string())?;
        Ok(if all { (Kind::Blocked, known_by) } else { (Kind::Plain, Vec::new()) })
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
        kind: Kind,
        reason: &Reason,
        sender: Option<String>,
        frames: &[Frame],
        fault: Option<&Fault>,
    ) -> Result<String, Error> {
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
                        None => format!("{name}; the kernel tells no address"),
                    },
                }
            }
            (Kind::Assertion | Kind::Abort, _) => match not_virtual(frames).map(str::to_owned).or(self.last_message()?) {
                Some(message) => message,
                None if kind == Kind::Assertion => "an assertion has failed; its message is not in memory".to_owned(),
                None => "the program has called abort".to_owned(),
            },
            (Kind::UncaughtException, _) => match among(frames, &["__cxa_throw"]) {
                Some(thrown) => {
                    let from = frames.iter().find(|frame| frame.level == thrown.level + 1);
                    let from = from.map(|from| format!(", thrown at #{} {}", from.level, place(from)));
                    format!(
                        "an exception that nothing catches{}; its type and what() are in stderr (rr_output), unless the program \
                         has a handler of its own",
                        from.unwrap_or_default()
                    )
                }
                None => "std::terminate was called; no throw is on the stack".to_owned(),
            },
            (Kind::Panic, _) => {
                "a Rust panic that has ended the process; its message, if it wrote one, is in its stderr (rr_output)".to_owned()
            }
            (Kind::Blocked, _) => "each thread waits for another one".to_owned(),
            (Kind::Signal, Reason::Signal { name, meaning, .. }) => {
                let how = sender.unwrap_or_else(|| "which no instruction of the thread has caused".to_owned());
                format!("{name} ({meaning}), {how}")
            }
            (Kind::End, Reason::EndOfRecording { exit_code: Some(PANICKED), .. }) if self.is_rust()? => {
                "the process has ended; a Rust program ends with 101 after a panic in its main thread: catch its panics, \
                 or read what it wrote to stderr"
                    .to_owned()
            }
            (Kind::End, _) => "the process has ended; what led to it is earlier".to_owned(),
            _ => "nothing went wrong here, as far as can be seen".to_owned(),
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

/// Returns where a frame is: `wait_for at queue.c:12`.
fn place(frame: &Frame) -> String {
    let function = frame.function.clone().unwrap_or_else(|| frame.address.to_string());
    match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!("{function} at {file}:{line}"),
        _ => function,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::stack::describe::empty_frame;

    fn frames(functions: &[&str]) -> Vec<Frame> {
        let empty = empty_frame(crate::arch::RunAddr(0x1000));
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
