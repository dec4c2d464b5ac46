//! What happened, in words.

use super::frame::{Disposition, Signal};
use super::timeline::{Called, Happening, Topic};
use crate::ps::spelled;
use crate::signals::signal_name;
use std::fmt;

/// Longest command line that is shown.
const LONGEST: usize = 200;

/// What the arguments of frequent system calls are: `d` a number with a sign, `u` one without, `x` bits or an address.
/// Those of others are not shown, as the registers do not say how many there are.
const ARGUMENTS: &[(&str, &str)] = &[
    ("read", "dxu"),
    ("write", "dxu"),
    ("pread64", "dxuu"),
    ("pwrite64", "dxuu"),
    ("readv", "dxu"),
    ("writev", "dxu"),
    ("openat", "dxx"),
    ("open", "xx"),
    ("close", "d"),
    ("lseek", "ddd"),
    ("fstat", "dx"),
    ("newfstatat", "dxxx"),
    ("access", "xx"),
    ("faccessat", "dxx"),
    ("readlink", "xxu"),
    ("unlink", "x"),
    ("ioctl", "dxx"),
    ("fcntl", "ddx"),
    ("dup", "d"),
    ("dup2", "dd"),
    ("dup3", "ddx"),
    ("pipe", "x"),
    ("pipe2", "xx"),
    ("mmap", "xuxxdx"),
    ("munmap", "xu"),
    ("mprotect", "xux"),
    ("madvise", "xud"),
    ("brk", "x"),
    ("futex", "xdu"),
    ("poll", "xud"),
    ("select", "dxxxx"),
    ("epoll_wait", "dxdd"),
    ("epoll_ctl", "dddx"),
    ("nanosleep", "xx"),
    ("clock_nanosleep", "ddxx"),
    ("socket", "ddd"),
    ("connect", "dxu"),
    ("bind", "dxu"),
    ("listen", "dd"),
    ("accept", "dxx"),
    ("accept4", "dxxx"),
    ("sendto", "dxuxxu"),
    ("recvfrom", "dxuxxx"),
    ("sendmsg", "dxx"),
    ("recvmsg", "dxx"),
    ("shutdown", "dd"),
    ("kill", "dd"),
    ("tkill", "dd"),
    ("tgkill", "ddd"),
    ("wait4", "dxxx"),
    ("exit", "d"),
    ("exit_group", "d"),
    ("rt_sigaction", "dxxu"),
    ("rt_sigprocmask", "dxxu"),
    ("setitimer", "dxx"),
    ("getrandom", "xux"),
];

impl Topic {
    /// All, in the order in which they are told.
    pub const ALL: [Self; 4] = [Self::Process, Self::Signal, Self::Call, Self::Schedule];

    /// Returns the name of the topic: `process`, `signal`, `syscall` or `schedule`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Signal => "signal",
            Self::Call => "syscall",
            Self::Schedule => "schedule",
        }
    }
}

/// In one line.
impl fmt::Display for Happening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Made { child, is_thread: true } => write!(f, "makes thread {child}"),
            Self::Made { child, is_thread: false } => write!(f, "makes process {child}"),
            Self::Exec { program, command } => {
                let words = command.join(" ");
                match words.char_indices().nth(LONGEST) {
                    Some((end, _)) => write!(f, "executes {program}: {}…", words.get(..end).unwrap_or_default()),
                    None => write!(f, "executes {program}: {words}"),
                }
            }
            Self::Exited { code } => write!(f, "ends: {}", spelled(*code)),
            Self::Detached => f.write_str("runs by itself from here on, and is not recorded"),
            Self::Signal(signal) => signal.fmt(f),
            Self::Call(called) => called.fmt(f),
            Self::Slice => f.write_str("its time slice ends"),
        }
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&signal_name(self.number).unwrap_or_else(|| format!("signal {}", self.number)))?;
        if let Some(code) = code(self.number, self.code) {
            write!(f, " ({code})")?;
        }
        if let Some(address) = self.address {
            write!(f, " at {address:#x}")?;
        }
        if let Some(sender) = self.sender {
            write!(f, " from {sender}")?;
        }
        f.write_str(match self.disposition {
            Disposition::Fatal => ", which ends the process",
            Disposition::Handler => ", to a handler",
            Disposition::Ignored => ", ignored",
        })
    }
}

/// Returns the name of why a signal was sent, for faults.
fn code(number: i32, code: i32) -> Option<&'static str> {
    Some(match (number, code) {
        (libc::SIGSEGV, 1) => "SEGV_MAPERR",
        (libc::SIGSEGV, 2) => "SEGV_ACCERR",
        (libc::SIGBUS, 1) => "BUS_ADRALN",
        (libc::SIGBUS, 2) => "BUS_ADRERR",
        (libc::SIGFPE, 1) => "FPE_INTDIV",
        (libc::SIGFPE, 2) => "FPE_INTOVF",
        (libc::SIGILL, 2) => "ILL_ILLOPN",
        _ => return None,
    })
}

impl fmt::Display for Called {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        let shape = ARGUMENTS.iter().find(|(name, _)| *name == self.name).map(|(_, shape)| *shape);
        match (shape, self.arguments) {
            (Some(shape), Some(arguments)) => {
                f.write_str("(")?;
                for (number, (kind, argument)) in shape.chars().zip(arguments).enumerate() {
                    f.write_str(if number == 0 { "" } else { ", " })?;
                    match kind {
                        // Numbers with a sign are 32 bits wide in nearly all, and the upper half is anything.
                        'd' => write!(f, "{}", argument as u32 as i32)?,
                        'u' => write!(f, "{argument}")?,
                        _ => write!(f, "{argument:#x}")?,
                    }
                }
                f.write_str(")")?;
            }
            _ => f.write_str("(…)")?,
        }
        match (self.result, self.error()) {
            (_, Some(error)) => match syscalls::Errno::new(error).name() {
                Some(name) => write!(f, " = -1 {name}")?,
                None => write!(f, " = -{error}")?,
            },
            // What cannot be a length or a descriptor is an address.
            (Some(result), None) if !(0..=1 << 32).contains(&result) => write!(f, " = {result:#x}")?,
            (Some(result), None) => write!(f, " = {result}")?,
            (None, None) => f.write_str(" does not return")?,
        }
        for (fd, path) in &self.opened {
            write!(f, "; {fd} is {path}")?;
        }
        if self.begun.is_none() {
            f.write_str("; from rr's buffer, before this event")?;
        }
        Ok(())
    }
}
