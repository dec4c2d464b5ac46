//! `retrograde rr ARGS…`: rr itself, with the right counters.

use rr::{Error, Rr};
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitCode, ExitStatus};

/// Runs rr, and ends as it did.
pub(super) fn run(words: &[OsString]) -> Result<ExitCode, Error> {
    let mut tell = |note: &str| eprintln!("retrograde: {note}");
    let passed = Rr::find()?.pass_through(words, &mut tell)?;
    passed.notes.iter().for_each(|note| tell(note));
    Ok(end_as(passed.status))
}

/// Ends as rr did: returns the exit code, or dies of the same signal, so that a shell sees what it would have seen
/// without us.
pub(super) fn end_as(status: ExitStatus) -> ExitCode {
    if let Some(signal) = status.signal() {
        // SAFETY: plain system calls. The core dump that matters was the recorded program's.
        unsafe {
            libc::prctl(libc::PR_SET_DUMPABLE, 0);
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
        // Reached if the signal is blocked or does not end a process.
        return ExitCode::from(u8::try_from(128 + signal).unwrap_or(u8::MAX));
    }
    status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
}
