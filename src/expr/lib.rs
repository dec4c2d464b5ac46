//! C expressions over the state of a recording: parsed, evaluated, or compiled to what rr can evaluate by itself.
//!
//! Knows neither debug info nor a process: names, registers and memory come from an [`Env`]. Expressions have no side
//! effects; assignments and calls are recognised and refused.

mod ast;
mod bytecode;
mod env;
mod error;
mod eval;
mod format;
mod lexer;
mod macros;
mod own_operators;
mod parser;
mod types;

pub use ast::{
    Access, BinaryOp, Builtin, Derivation, Encoding, Expr, ExprKind, Name, Tag, TemplateArgument, TypeBase, TypeName,
    UnaryOp,
};
pub use bytecode::{
    Bound, Bounded, Home, Located, Locator, Machine, NotCompilable, Placement, Term, bounds, compile, run,
};
pub use env::{Env, LookupError, Names, Passed, Types};
pub use error::{Error, ErrorKind, Refusal, Span};
pub use eval::{Parsed, evaluate, evaluate_text, expand_in, member_of, parse_in, truth, type_of};
pub use format::split_format;
pub use macros::Macro;
pub use parser::parse;
pub use types::resolve_type;

#[cfg(test)]
mod tests;

#[cfg(test)]
#[expect(clippy::print_stdout, reason = "what came of a longer run")]
#[allow(dead_code, reason = "each crate uses a part of it")]
#[path = "../../tests/support/fuzz.rs"]
mod fuzz;
