//! What comes from outside and is not trusted: files that recordings, programs and debug info name, and texts that are
//! to be shown.
//!
//! Layer 0. Each rule is written once, for whoever opens such a file or shows such a text:
//!
//! * [`open_regular`] opens a file that data from outside names: a regular one, and nothing of the kernel's.
//! * [`FileMap`] maps a file that others may make shorter meanwhile.
//! * [`SourceAccess`] decides which of those may be shown as sources, and opens them.
//! * [`shown`] escapes what a terminal or a reader could take for something else than text; a name or a path is
//!   [`one_line`].
//! * [`TerminalFilter`] takes away what a program's output would have a terminal do.
//! * `regex` compiles a regular expression, unless searching with it could take much memory or time.

#[expect(unsafe_code, reason = "the type of a file system is asked of the kernel")]
mod file;
mod file_map;
mod regex;
mod source;
mod terminal;
mod text;

pub use file::{Refused, open_regular};
pub use file_map::{FileMap, SHORTER, any_is_damaged};
pub use regex::{RegexRefused, regex};
pub use source::SourceAccess;
pub use terminal::{Passing, TerminalFilter};
pub use text::{PathText, is_escaped, one_line, shown, shown_in_json, unspelled};
