//! Ctrl-C, noticed instead of ending the process: what is under way is ended in good order, and leaves nothing behind.

use std::sync::atomic::{AtomicBool, Ordering};

/// Set by Ctrl-C, and taken back when the next command of a prompt begins.
pub(super) static INTERRUPTED: AtomicBool = AtomicBool::new(false);

extern "C" fn interrupted(_signal: libc::c_int) {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// Has Ctrl-C be noticed.
pub(super) fn catch_interrupts() {
    let handler: extern "C" fn(libc::c_int) = interrupted;
    // SAFETY: the handler only stores to an atomic. If it cannot be installed, Ctrl-C ends the process.
    unsafe { libc::signal(libc::SIGINT, handler as libc::sighandler_t) };
}
