//! Signals by their numbers in the remote protocol (GDB's `include/gdb/signals.def`).

/// An interrupt of the debugger's.
pub(super) const SIGINT: u8 = 2;
/// A breakpoint, a watchpoint or the end of a step.
pub const SIGTRAP: u8 = 5;
/// What rr says when the last thread is about to exit, however it ends.
pub const SIGKILL: u8 = 9;

/// Signals by whose numbers a server tells of an interrupt, of a breakpoint or a step, and of the end. A server that is
/// to let them pass tells nothing of those either.
pub(super) const TELLING: [u8; 3] = [SIGINT, SIGTRAP, SIGKILL];

/// GDB's numbers of the signals that never stop a run: those that GDB passes on silently by default (SIGALRM, SIGURG,
/// SIGCHLD, SIGIO, SIGVTALRM, SIGPROF, SIGWINCH, SIGPOLL, SIGWAITING, SIGLWP, SIGPRIO, SIGCANCEL, SIGLIBRT).
pub const PASSED_SIGNALS: [u8; 13] = [0x0e, 0x10, 0x14, 0x17, 0x1a, 0x1b, 0x1c, 0x21, 0x24, 0x25, 0x2c, 0x4c, 0x97];
