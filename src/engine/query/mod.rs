//! Questions about the program that move nothing: symbols, lines, names, code, frames, types, modules.
//!
//! Of the present moment; what is asked of a whole execution is in `questions`.
//!
//! ```text
//! lookup, search, raw, disassemble     what is at an address; memory, registers and code
//! names, complete, types, macros       what there is by name
//! typed, object, parts, held, pointer  values with their types; what is in memory, and where
//! memory_name                          what memory is in the program's words
//! frame, modules, clock                the selected frame; what is loaded; when events were recorded
//! explain, exit, fault, null_pointer   what a stop is about
//! recursion                            functions that call each other until the stack is full, and with what arguments
//! ring                                 pointers that lead back to where they came from
//! raised                               exceptions and panics
//! virtual_tables                       the functions that a C++ object's virtual calls lead to
//! command_line                         what the process executes
//! waits, kernel_wait, lock_name        what threads wait for
//! called_by_name                       names of functions of stripped libraries
//! surroundings                         what a stop shows besides its frame
//! call                                 expressions that call functions of the program
//! keep_values                          values are put into the history
//! ```

pub(super) mod call;
pub(super) mod called_by_name;
pub(super) mod clock;
pub(super) mod command_line;
pub(super) mod complete;
pub(super) mod disassemble;
pub(super) mod exit;
pub(super) mod explain;
pub(super) mod fault;
pub(super) mod frame;
pub(super) mod held;
pub(super) mod keep_values;
pub(super) mod kernel_wait;
pub(super) mod lock_name;
pub(super) mod lookup;
pub(super) mod macros;
pub(super) mod memory_name;
pub(super) mod modules;
pub(super) mod names;
pub(super) mod null_pointer;
pub(super) mod object;
pub(super) mod parts;
pub(super) mod pointer;
pub(super) mod raised;
pub(super) mod raw;
pub(super) mod recursion;
pub(super) mod ring;
pub(super) mod search;
pub(super) mod surroundings;
pub(super) mod typed;
pub(super) mod types;
pub(super) mod virtual_tables;
pub(super) mod waits;
