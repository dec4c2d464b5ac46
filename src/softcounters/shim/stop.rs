//! What a `SIGTRAP` stop after a single step means.

use super::decode::Class;

/// `si_code` values of `SIGTRAP` made by the kernel.
pub const TRAP_BRKPT: i32 = 1;
pub const TRAP_TRACE: i32 = 2;
pub const TRAP_HWBKPT: i32 = 4;
/// The `si_code` of the stop at the entry of a signal handler: the bare signal number.
pub const HANDLER_ENTRY: i32 = 5;

/// DR6: the low four bits name the debug registers that matched.
pub const DR6_MATCHES: u64 = 0xf;
/// DR6.BS: the trap came from single-stepping.
pub const DR6_STEP: u64 = 1 << 14;

/// The evidence at a `SIGTRAP` stop.
#[derive(Clone, Copy, Debug)]
pub struct Trap {
    /// `si_code` of the stop.
    pub code: i32,
    /// DR6, read only when the tracee has debug registers in use; else 0.
    pub debug_status: u64,
    /// Debug registers are in use, so `debug_status` is valid.
    pub watching: bool,
    /// The program counter differs from the one before the step.
    pub moved: bool,
    /// What was stepped.
    pub class: Class,
}

/// What the stop means for the instruction that was stepped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// It completed (or one iteration of a repeated string instruction did).
    Retired,
    /// It completed and touched what a debug register watches.
    RetiredAndWatched,
    /// It did not run: an execution breakpoint of a debug register stands before it.
    BreakpointRegister,
    /// It did not run: the step only left the kernel, or entered a signal handler.
    LeftKernel,
    /// A `SIGTRAP` of the program's own, or a breakpoint instruction: the tracer shall see it. The word says whether
    /// the instruction completed before it all the same.
    Foreign { retired: bool },
}

/// Tells the meanings of `SIGTRAP` apart.
pub fn interpret(trap: &Trap) -> Meaning {
    let matched = trap.watching && trap.debug_status & DR6_MATCHES != 0;
    match trap.code {
        TRAP_TRACE | TRAP_HWBKPT => {
            if matched && trap.debug_status & DR6_STEP == 0 && !trap.moved {
                Meaning::BreakpointRegister
            } else if matched {
                Meaning::RetiredAndWatched
            } else {
                Meaning::Retired
            }
        }
        // `int1` reports the same code as leaving a system call by a step.
        TRAP_BRKPT | HANDLER_ENTRY if trap.class != Class::Trap => Meaning::LeftKernel,
        // A SIGTRAP sent to the thread in the moment of the step hides the step's own trap.
        _ => Meaning::Foreign { retired: trap.moved && trap.class != Class::Trap },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SI_USER: i32 = 0;
    const SI_KERNEL: i32 = 0x80;

    fn step(code: i32, class: Class) -> Trap {
        Trap { code, debug_status: 0, watching: false, moved: true, class }
    }

    #[test]
    fn a_plain_step() {
        assert_eq!(interpret(&step(TRAP_TRACE, Class::Ordinary)), Meaning::Retired);
    }

    #[test]
    fn an_iteration_of_a_string_instruction_or_a_jump_to_itself_stays_in_place() {
        let trap = Trap { moved: false, ..step(TRAP_TRACE, Class::ConditionalBranch) };
        assert_eq!(interpret(&trap), Meaning::Retired);
    }

    #[test]
    fn a_data_watchpoint_comes_with_the_step() {
        let trap = Trap { debug_status: DR6_STEP | 2, watching: true, ..step(TRAP_TRACE, Class::Ordinary) };
        assert_eq!(interpret(&trap), Meaning::RetiredAndWatched);
        let stale = Trap { watching: false, ..trap };
        assert_eq!(interpret(&stale), Meaning::Retired);
    }

    #[test]
    fn an_execution_breakpoint_stops_before_the_instruction() {
        let trap =
            Trap { debug_status: 1, watching: true, moved: false, ..step(TRAP_HWBKPT, Class::ConditionalBranch) };
        assert_eq!(interpret(&trap), Meaning::BreakpointRegister);
    }

    #[test]
    fn leaving_the_kernel_retires_nothing() {
        assert_eq!(interpret(&step(TRAP_BRKPT, Class::Ordinary)), Meaning::LeftKernel);
        assert_eq!(interpret(&step(HANDLER_ENTRY, Class::ConditionalBranch)), Meaning::LeftKernel);
    }

    #[test]
    fn breakpoint_instructions_are_foreign() {
        assert_eq!(interpret(&step(SI_KERNEL, Class::Trap)), Meaning::Foreign { retired: false });
        assert_eq!(interpret(&step(TRAP_BRKPT, Class::Trap)), Meaning::Foreign { retired: false });
    }

    #[test]
    fn a_sent_sigtrap_before_or_instead_of_the_step_trap() {
        let before = Trap { moved: false, ..step(SI_USER, Class::ConditionalBranch) };
        assert_eq!(interpret(&before), Meaning::Foreign { retired: false });
        assert_eq!(interpret(&step(SI_USER, Class::ConditionalBranch)), Meaning::Foreign { retired: true });
    }
}
