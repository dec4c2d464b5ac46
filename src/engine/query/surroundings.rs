//! What a stop is about besides its frame: the user's own code, what is waited for, what has faulted.

use crate::api::{Fault, Reason, Stop, Surroundings};
use crate::session::engine::Engine;
use arch::ThreadId;

/// Source lines of the user's code that are shown.
const LINES: u32 = 5;
/// Signals of which the kernel tells what they are about.
const FAULTS: [&str; 4] = ["SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE"];

impl Engine {
    /// Finds out what a stop, at which the session is, is about besides its frame. What cannot be found out is left out.
    pub fn surroundings(&mut self, stop: &Stop) -> Surroundings {
        let (thread, has_source) = (self.selected_thread(), !stop.source.is_empty());
        let mut found = if has_source { Surroundings::default() } else { self.surroundings_of(thread) };
        // Where its call begins, nothing is waited for yet.
        if matches!(stop.reason, Reason::Catch { .. }) {
            found.wait = None;
        }
        if let Reason::Signal { name, .. } = &stop.reason
            && FAULTS.contains(&name.as_str())
        {
            found.fault = self.fault_in_short();
        }
        found
    }

    /// Finds out where the user's code is on the stack of a thread, and what it waits for. What cannot be found out is
    /// left out.
    pub fn surroundings_of(&mut self, thread: ThreadId) -> Surroundings {
        let user_frame = self.with(|s| s.debuggee.user_frame(thread, LINES)).ok().flatten();
        let near = user_frame.as_ref().map(|found| found.frame.level);
        let wait = self.with(|s| s.debuggee.wait_of(thread, near)).ok().flatten();
        // One that is innermost is shown already.
        Surroundings { user_frame: user_frame.filter(|found| found.frame.level != 0), wait, fault: None }
    }

    /// Says in a line what the instruction has done that the selected thread has stopped for; `None` if the signal is
    /// not of its making.
    fn fault_in_short(&mut self) -> Option<String> {
        let info = self.signal_info().ok()?;
        let own = self.selected_thread().pid;
        if info.as_ref().is_some_and(|info| info.sender(own).is_some()) {
            return None;
        }
        self.fault(info.as_ref()).ok().and_then(|fault| in_short(&fault))
    }
}

/// Returns what an instruction has done in a line: `write at 0x18: not mapped: 24 bytes from a null pointer`.
fn in_short(fault: &Fault) -> Option<String> {
    if let Some(division) = &fault.division {
        return Some(division.clone());
    }
    let Some(address) = fault.address else {
        let instruction = fault.instruction.as_deref()?;
        return Some(fault.code.as_ref().map_or(instruction.to_owned(), |code| format!("{code} by {instruction}")));
    };
    let mut text =
        format!("{} {:#x}", fault.access.map_or("address".to_owned(), |access| format!("{access} at")), address.0);
    for more in fault.memory.iter() {
        text += &format!(": {more}");
    }
    for more in fault.member.iter() {
        text += &format!("; {more}");
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arch::RunAddr;

    #[test]
    fn a_fault_in_a_line() {
        let mut fault = Fault {
            at: RunAddr(0x401000),
            instruction: Some("mov dword ptr [rax+0x18],ecx".to_owned()),
            address: Some(RunAddr(0x18)),
            access: Some("write"),
            operand: None,
            memory: Some("not mapped: 24 bytes from a null pointer".to_owned()),
            member: None,
            code: Some("SEGV_MAPERR".to_owned()),
            division: None,
            divisor: None,
        };
        assert_eq!(in_short(&fault).unwrap(), "write at 0x18: not mapped: 24 bytes from a null pointer");
        (fault.access, fault.memory) = (None, None);
        assert_eq!(in_short(&fault).unwrap(), "address 0x18");
        (fault.address, fault.code) = (None, Some("FPE_INTDIV".to_owned()));
        assert_eq!(in_short(&fault).unwrap(), "FPE_INTDIV by mov dword ptr [rax+0x18],ecx");
        fault.division = Some("division by zero: ecx = 0".to_owned());
        assert_eq!(in_short(&fault).unwrap(), "division by zero: ecx = 0");
    }
}
