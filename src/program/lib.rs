//! Resolves names and locations of a program, for a stopped process and for recorded moments.
//!
//! A name, a place in the code, a register, the place of a result mean the same at a stop and in a question about the
//! whole execution. That meaning is here: functions of debug info, symbols and source files, in terms of the modules
//! that whoever asks has (`module::Loaded`). It reads no process and no recording.
//!
//! ```text
//! location      where code is: functions, lines by number and text, regular expressions; how it is written
//! returns       where the result of a function is
//! names         what a name means that no local has; names that may have been meant
//! completion    where a type is defined that a module only declares
//! place         where a variable is, as a value has it
//! made_up       values of registers that are recognised in what debug info makes of them
//! registers     the types of registers
//! macros        the definitions of macros
//! sources       source files on this machine
//! debuginfod    debug info from servers
//! transfers     direct calls of an address, and jumps to it
//! module        a module as all of these see it
//! ```

pub mod base_name;
pub mod completion;
pub mod debuginfod;
pub mod location;
pub mod macros;
pub mod made_up;
pub mod module;
pub mod names;
pub mod needed;
pub mod place;
pub mod registers;
pub mod returns;
pub mod sources;
pub mod transfers;
