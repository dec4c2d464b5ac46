//! A stopped process as values: locals, globals, expressions, macros, registers, and the value history.

pub(super) mod backtrace;
pub(super) mod expression;
pub(super) mod globals;
pub(super) mod history;
pub(super) mod inferior;
pub(super) mod locals;
pub(super) mod macros;
pub(super) mod meant_locals;
pub(super) mod memory;
pub(super) mod notation;
pub(super) mod registers;
pub(super) mod scopes;
pub(super) mod unavailable;
