//! Names of Linux signals.

/// Signals 1 to 31 in order, as x86-64 and aarch64 number them (`asm-generic/signal.h`).
const NAMES: [&str; 31] = [
    "SIGHUP",
    "SIGINT",
    "SIGQUIT",
    "SIGILL",
    "SIGTRAP",
    "SIGABRT",
    "SIGBUS",
    "SIGFPE",
    "SIGKILL",
    "SIGUSR1",
    "SIGSEGV",
    "SIGUSR2",
    "SIGPIPE",
    "SIGALRM",
    "SIGTERM",
    "SIGSTKFLT",
    "SIGCHLD",
    "SIGCONT",
    "SIGSTOP",
    "SIGTSTP",
    "SIGTTIN",
    "SIGTTOU",
    "SIGURG",
    "SIGXCPU",
    "SIGXFSZ",
    "SIGVTALRM",
    "SIGPROF",
    "SIGWINCH",
    "SIGIO",
    "SIGPWR",
    "SIGSYS",
];

/// The highest signal number of Linux (`_NSIG`).
const LAST: i32 = 64;
/// The first real-time signal as the kernel counts; libc keeps the first two for itself.
const FIRST_REAL_TIME: i32 = 32;

/// Returns `SIGSEGV` for 11, `SIG34` for a real-time signal, `None` for what is no signal number.
pub fn signal_name(number: i32) -> Option<String> {
    let index = usize::try_from(number.checked_sub(1)?).ok()?;
    match NAMES.get(index) {
        Some(name) => Some((*name).to_owned()),
        None if (FIRST_REAL_TIME..=LAST).contains(&number) => Some(format!("SIG{number}")),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::signal_name;

    #[test]
    fn numbers_have_the_names_of_the_kernel() {
        let name = |n| signal_name(n);
        assert_eq!(name(libc::SIGHUP).as_deref(), Some("SIGHUP"));
        assert_eq!(name(libc::SIGSEGV).as_deref(), Some("SIGSEGV"));
        assert_eq!(name(libc::SIGSTKFLT).as_deref(), Some("SIGSTKFLT"));
        assert_eq!(name(libc::SIGSYS).as_deref(), Some("SIGSYS"));
        assert_eq!(name(34).as_deref(), Some("SIG34"));
    }

    #[test]
    fn what_is_no_signal_has_no_name() {
        for number in [i32::MIN, -11, 0, 65, i32::MAX] {
            assert_eq!(signal_name(number), None, "{number}");
        }
    }
}
