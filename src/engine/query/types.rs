//! Types as text: of expressions, and of what is a type's name.

use crate::api::error::Error;
use crate::eval::expression::{Scope, ScopeEnv};
use crate::run::session::Session;
use crate::session::engine::Engine;
use ctype::{Contents, definition, is_record, layout::size_of, type_name, unrolled};
use expr::{ExprKind, Types};

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeText {
    /// Its name: of an expression, as it was declared; of a type, with one level of typedef taken off.
    pub name: String,
    /// With members, and without typedefs, if that was wanted.
    pub definition: String,
    /// In bytes, if it has a size.
    pub size: Option<u64>,
    /// Whether it is a structure, a union or a class, and no other name of one.
    pub is_record: bool,
}

impl Session {
    fn type_of(&mut self, text: &str, listed: Option<Contents>) -> Result<TypeText, Error> {
        self.debuggee.catch_up()?;
        let level = self.debuggee.selected()?;
        let failed = |e: expr::Error| Error::expression(&e, text);
        let scope = Scope::Frame(self.debuggee.thread, level);
        let mut env = ScopeEnv::new(&mut self.debuggee.inferior, scope)?;
        let dialect = env.target().dialect;
        let find = |env: &mut ScopeEnv<'_>| {
            let parsed = expr::parse_in(text, env)?;
            expr::type_of(&parsed, env).map(|ty| (parsed, ty))
        };
        let found = match find(&mut env) {
            // What a function returns is known without a call.
            Err(error) if error.is_call() => find(&mut env.with_calls(true)),
            found => found,
        };
        let (parsed, ty) = found.map_err(failed)?;
        let is_type = matches!(parsed.kind, ExprKind::Type(_));
        self.debuggee.inferior.note_choices(scope, text);
        Ok(TypeText {
            name: if is_type { unrolled(&ty, dialect) } else { type_name(&ty, dialect) },
            definition: listed.map(|listed| definition(&ty, dialect, listed)).unwrap_or_default(),
            size: size_of(&ty),
            is_record: is_record(&ty),
        })
    }
}

impl Engine {
    /// Finds the type of an expression in the selected frame, or the type that it names; with its definition if it is
    /// said what is to be listed there.
    pub fn type_of(&mut self, text: &str, listed: Option<Contents>) -> Result<TypeText, Error> {
        self.ask(|s| s.type_of(text, listed))
    }
}
