//! Standard output and error where nobody may read them any more: `retrograde ls | head -1`.

use base::untrusted::shown;
use std::io::{self, ErrorKind, Write as _};

/// The exit status of a program that SIGPIPE has ended, which would end this one if Rust did not ignore it.
const ENDED_BY_PIPE: i32 = 128 + libc::SIGPIPE;

/// Writes a text that is already fit to be shown. Nobody reads stdout any more: ends the program. It cannot be written for
/// another reason: says so on stderr, and ends it with status 1.
#[expect(clippy::exit, reason = "there is nothing left to do, and rr ends with its parent")]
pub(super) fn write_out(text: &str) {
    let mut stdout = io::stdout().lock();
    // What is not the end of a line waits until it is, or until the program ends.
    let Err(error) = stdout.write_all(text.as_bytes()) else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(ENDED_BY_PIPE);
    }
    write_err(&format!("retrograde: stdout: {error}\n"));
    std::process::exit(1);
}

/// Writes a text that is already fit to be shown, if anybody reads stderr.
pub(super) fn write_err(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Prints a text with what comes from outside [escaped](shown).
pub(super) fn print(text: &str) {
    write_out(&shown(text));
}

/// Prints a text on stderr in the same way.
pub(super) fn print_err(text: &str) {
    write_err(&shown(text));
}
