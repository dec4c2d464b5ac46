//! Expressions that call functions of the program.
//!
//! rr runs them in a diversion: a copy of the process, which is thrown away when the expression has its value. What is
//! shown is read in the copy, so that what a function has made is there to be shown.

use crate::api::error::Error;
use crate::api::{Evaluated, Show};
use crate::eval::call::CallPolicy;
use crate::eval::diversion::{LIMIT, STDOUT};
use crate::eval::expression::{Bad, Scope, ScopeEnv};
use crate::eval::inferior::Inferior;
use crate::run::return_value::result_place;
use crate::run::session::Session;
use crate::session::engine::Engine;
use ctype::TypeRef;
use ctype::arith::{Arithmetic, IntegerType};
use expr::{Env, Name, Passed};
use rr::Replay;
use std::time::Duration;

/// How long what was printed may take to be heard.
const HEARING: Duration = Duration::from_secs(1);

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
    /// Has conditions call functions that they name, in a copy of the program at each hit.
    pub fn allow_calls(&mut self) {
        self.session.debuggee.inferior.call_policy = CallPolicy::Allowed(result_place);
    }

    /// Has it said, where a condition calls a function, how to have functions called.
    pub fn explain_calls(&mut self, how: &'static str) {
        self.session.debuggee.inferior.call_policy = CallPolicy::Refused(how);
    }

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
                Err(Error::Expression(format!("{words}; rr is restarted at the same position")))
            }
            None => Err(Error::Expression("nothing was called".to_owned())),
        }
    }
}

impl Session {
    fn call(&mut self, expression: &str, format: Option<char>, marks: Option<&Marks>) -> Result<Ran, Error> {
        let level = self.debuggee.selected()?;
        let thread = self.debuggee.thread;
        self.debuggee.inferior.begin_calls(thread, result_place)?;
        let scope = Scope::Frame(thread, level);
        // Whatever fails from here on, the copy is left.
        let begun = self.debuggee.inferior.forget_unwritten();
        if let Some(marks) = marks {
            self.mark(scope, &marks.begin);
        }
        let done = begun.and_then(|()| self.called(scope, expression, format));
        self.flush(scope);
        if let Some(marks) = marks {
            self.mark(scope, &marks.end);
        }
        if let Err(error) = self.debuggee.inferior.end_calls() {
            return Ok(Ran::Lost(error.to_string()));
        }
        Ok(match done {
            Ok(done) => Ran::Done(done),
            Err(error) => Ran::Failed(error),
        })
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
            let arguments = [scalar(1), Passed::Copy(mark.as_bytes().to_vec(), None), scalar(mark.len() as u64)];
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
        let rest = expr::split_format(expression).map_or(expression, |(_, rest)| rest);
        let value = inferior.value(scope, rest).map_err(|bad| match bad {
            Bad::Scope(error) => error,
            bad => bad.explained(rest),
        })?;
        if matches!(&*ctype::layout::strip(&value.ty), ctype::Type::Void) {
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
}
