//! Questions about the program that move nothing: symbols, lines, names, code, frames, types, modules.

pub(super) mod call;
pub(super) mod clock;
pub(super) mod complete;
pub(super) mod disassemble;
pub(super) mod explain;
pub(super) mod fault;
pub(super) mod frame;
pub(super) mod held;
pub(super) mod history;
pub(super) mod kernel_wait;
pub(super) mod lock_name;
pub(super) mod lookup;
pub(super) mod macros;
pub(super) mod modules;
pub(super) mod names;
pub(super) mod null_pointer;
pub(super) mod object;
pub(super) mod parts;
pub(super) mod raised;
pub(super) mod raw;
pub(super) mod search;
pub(super) mod surroundings;
pub(super) mod typed;
pub(super) mod types;
pub(super) mod waits;
