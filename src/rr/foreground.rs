//! A child that takes our place at the terminal: same process group, same stdio, and signals are its business.

use std::io;
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

/// Starts the child. From now on signals that other processes send us are passed on to it, and those from the terminal,
/// which it gets too, do nothing here.
pub(super) fn start(command: &mut Command) -> io::Result<Child> {
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
    Ok(child)
}

/// Waits for its end.
pub(super) fn wait(child: &mut Child) -> io::Result<ExitStatus> {
    let status = child.wait();
    CHILD.store(0, Ordering::SeqCst);
    status
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
