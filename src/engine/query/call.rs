//! Expressions that call functions of the program.
//!
//! rr runs them in a diversion: a copy of the process, which is thrown away when the expression has its value. What is
//! shown is read in the copy, so that what a function has made is there to be shown.

use crate::arch::RunAddr;
use crate::ctype::TypeRef;
use crate::ctype::arith::{Arithmetic, IntegerType};
use crate::engine::api::error::Error;
use crate::engine::api::{Evaluated, Show};
use crate::engine::eval::call::Calls;
use crate::engine::eval::expression::{Bad, Scope, ScopeEnv};
use crate::engine::eval::inferior::Inferior;
use crate::engine::modules::auxv::Auxv;
use crate::engine::run::return_value::return_place;
use crate::engine::run::session::Session;
use crate::engine::session::engine::Engine;
use crate::expr::{Env, Name, Passed};
use crate::rr::Replay;
use std::time::Duration;

/// How long one call may take, unless the session's limit for expressions is shorter.
const LIMIT: Duration = Duration::from_secs(5);

/// How long what was printed may take to be heard.
const HEARING: Duration = Duration::from_secs(1);
/// GNU's `stdout`.
const STDOUT: &str = "_IO_2_1_stdout_";
/// Where GNU's `FILE` has the address of its lock, which is 0 while nobody holds it.
const FILE_LOCK: u64 = 0x88;
/// Where it has the beginning and the end of what is to be written.
const WRITE_BASE: u64 = 0x20;
const WRITE_POINTER: u64 = 0x28;

/// What an expression with calls has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Called {
    /// Its value; none if it is `void`.
    pub value: Option<Evaluated>,
    /// The number of the value in the history.
    pub number: Option<u32>,
    /// What the functions have printed, as far as that is heard.
    pub output: String,
}

/// What is printed before and behind the calls, so that what they print is known from the rest.
struct Marks {
    begin: String,
    end: String,
}

impl Marks {
    fn new(number: u32) -> Option<Self> {
        let mark = |word: &str| format!("\u{1e}{word} of call {number}\u{1e}");
        Some(Self { begin: mark("begin"), end: mark("end") })
    }

    /// Returns what was printed between them; of much, the end.
    fn between(&self, replay: &Replay) -> Option<String> {
        let text = replay.heard_until(&self.end, HEARING)?;
        match text.rsplit_once(&self.begin) {
            Some((_, printed)) => Some(printed.to_owned()),
            None => Some(format!("…{text}")),
        }
    }
}

/// How it went.
enum Ran {
    Done(Option<(Evaluated, u32)>),
    Failed(Error),
    /// rr does not answer any more: it is to be replaced.
    Lost(String),
}

impl Engine {
    /// Evaluates an expression in the selected frame that may call functions. The replay is where it was afterwards,
    /// and nothing in it has changed, whatever the functions do: return, crash, end the program, or not return.
    ///
    /// # Errors
    /// Those of [`Engine::evaluate`], and what became of the call. If rr could not be stopped, the next call begins
    /// another one, at the same place.
    pub fn call(&mut self, expression: &str, format: Option<char>) -> Result<Called, Error> {
        self.require_time()?;
        self.calls = self.calls.wrapping_add(1);
        let marks = Marks::new(self.calls).filter(|_| self.server.heard().is_some());
        let mut ran = None;
        let limit = self.session.limits.eval.max(LIMIT);
        self.within(limit, |s| {
            ran = Some(s.call(expression, format, marks.as_ref())?);
            Ok(())
        })?;
        let output =
            marks.zip(self.server.heard()).and_then(|(marks, replay)| marks.between(replay)).unwrap_or_default();
        match ran {
            Some(Ran::Done(done)) => {
                let (value, number) = done.unzip();
                Ok(Called { value, number, output })
            }
            Some(Ran::Failed(error)) => Err(error),
            Some(Ran::Lost(why)) => {
                self.server.end();
                let words = format!("a function that was called did not return: {why}");
                self.absent = Some(words.clone());
                Err(Error::Expression(format!("{words}; rr is started anew, where it was")))
            }
            None => Err(Error::Expression("nothing was called".to_owned())),
        }
    }
}

impl Session {
    fn call(&mut self, expression: &str, format: Option<char>, marks: Option<&Marks>) -> Result<Ran, Error> {
        let level = self.debuggee.selected()?;
        let thread = self.debuggee.thread;
        let process = &mut self.debuggee.inferior.process;
        let entry = Auxv::parse(&process.auxv()?).entry;
        let unknown = || Error::Expression("it is not known where the program begins, to return to".to_owned());
        let return_to = entry.map(RunAddr).ok_or_else(unknown)?;
        let sp = process.registers(thread)?.sp().unwrap_or_default();
        let stack = process.mappings()?.into_iter().find(|mapping| mapping.contains(sp.wrapping_sub(1)));
        let lowest = stack.map_or(u64::MAX, |stack| stack.start.0);
        process.begin_diversion(thread)?;
        self.debuggee.inferior.calls = Some(Calls {
            return_place,
            return_to,
            thread,
            cancel: self.cancel.clone(),
            limit: LIMIT,
            lowest,
            used: None,
            failed: None,
            over: None,
        });
        let scope = Scope::Frame(thread, level);
        // Whatever fails from here on, the copy is left.
        let begun = self.forget_unwritten();
        if let Some(marks) = marks {
            self.mark(scope, &marks.begin);
        }
        let done = begun.and_then(|()| self.called(scope, expression, format));
        self.flush(scope);
        if let Some(marks) = marks {
            self.mark(scope, &marks.end);
        }
        let failed = self.debuggee.inferior.calls.take().and_then(|calls| calls.failed);
        let ended = self.debuggee.inferior.process.end_diversion();
        for error in [failed, ended.err()].into_iter().flatten() {
            if error.ends_replay() {
                self.debuggee.inferior.process.take_failure();
                return Ok(Ran::Lost(error.to_string()));
            }
        }
        Ok(match done {
            Ok(done) => Ran::Done(done),
            Err(error) => Ran::Failed(error),
        })
    }

    /// Has the copy forget what its `stdout` holds that the program has yet to write: it is no output of the calls.
    fn forget_unwritten(&mut self) -> Result<(), Error> {
        let inferior = &mut self.debuggee.inferior;
        let Some(stdout) = inferior.idle_stdout() else { return Ok(()) };
        match inferior.process.read_u64(stdout.wrapping_add(WRITE_BASE)) {
            Some(base) => {
                inferior.process.write_memory(RunAddr(stdout.wrapping_add(WRITE_POINTER)), &base.to_le_bytes())
            }
            None => Ok(()),
        }
    }

    /// Has the copy write out what its `stdout` holds.
    fn flush(&mut self, scope: Scope) {
        let inferior = &mut self.debuggee.inferior;
        if let Some(stdout) = inferior.idle_stdout()
            && let Some(flush) = inferior.function(scope, "fflush")
        {
            // What becomes of it is seen by what is printed.
            let _ = inferior.call_function(flush, &long(), &[scalar(stdout)]);
        }
    }

    /// Has the copy print a mark.
    fn mark(&mut self, scope: Scope, mark: &str) {
        let inferior = &mut self.debuggee.inferior;
        if let Some(write) = inferior.function(scope, "write") {
            let arguments = [scalar(1), Passed::Copy(mark.as_bytes().to_vec()), scalar(mark.len() as u64)];
            let _ = inferior.call_function(write, &long(), &arguments);
        }
    }

    /// Evaluates and shows an expression in the copy; `None` if it is `void`.
    fn called(
        &mut self,
        scope: Scope,
        expression: &str,
        format: Option<char>,
    ) -> Result<Option<(Evaluated, u32)>, Error> {
        let Scope::Frame(thread, level) = scope else { return Ok(None) };
        let inferior = &mut self.debuggee.inferior;
        let rest = crate::expr::split_format(expression).map_or(expression, |(_, rest)| rest);
        let value = inferior.value(scope, rest).map_err(|bad| match bad {
            Bad::Scope(error) => error,
            bad => bad.explained(rest),
        })?;
        if matches!(&*crate::ctype::layout::strip(&value.ty), crate::ctype::Type::Void) {
            return Ok(None);
        }
        // The value goes into the history, and is shown from there: it is not computed twice.
        let kept = inferior.kept(value)?;
        let number = inferior.variables.push(kept);
        let show = Show { format, ..Show::default() };
        let mut shown = inferior.evaluate(thread, level, &format!("${number}"), show)?;
        shown.expression = expression.to_owned();
        Ok(Some((shown, number)))
    }
}

fn long() -> TypeRef {
    Arithmetic::Integer(IntegerType::LONG).base_type()
}

fn scalar(value: u64) -> Passed {
    Passed::Scalar(long(), value.to_le_bytes().to_vec())
}

impl Inferior {
    /// Finds the address of a function of the C library; the program may have another one of that name.
    fn function(&mut self, scope: Scope, name: &str) -> Option<u64> {
        let of_gnu = self.modules.user().find_map(|module| {
            let defined = |name: &str| module.image.symbols_spelled(name).into_iter().find(|s| s.address.0 != 0);
            defined(STDOUT)?;
            // Its own spellings come first: a static program may have the other itself.
            let names = [format!("__{name}"), format!("_IO_{name}"), name.to_owned()];
            let symbol = names.iter().find_map(|name| defined(name).filter(|symbol| symbol.is_code))?;
            Some(symbol.address.at(module.bias).0)
        });
        of_gnu.or_else(|| {
            let mut env = ScopeEnv::new(self, scope).ok()?;
            env.functions(&Name::simple(name)).first()?.address()
        })
    }

    /// Finds GNU's `stdout`, if nobody is at work on it: who waits for that would wait for ever.
    fn idle_stdout(&mut self) -> Option<u64> {
        let found = self.modules.user().find_map(|module| {
            let symbol = module.image.symbols_named(STDOUT).into_iter().find(|symbol| symbol.address.0 != 0)?;
            Some(symbol.address.at(module.bias).0)
        })?;
        let lock = self.process.read_u64(found.checked_add(FILE_LOCK)?)?;
        (self.process.read_u64(lock)? as u32 == 0).then_some(found)
    }
}
