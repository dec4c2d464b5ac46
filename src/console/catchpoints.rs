//! `catch`, and what catchpoints wait for in GDB's words.

use super::error::Error;
use super::execution::Execution;
use engine::model::{BreakpointInfo, CatchEvent, CatchSpec};
use engine::syscall_number;

impl Execution<'_> {
    pub(super) fn set_catchpoint(
        &mut self,
        temporary: bool,
        event: CatchEvent,
        names: Vec<String>,
    ) -> Result<(), Error> {
        let info = self.engine.set_catchpoint(&CatchSpec { event, names, temporary })?;
        self.state.last_breakpoint = Some(info.number);
        self.engine.set_variable("bpnum", &info.number.to_string())?;
        let is_said = temporary && !matches!(event, CatchEvent::Signal | CatchEvent::Syscall);
        let kind = if is_said { "Temporary catchpoint" } else { "Catchpoint" };
        self.say(format!("{kind} {} ({})", info.number, announced(&info)));
        Ok(())
    }
}

/// Returns the names that a catchpoint was given.
fn names(info: &BreakpointInfo) -> Vec<&str> {
    info.location.split_whitespace().skip(1).collect()
}

/// Returns what is said of a catchpoint that was set: `syscall 'write' [1]`, `signals SIGUSR1 SIGUSR2`.
fn announced(info: &BreakpointInfo) -> String {
    let numbered = |name: &&str| match syscall_number(name) {
        Some(number) => format!("'{name}' [{number}]"),
        None => format!("'{name}'"),
    };
    match (info.catch, names(info).as_slice()) {
        (Some(CatchEvent::Signal), []) => "any signal".to_owned(),
        (Some(CatchEvent::Signal), several @ [_, _, ..]) => format!("signals {}", several.join(" ")),
        (Some(CatchEvent::Syscall), [one]) => format!("syscall {}", numbered(one)),
        (Some(CatchEvent::Syscall), several) => {
            format!("syscalls {}", several.iter().map(numbered).collect::<Vec<_>>().join(" "))
        }
        _ => info.location.clone(),
    }
}

/// Returns what the table of breakpoints says of a catchpoint: `syscall "write"`, with a space behind it as GDB has it.
pub(super) fn listed(info: &BreakpointInfo) -> String {
    match (info.catch, names(info).as_slice()) {
        (Some(CatchEvent::Signal), []) => "signal \"<any signal>\" ".to_owned(),
        (Some(CatchEvent::Signal), [one]) => format!("signal \"{one}\" "),
        (Some(CatchEvent::Signal), several) => format!("signals \"{}\" ", several.join(" ")),
        (Some(CatchEvent::Syscall), [one]) => format!("syscall \"{one}\" "),
        (Some(CatchEvent::Syscall), several) => format!("syscalls \"{}\" ", several.join(", ")),
        _ => info.location.clone(),
    }
}
