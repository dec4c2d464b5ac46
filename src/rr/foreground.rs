//! A child that takes our place at the terminal: same process group, same stdio, and signals are its business.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicI32, Ordering};

/// The child that signals go to; 0: none. One at a time, because the process has one disposition per signal.
static CHILD: AtomicI32 = AtomicI32::new(0);
/// Signals that a user or a script sends to end or steer a program, and those that a program may send to its whole
/// process group: `rr record` ignores them, so they must not end us either.
const PASSED_ON: [libc::c_int; 8] = [
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGTERM,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGABRT,
    libc::SIGTRAP,
];
/// Signals that would stop us, which `rr record` ignores too. They are not handled but ignored: a write to a terminal
/// that `SIGTTOU` guards would be restarted after a handler, for ever.
const IGNORED: [libc::c_int; 2] = [libc::SIGTTIN, libc::SIGTTOU];

/// The child that has our place.
///
/// It is not waited for by the standard library: recorded by an outer rr, a wait tells of stops that it did not ask for,
/// which the library would take for the end, for good.
#[derive(Debug)]
pub(super) struct Foreground {
    child: Child,
    ended: Option<ExitStatus>,
}

/// Starts the child. From now on signals that other processes send us are passed on to it, and those from the terminal,
/// which it gets too, do nothing here.
pub(super) fn start(command: &mut Command) -> io::Result<Foreground> {
    for signal in PASSED_ON {
        // SAFETY: all zeros is a valid `sigaction`, the handler is async-signal-safe and has the form that SA_SIGINFO
        // asks for. The child does not inherit handlers.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = pass_on;
            action.sa_sigaction = handler as libc::sighandler_t;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
            if libc::sigaction(signal, &raw const action, std::ptr::null_mut()) != 0 {
                return Err(io::Error::last_os_error());
            }
        }
    }
    let child = command.spawn()?;
    CHILD.store(i32::try_from(child.id()).unwrap_or(0), Ordering::SeqCst);
    for signal in IGNORED {
        // SAFETY: no handler is involved. Only now, because the child would inherit it.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
    Ok(Foreground { child, ended: None })
}

impl Foreground {
    /// Returns how it ended, if it has.
    pub(super) fn poll(&mut self) -> io::Result<Option<ExitStatus>> {
        self.await_end(libc::WNOHANG)
    }

    /// Waits for its end.
    pub(super) fn wait(mut self) -> io::Result<ExitStatus> {
        loop {
            if let Some(status) = self.await_end(0)? {
                return Ok(status);
            }
        }
    }

    fn await_end(&mut self, options: libc::c_int) -> io::Result<Option<ExitStatus>> {
        if self.ended.is_none() {
            let pid = i32::try_from(self.child.id()).map_err(io::Error::other)?;
            let mut status = 0;
            // SAFETY: a plain system call that stores one number. Nobody else reaps this child.
            match unsafe { libc::waitpid(pid, &raw mut status, options) } {
                -1 => {
                    let error = io::Error::last_os_error();
                    return if error.kind() == io::ErrorKind::Interrupted { Ok(None) } else { Err(error) };
                }
                reaped => self.ended = (reaped == pid).then(|| ExitStatus::from_raw(status)).filter(is_end),
            }
            if self.ended.is_some() {
                CHILD.store(0, Ordering::SeqCst);
            }
        }
        Ok(self.ended)
    }
}

/// Returns whether a child has ended so, and not only stopped or gone on.
fn is_end(status: &ExitStatus) -> bool {
    status.code().is_some() || status.signal().is_some()
}

extern "C" fn pass_on(signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    let child = CHILD.load(Ordering::SeqCst);
    // SAFETY: the kernel gives a valid siginfo to a handler installed with SA_SIGINFO; kill is async-signal-safe. A
    // code above zero means that the kernel itself, here the terminal, sent the signal to the whole group.
    unsafe {
        if child > 0 && !info.is_null() && (*info).si_code <= 0 {
            libc::kill(child, signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_not_the_end() {
        let is_end = |raw| is_end(&ExitStatus::from_raw(raw));
        assert_eq!([0, 3 << 8, libc::SIGTERM].map(is_end), [true; 3]);
        let continued = 0xffff;
        assert_eq!([libc::SIGSTOP << 8 | 0x7f, libc::SIGCONT << 8 | 0x7f, continued].map(is_end), [false; 3]);
    }

    #[test]
    fn the_end_is_told_as_often_as_it_is_asked_for() {
        let child = Command::new("sh").args(["-c", "exit 7"]).spawn().unwrap();
        let mut foreground = Foreground { child, ended: None };
        while foreground.poll().unwrap().is_none() {
            std::thread::yield_now();
        }
        assert_eq!(foreground.poll().unwrap().and_then(|status| status.code()), Some(7));
        assert_eq!(foreground.wait().unwrap().code(), Some(7));
    }
}
