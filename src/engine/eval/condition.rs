//! Conditions of breakpoints and watchpoints: whether they mean something, and whether they hold.
//!
//! A condition may call functions of the program, if that is allowed. What can be known without is evaluated without:
//! `n > 3 && is_bad(n)` calls nothing where `n` is 3. Else it is evaluated as a whole in a copy of the process, at each
//! hit, and the copy is thrown away.

use crate::api::error::Error;
use crate::eval::call::CallPolicy;
use crate::eval::condition_names::MeantLocals;
use crate::eval::expression::{Bad, Scope, ScopeEnv};
use crate::eval::inferior::{Inferior, LOOKED_AT};
use arch::ThreadId;
use expr::Parsed;
use std::sync::Arc;

impl Inferior {
    /// Checks an expression's syntax, names and types at some code, without a frame.
    pub(crate) fn check(&mut self, scope: Scope, text: &str) -> Result<Parsed, Error> {
        let mut env = ScopeEnv::new(self, scope)?;
        checked(text, &mut env).map_err(|error| bad_condition(text, error.render(text)))
    }

    /// Checks a condition as [`Self::check`] does an expression; it may call functions, if that is allowed.
    pub(crate) fn check_condition(&mut self, scope: Scope, text: &str) -> Result<Parsed, Error> {
        let policy = self.call_policy;
        let mut env = ScopeEnv::new(self, scope)?;
        let error = match checked(text, &mut env) {
            Err(error) if error.is_call() => error,
            other => return other.map_err(|error| bad_condition(text, error.render(text))),
        };
        match policy {
            CallPolicy::Allowed(_) => {
                let mut env = env.with_calls(true);
                checked(text, &mut env).map_err(|error| bad_condition(text, error.render(text)))
            }
            CallPolicy::Refused(how) => Err(bad_condition(text, format!("{}\n{how}", error.render(text)))),
            CallPolicy::Off => Err(bad_condition(text, error.render(text))),
        }
    }

    /// Returns whether a condition is true in a thread's frame: the innermost one, or of the function whose locals are
    /// meant. The error says in words why that cannot be said.
    pub(crate) fn condition_holds(
        &mut self,
        thread: ThreadId,
        meant: Option<&Arc<MeantLocals>>,
        condition: &str,
    ) -> Result<bool, String> {
        let level = match meant.and_then(|meant| meant.function.as_ref()) {
            None => self.level(thread, 0).map_err(|e| e.to_string())?,
            Some(function) => self.level_of(thread, function).map_err(|e| e.to_string())?.ok_or_else(|| {
                format!(
                    "it names variables of `{}`, which is not among the thread's {LOOKED_AT} innermost frames",
                    function.name
                )
            })?,
        };
        let scope = Scope::Frame(thread, level);
        match self.truth(scope, meant, condition) {
            Ok(Some(truth)) => Ok(truth),
            Ok(None) => Err("it has no truth value".to_owned()),
            Err(why) => {
                let is_call = matches!(&why, Bad::Expression(error) if error.is_call());
                let words = why.explained(condition).to_string();
                Err(match self.call_policy {
                    CallPolicy::Refused(how) if is_call => format!("{words}\n{how}"),
                    _ => words,
                })
            }
        }
    }

    /// Evaluates whether a condition is true. Where it has been evaluated before, it is not parsed again.
    fn truth(&mut self, scope: Scope, meant: Option<&Arc<MeantLocals>>, text: &str) -> Result<Option<bool>, Bad> {
        self.refresh().map_err(Bad::Scope)?;
        let may_call = matches!(self.call_policy, CallPolicy::Allowed(_));
        let mut env = ScopeEnv::new(self, scope).map_err(Bad::Scope)?.with_meant(meant);
        let place = (env.pc(), env.inline());
        let parsed = match env.inferior.conditions.get(text, place, meant) {
            Some(known) => known,
            None => {
                let mut parsed = expr::parse_in(text, &mut env);
                if parsed.as_ref().is_err_and(expr::Error::is_call) && may_call {
                    env = env.with_calls(true);
                    parsed = expr::parse_in(text, &mut env);
                }
                let parsed = Arc::new(parsed.map_err(Bad::Expression)?);
                env.inferior.check_answers().map_err(Bad::Scope)?;
                env.inferior.conditions.keep(text, place, meant, parsed.clone());
                parsed
            }
        };
        // What is not evaluated has a type all the same.
        match expr::truth(&parsed, &mut env.with_calls(may_call)) {
            Err(error) if error.is_call() && may_call => self.truth_in_copy(scope, meant, &parsed),
            truth => truth.map_err(Bad::Expression),
        }
    }

    /// Evaluates whether a condition that calls functions is true, in a copy of the process.
    fn truth_in_copy(
        &mut self,
        scope: Scope,
        meant: Option<&Arc<MeantLocals>>,
        parsed: &Parsed,
    ) -> Result<Option<bool>, Bad> {
        let (CallPolicy::Allowed(rules), Scope::Frame(thread, _)) = (self.call_policy, scope) else {
            return Err(Bad::Scope(Error::Expression("functions are not called here".to_owned())));
        };
        self.begin_calls(thread, rules).map_err(Bad::Scope)?;
        // Whatever fails from here on, the copy is left.
        let begun = self.forget_unwritten().map_err(Bad::Scope);
        let truth = begun.and_then(|()| {
            let mut env = ScopeEnv::new(self, scope).map_err(Bad::Scope)?.with_meant(meant);
            expr::truth(parsed, &mut env).map_err(Bad::Expression)
        });
        if let Err(lost) = self.end_calls() {
            let words = lost.to_string();
            self.process.lose(lost);
            return Err(Bad::Scope(Error::Expression(format!("a function that was called did not return: {words}"))));
        }
        truth
    }
}

/// Parses an expression, and finds out whether it has a type.
fn checked(text: &str, env: &mut ScopeEnv<'_>) -> Result<Parsed, expr::Error> {
    let parsed = expr::parse_in(text, env)?;
    match expr::type_of(&parsed, env) {
        // What a container holds is known when there is one.
        Err(expr::Error { kind: expr::ErrorKind::Deferred, .. }) => {}
        ty => drop(ty?),
    }
    Ok(parsed)
}

fn bad_condition(text: &str, reason: String) -> Error {
    Error::BadCondition { condition: text.to_owned(), reason }
}
