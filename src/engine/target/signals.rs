//! Signals in the numbering of the remote protocol, named and described as GDB does.

use rr::signal_name;
use rsp::PASSED_SIGNALS;
pub(crate) use rsp::{SIGKILL, SIGTRAP};

/// Returns whether the server's word for a stop is a signal of the program.
pub(crate) fn is_signal(number: u8) -> bool {
    !matches!(number, 0 | SIGTRAP | SIGKILL)
}

/// Returns the name and meaning of a signal number of the remote protocol (GDB's `include/gdb/signals.def`; not the
/// kernel's numbers).
pub(crate) fn describe(number: u8) -> (String, String) {
    let known = |(name, meaning): (&str, &str)| (name.to_owned(), meaning.to_owned());
    match NAMED.iter().find(|(n, ..)| *n == number) {
        Some((_, name, meaning)) => known((name, meaning)),
        None => match number {
            45..=75 => realtime(u32::from(number) - 12),
            77 => realtime(32),
            78..=142 => realtime(u32::from(number) - 14),
            _ => ("SIG_UNKNOWN".to_owned(), format!("Unknown signal {number}")),
        },
    }
}

/// Returns the meaning of a signal's name: `Segmentation fault` for `SIGSEGV`.
pub fn signal_meaning(name: &str) -> Option<String> {
    let known = NAMED.iter().find(|(_, known, _)| *known == name).map(|(.., meaning)| (*meaning).to_owned());
    known.or_else(|| {
        let number: u32 = name.strip_prefix("SIG")?.parse().ok()?;
        (32..=64).contains(&number).then(|| realtime(number).1)
    })
}

/// Returns the protocol's number of a signal.
pub(crate) fn number_of(name: &str) -> Option<u8> {
    NAMED.iter().find(|(_, known, _)| *known == name).map(|(number, ..)| *number)
}

/// Returns the protocol's number of a signal that has this number in the kernel.
pub(crate) fn of_kernel(number: u64) -> Option<u8> {
    match number {
        32 => Some(77),
        33..=63 => Some(number as u8 + 12),
        64 => Some(78),
        _ => number_of(&signal_name(i32::try_from(number).ok()?)?),
    }
}

/// Returns whether a signal of this name does not stop a run unless that is wanted.
pub fn is_passed_silently(name: &str) -> bool {
    NAMED.iter().any(|(number, known, _)| *known == name && PASSED_SIGNALS.contains(number))
}

/// Iterates over the names and meanings of the signals that have names, in the order of the protocol's numbers.
pub fn named_signals() -> impl Iterator<Item = (&'static str, &'static str)> {
    NAMED.iter().filter(|(number, ..)| (1..=33).contains(number)).map(|(_, name, meaning)| (*name, *meaning))
}

fn realtime(kernel: u32) -> (String, String) {
    (format!("SIG{kernel}"), format!("Real-time event {kernel}"))
}

const NAMED: &[(u8, &str, &str)] = &[
    (0, "0", "Signal 0"),
    (1, "SIGHUP", "Hangup"),
    (2, "SIGINT", "Interrupt"),
    (3, "SIGQUIT", "Quit"),
    (4, "SIGILL", "Illegal instruction"),
    (5, "SIGTRAP", "Trace/breakpoint trap"),
    (6, "SIGABRT", "Aborted"),
    (7, "SIGEMT", "Emulation trap"),
    (8, "SIGFPE", "Arithmetic exception"),
    (9, "SIGKILL", "Killed"),
    (10, "SIGBUS", "Bus error"),
    (11, "SIGSEGV", "Segmentation fault"),
    (12, "SIGSYS", "Bad system call"),
    (13, "SIGPIPE", "Broken pipe"),
    (14, "SIGALRM", "Alarm clock"),
    (15, "SIGTERM", "Terminated"),
    (16, "SIGURG", "Urgent I/O condition"),
    (17, "SIGSTOP", "Stopped (signal)"),
    (18, "SIGTSTP", "Stopped (user)"),
    (19, "SIGCONT", "Continued"),
    (20, "SIGCHLD", "Child status changed"),
    (21, "SIGTTIN", "Stopped (tty input)"),
    (22, "SIGTTOU", "Stopped (tty output)"),
    (23, "SIGIO", "I/O possible"),
    (24, "SIGXCPU", "CPU time limit exceeded"),
    (25, "SIGXFSZ", "File size limit exceeded"),
    (26, "SIGVTALRM", "Virtual timer expired"),
    (27, "SIGPROF", "Profiling timer expired"),
    (28, "SIGWINCH", "Window size changed"),
    (29, "SIGLOST", "Resource lost"),
    (30, "SIGUSR1", "User defined signal 1"),
    (31, "SIGUSR2", "User defined signal 2"),
    (32, "SIGPWR", "Power fail/restart"),
    (33, "SIGPOLL", "Pollable event occurred"),
    (143, "SIG_UNKNOWN", "Unknown signal"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_protocols_not_the_kernels() {
        assert_eq!(describe(11), ("SIGSEGV".into(), "Segmentation fault".into()));
        assert_eq!(describe(6), ("SIGABRT".into(), "Aborted".into()));
        assert_eq!(describe(10), ("SIGBUS".into(), "Bus error".into()));
        assert_eq!(describe(30), ("SIGUSR1".into(), "User defined signal 1".into()));
    }

    #[test]
    fn realtime_signals_follow_rrs_mapping() {
        assert_eq!(describe(45).0, "SIG33");
        assert_eq!(describe(75).0, "SIG63");
        assert_eq!(describe(77).0, "SIG32");
        assert_eq!(describe(78).0, "SIG64");
        assert_eq!(describe(200).0, "SIG_UNKNOWN");
    }

    #[test]
    fn kernels_numbers_become_the_protocols() {
        for number in (1..=64).filter(|number| *number != 16) {
            let name = signal_name(number).unwrap();
            let named = of_kernel(u64::try_from(number).unwrap()).map(|number| describe(number).0);
            assert_eq!(
                named.as_deref().map(|named| named.replace("SIGPOLL", "SIGIO")),
                Some(name.replace("SIGPOLL", "SIGIO"))
            );
        }
        assert_eq!([of_kernel(0), of_kernel(16), of_kernel(65), of_kernel(u64::MAX)], [None; 4]);
    }

    #[test]
    fn exit_statuses_use_the_kernels_numbers() {
        assert_eq!(signal_name(11).as_deref(), Some("SIGSEGV"));
        assert_eq!(signal_name(10).as_deref(), Some("SIGUSR1"));
        assert_eq!(signal_name(40).as_deref(), Some("SIG40"));
    }
}
