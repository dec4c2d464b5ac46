//! How rr and we resume a tracee.

use super::decode::Class;
use super::sys::{self, UserRegs};

/// How rr asked the tracee to be resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    Continue,
    Step,
    Syscall,
    Sysemu,
    SysemuStep,
}

impl Request {
    /// Returns the resume request of this number, if it is one that is driven.
    pub fn from_ptrace(request: i64) -> Option<Request> {
        Some(match request {
            sys::PTRACE_CONT => Request::Continue,
            sys::PTRACE_SINGLESTEP => Request::Step,
            sys::PTRACE_SYSCALL => Request::Syscall,
            sys::PTRACE_SYSEMU => Request::Sysemu,
            sys::PTRACE_SYSEMU_SINGLESTEP => Request::SysemuStep,
            _ => return None,
        })
    }

    pub fn to_ptrace(self) -> i64 {
        match self {
            Request::Continue => sys::PTRACE_CONT,
            Request::Step => sys::PTRACE_SINGLESTEP,
            Request::Syscall => sys::PTRACE_SYSCALL,
            Request::Sysemu => sys::PTRACE_SYSEMU,
            Request::SysemuStep => sys::PTRACE_SYSEMU_SINGLESTEP,
        }
    }

    /// Returns the single step that treats system calls as this request does.
    pub fn stepping(self) -> i64 {
        match self {
            Request::Continue | Request::Step | Request::Syscall => sys::PTRACE_SINGLESTEP,
            Request::Sysemu | Request::SysemuStep => sys::PTRACE_SYSEMU_SINGLESTEP,
        }
    }

    /// Returns whether rr wants to see the stop after one instruction.
    pub fn is_step(self) -> bool {
        matches!(self, Request::Step | Request::SysemuStep)
    }
}

/// What the kernel is doing with a driven tracee.
#[derive(Clone, Copy, Debug)]
pub enum Phase {
    /// Running one instruction.
    Stepping(Step),
    /// Running translated code, which may execute `remaining` branches. Entered by the resume request `how`.
    Cached { remaining: u64, how: How },
    /// Leaving the stop of the cache's exit, which takes another stop.
    Draining,
    /// Carrying out rr's own request; whatever comes is for rr.
    Native,
    /// About to enter a system call under `PTRACE_CONT`, which must not run on after the call.
    Entering,
    /// Inside a system call; its exit stop is ours.
    Inside,
}

/// How the cache was entered, which decides what its exits look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// `PTRACE_SYSEMU`: a stop at the entry of a system call that is not made.
    Emulated,
    /// `PTRACE_SYSCALL`: a stop at the entry of a system call that can be made.
    Entered,
    /// `PTRACE_CONT`: a stop of rr's seccomp filter, before a system call that can be made.
    Filtered,
    /// `PTRACE_CONT`: a stop of a seccomp filter, but the program has filters of its own, which may judge its calls
    /// differently. rr has made them stop what they do not allow.
    Judged,
}

impl How {
    /// Returns whether system calls of rr's page are made without a stop, unless a filter wants one.
    pub fn passes(self) -> bool {
        matches!(self, How::Filtered | How::Judged)
    }
}

/// A single step in progress.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where the instruction is.
    pub rip: u64,
    pub class: Class,
    /// The stop may mean something else than "the instruction completed".
    pub doubtful: bool,
}

/// Where a driven tracee stands, stopped, between two resumes that rr does not see.
#[derive(Clone, Copy)]
pub struct Stand {
    /// The program's registers.
    pub registers: UserRegs,
    /// The kernel has these registers, too.
    pub written: bool,
    /// The stop is the cache's exit: the tracee is inside a system call that must not be made.
    pub in_exit: bool,
    /// An indirect branch came here that the cache's table does not know.
    pub tabulate: bool,
    /// Where in the cache the next instruction is alone, as which it is to be executed.
    pub cached: Option<u64>,
}

impl Stand {
    /// Stands in a stop of the tracee's own, with new registers.
    pub fn at(registers: UserRegs) -> Stand {
        Stand { registers, written: false, in_exit: false, tabulate: false, cached: None }
    }

    /// Stands in a stop of the tracee's own, as the kernel has it.
    pub fn there(registers: UserRegs) -> Stand {
        Stand { written: true, ..Stand::at(registers) }
    }
}
