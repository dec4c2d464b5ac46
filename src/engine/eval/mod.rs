//! A stopped process as values: locals, globals, expressions, macros, registers, and the value history.

pub(super) mod backtrace;
pub(super) mod call;
pub(super) mod condition;
pub(super) mod condition_names;
pub(super) mod convention;
pub(super) mod diversion;
pub(super) mod expression;
pub(super) mod fortran_ada;
pub(super) mod globals;
pub(super) mod inferior;
pub(super) mod locals;
pub(super) mod macros;
pub(super) mod memory;
pub(super) mod registers;
pub(super) mod siginfo;
pub(super) mod unavailable;
pub(super) mod value_history;
