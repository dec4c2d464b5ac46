//! Values with their types, for callers that compute with them rather than show them.

use crate::api::error::Error;
use crate::api::{Access, BreakpointInfo};
use crate::eval::expression::{Bad, Scope, ScopeEnv};
use crate::eval::inferior::Inferior;
use crate::eval::locals::LocalVariable;
use crate::session::engine::Engine;
use base::qualified::bounded_in_line;
use ctype::{Memory, Place, Target, Type, TypeRef, Value};
use std::sync::Arc;

/// A value, and what it depends on besides its type. It is read from the process when it is looked at, so that it means
/// something only until the next movement.
#[derive(Clone, Debug)]
pub struct Typed {
    /// Its type, and where it is.
    pub value: Value,
    /// The target, and the language of the code in whose scope it was named.
    pub target: Target,
}

/// A variable of a frame.
#[derive(Clone, Debug)]
pub struct TypedVariable {
    /// Its name.
    pub name: String,
    /// Its value, or why there is none.
    pub value: Typed,
    /// Whether it is a parameter.
    pub is_argument: bool,
    /// Whether a variable of an inner block hides it.
    pub is_shadowed: bool,
    /// The line that declares it.
    pub line: Option<u32>,
}

impl Typed {
    /// Returns the spelling of its type, in its language, without what libraries add that nobody writes.
    pub fn type_name(&self) -> String {
        spelled(&self.value.ty, self.target)
    }
}

/// Returns the spelling of a type in a target's language.
pub fn spelled(ty: &TypeRef, target: Target) -> String {
    readers::shortened(&ctype::type_name(ty, target.dialect))
}

impl Engine {
    /// Evaluates an expression in the selected frame. A value that is not known is a value that says why.
    pub fn typed(&mut self, expression: &str) -> Result<Typed, Error> {
        self.ask(|s| {
            let (thread, level) = (s.debuggee.thread, s.debuggee.selected()?);
            let inferior = &mut s.debuggee.inferior;
            let value = inferior.value_or_reason(Scope::Frame(thread, level), expression)?;
            Ok(Typed { value, target: inferior.target_of(thread, level)? })
        })
    }

    /// Returns the arguments and locals of the selected frame, the innermost block last.
    pub fn typed_variables(&mut self) -> Result<Vec<TypedVariable>, Error> {
        self.with(|s| {
            let (thread, level) = (s.debuggee.thread, s.debuggee.selected()?);
            let target = s.debuggee.inferior.target_of(thread, level)?;
            Ok(typed(s.debuggee.inferior.variables(thread, level)?, target))
        })
    }

    /// Returns the globals and file-scope statics of the unit that the code of the selected frame is in.
    pub fn typed_globals(&mut self) -> Result<Vec<TypedVariable>, Error> {
        self.with(|s| {
            let (thread, level) = (s.debuggee.thread, s.debuggee.selected()?);
            let target = s.debuggee.inferior.target_of(thread, level)?;
            Ok(typed(s.debuggee.inferior.globals(thread, level)?, target))
        })
    }

    /// Returns the registers of the selected frame, in the target's order.
    pub fn typed_registers(&mut self) -> Result<Vec<(String, Typed)>, Error> {
        self.with(|s| {
            let (thread, level) = (s.debuggee.thread, s.debuggee.selected()?);
            let inferior = &mut s.debuggee.inferior;
            let target = inferior.target_of(thread, level)?;
            let layout = inferior.process.layout().clone();
            let names = layout.registers.iter().map(|register| register.name.clone());
            let typed = names.filter_map(|name| {
                let value = inferior.register_value(Some((thread, level.physical)), &name)?;
                Some((name, Typed { value, target }))
            });
            Ok(typed.collect())
        })
    }

    /// Returns what the last `finish` returned, until the next movement; `None` if that is nothing, or cannot be found.
    pub fn typed_returned(&mut self) -> Result<Option<Typed>, Error> {
        self.with(|s| {
            let (thread, level) = (s.debuggee.thread, s.debuggee.selected()?);
            let target = s.debuggee.inferior.target_of(thread, level)?;
            let value = s.debuggee.inferior.variables.returned.clone();
            Ok(value.map(|value| Typed { value, target }))
        })
    }

    /// Watches a value of this moment, where it is in memory, as [`Engine::set_watchpoint`] watches an expression.
    /// `text`: what it is called.
    pub fn watch_typed(
        &mut self,
        typed: &Typed,
        text: &str,
        access: Access,
        condition: Option<&str>,
        log: Option<&str>,
    ) -> Result<BreakpointInfo, Error> {
        let limit = self.session.limits.breakpoint;
        self.ask_within(limit, |s| s.debuggee.watch_value(&typed.value, text, access, condition, log))
    }

    /// Asks something of the process's memory, and of what its modules know.
    pub fn with_memory<R>(&mut self, mut ask: impl FnMut(&mut dyn Memory) -> R) -> Result<R, Error> {
        self.with(|s| Ok(ask(&mut s.debuggee.inferior)))
    }
}

fn typed(found: Vec<LocalVariable>, target: Target) -> Vec<TypedVariable> {
    let named = found.into_iter().filter(|found| !found.variable.name.is_empty());
    let typed = named.map(|found| TypedVariable {
        name: bounded_in_line(&found.variable.name).into_owned(),
        value: Typed { value: found.value, target },
        is_argument: found.variable.is_argument,
        is_shadowed: found.shadowed,
        line: found.variable.line,
    });
    typed.collect()
}

impl Inferior {
    /// Evaluates an expression; of one that needs what is not known, a value of its type that says why.
    fn value_or_reason(&mut self, scope: Scope, text: &str) -> Result<Value, Error> {
        match self.value(scope, text) {
            Ok(value) => Ok(value),
            Err(Bad::Expression(expr::Error { kind: expr::ErrorKind::Unavailable(reason), .. })) => {
                let mut env = ScopeEnv::new(self, scope)?;
                let ty = expr::parse_in(text, &mut env).and_then(|parsed| expr::type_of(&parsed, &mut env));
                let ty = ty.unwrap_or_else(|_| Arc::new(Type::Opaque("type that is not known".to_owned())));
                Ok(Value::new(ty, Place::Unavailable(reason)))
            }
            Err(bad) => Err(bad.explained(text)),
        }
    }
}
