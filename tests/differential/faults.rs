//! What GDB gets wrong, by name, with the reason: the only differences that the walks allow. Seen with GDB 13.1.

/// What is left to do after a movement so that GDB is where we are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// It has stopped too early, and goes on.
    GoOn,
    /// The same, but in the line where we are.
    GoOnInLine,
    /// It has gone too far, and goes back.
    GoBack,
    /// It is at the right place and shows something wrong.
    None,
}

impl Remedy {
    /// Whether it can be one for GDB being elsewhere, perhaps in the same line of the same function.
    pub fn mends(self, is_same_line: bool) -> bool {
        match self {
            Self::GoOn | Self::GoBack => true,
            Self::GoOnInLine => is_same_line,
            Self::None => false,
        }
    }
}

/// A fault of GDB.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    pub name: &'static str,
    pub remedy: Remedy,
    pub reason: &'static str,
}

impl Fault {
    /// The fault of this name.
    pub fn named(name: &str) -> &'static Self {
        FAULTS.iter().find(|f| f.name == name).unwrap_or_else(|| panic!("no fault {name:?} is listed"))
    }
}

/// Some more are not of single movements, and the comparison looks through them everywhere:
///
/// * Arguments of outer frames that were in registers which the callee may have overwritten since: GDB shows what is in
///   the register now, we say that it is not saved.
/// * Variables that the compiler made up are listed among the user's own: the lengths of arrays, the object of a
///   lambda.
/// * GDB lists what the caller has passed, `argument@entry`, among the arguments.
/// * The end of a recording is told of as SIGKILL, the start without a reason, and a watched value's change backward
///   with the later value as the old one.
/// * Turning round at a watchpoint, it tells of the same write again.
/// * The stack of a Rust program goes on behind its `main`, which GDB does not always recognise.
pub const FAULTS: &[Fault] = &[
    Fault {
        name: "second-row",
        remedy: Remedy::GoOnInLine,
        reason: "A line that has several rows in the line table: a backward step of GDB 13 ends where the last row begins, in \
                 the middle of the line. GDB 15 goes to the beginning of the line, as we do.",
    },
    Fault {
        name: "inlined-call",
        remedy: Remedy::GoOnInLine,
        reason: "Going back over an inlined call, it stops at the call, in the middle of the line.",
    },
    Fault {
        name: "loop-header",
        remedy: Remedy::GoBack,
        reason: "Going back into the header of a loop, whose code is in two places, it passes the header by and ends in the \
                 line before the loop.",
    },
    Fault {
        name: "recursion",
        remedy: Remedy::GoOn,
        reason: "Going back out of a recursive function, it stops where any activation of it was entered.",
    },
    Fault {
        name: "longjmp",
        remedy: Remedy::GoBack,
        reason: "In a static program it does not notice longjmp: a step over one runs on to wherever the program next stops, \
                 and a step back over one to the start.",
    },
    Fault {
        name: "second-signal",
        remedy: Remedy::GoOn,
        reason: "rr shows a signal before and after the event that it is; going back from the stop for a signal, GDB stops \
                 for the same signal once more.",
    },
    Fault {
        name: "late-signal",
        remedy: Remedy::None,
        reason: "A step back out of a signal handler leads to the delivery of the signal; it stops for that with the next \
                 movement only, without having moved.",
    },
    Fault {
        name: "handler-entry",
        remedy: Remedy::GoOn,
        reason: "A step into a signal handler ends at its very first instruction, where its arguments are not in their places.",
    },
    Fault {
        name: "after-handler",
        remedy: Remedy::GoBack,
        reason: "A step out of a signal handler ends one instruction behind the interrupted one.",
    },
    Fault {
        name: "handler-backward",
        remedy: Remedy::GoOn,
        reason: "A step passes by a handler that runs in the middle of it; a step back goes into it.",
    },
    Fault {
        name: "trampoline",
        remedy: Remedy::GoOn,
        reason: "Going back out of the trampoline of a signal handler, it takes it for a function that the handler has called.",
    },
    Fault { name: "no-bounds", remedy: Remedy::GoOn, reason: "It refuses to step in code without symbols." },
    Fault {
        name: "down",
        remedy: Remedy::GoOn,
        reason: "Where an inlined function begins, a step goes into it without moving, even a step back.",
    },
    Fault {
        name: "line-of-call",
        remedy: Remedy::None,
        reason: "Stopped on a line that does nothing but call an inlined function, it shows the inside of that function.",
    },
    Fault {
        name: "unborn-array",
        remedy: Remedy::None,
        reason: "Of a variable-length array before its declaration, it reads all the elements that garbage says it has, \
                 where 200 are shown; or shows an address instead.",
    },
];
