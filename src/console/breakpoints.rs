//! Setting breakpoints and watchpoints.

use super::command::BreakpointArguments;
use super::error::Error;
use super::execution::{Answer, Execution};
use super::settings::Pending;
use super::state::Hint;
use super::stops::watch_words;
use arch::RunAddr;
use engine::Named;
use engine::model::{Access, BreakpointInfo, BreakpointSpec};

impl Execution<'_> {
    pub(super) fn set_breakpoint(
        &mut self,
        temporary: bool,
        hardware: bool,
        at: &BreakpointArguments,
    ) -> Result<(), Error> {
        let given = match &at.location {
            Some(location) => location.clone(),
            None => self.here()?,
        };
        let location = self.meant(&given)?;
        let mut spec = BreakpointSpec {
            location,
            condition: at.condition.clone(),
            temporary,
            ignore_count: 0,
            pending: false,
            thread: at.thread.clone(),
            log: None,
            log_written: None,
            regex: false,
            hardware,
        };
        let info = match self.engine.set_breakpoint(&spec) {
            Err(error @ engine::Error::NoLocation { later: true, .. }) => {
                let error = self.nowhere(&given, error);
                if !self.ask_whether_pending(error)? {
                    return Ok(());
                }
                spec.pending = true;
                self.engine.set_breakpoint(&spec)?
            }
            Err(error) => return Err(self.nowhere(&given, error)),
            Ok(info) => info,
        };
        self.state.hints.insert(info.number, Hint { hardware, ..Hint::default() });
        self.tell_others(&info);
        self.tell_breakpoint(&info)
    }

    /// Asks whether a breakpoint is to wait for its location, of which an error says that it does not exist now.
    fn ask_whether_pending(&mut self, error: Error) -> Result<bool, Error> {
        let question = "Make breakpoint pending on future shared library load? (y or [n]) ";
        match self.state.settings.pending {
            Pending::On => {
                self.say(error);
                Ok(true)
            }
            Pending::Auto if self.state.settings.confirm => match self.terminal.asks() {
                true => {
                    self.say(error);
                    self.asked(question, Some(Answer::No))
                }
                false => Err(Error::said(format!("{error}\n{question}[answered N; input not from terminal]"))),
            },
            Pending::Auto | Pending::Off => Err(error),
        }
    }

    /// Sets a breakpoint on each function whose name matches.
    pub(super) fn set_matching(&mut self, regex: &str) -> Result<(), Error> {
        let mut set: Vec<RunAddr> = Vec::new();
        let places = self.engine.locations_matching(regex)?;
        let listed = self.engine.functions_listed(Some(regex))?;
        for place in places {
            // One name may stand for several of them.
            if set.contains(&place.address) {
                continue;
            }
            let named = match (&place.fullname, &place.function) {
                (Some(file), Some(function)) => Some(format!("{file}:{function}")),
                _ => None,
            };
            let mut at =
                |location| self.engine.set_breakpoint(&BreakpointSpec { location, ..BreakpointSpec::default() });
            // Some have a name that cannot be written: a lambda within a function.
            let by_name = named.and_then(|location| at(location).ok());
            let info = match by_name {
                Some(info) => info,
                None => at(format!("*{}", place.address))?,
            };
            set.extend(info.locations.iter().map(|place| place.address));
            self.tell_breakpoint(&info)?;
            let is_it = |named: &&Named| Some(&named.name) == place.function.as_ref() && named.file == place.file;
            if let Some(named) = listed.iter().find(is_it) {
                self.say(format!("{};", named.declaration));
            }
        }
        Ok(())
    }

    /// Returns the location of the selected frame's next instruction.
    fn here(&mut self) -> Result<String, Error> {
        self.alive("No default breakpoint address now.")?;
        let level = self.engine.frame_level();
        let stack = self.engine.backtrace(level, 1, false)?;
        let frame = stack.frames.first().ok_or_else(|| Error::said("No default breakpoint address now."))?;
        Ok(format!("*{}", frame.address))
    }

    /// Prints `Breakpoint 1 at 0x401136: file a.c, line 5.`
    pub(super) fn tell_breakpoint(&mut self, info: &BreakpointInfo) -> Result<(), Error> {
        self.state.last_breakpoint = Some(info.number);
        self.engine.set_variable("bpnum", &info.number.to_string())?;
        let hardware = self.state.hints.get(&info.number).is_some_and(|h| h.hardware);
        let prints = self.state.hints.get(&info.number).is_some_and(|h| h.prints.is_some());
        let kind = match (info.temporary, hardware) {
            _ if prints => "Dprintf",
            (false, false) => "Breakpoint",
            (true, false) => "Temporary breakpoint",
            // Temporary or not.
            (_, true) => "Hardware assisted breakpoint",
        };
        let number = info.number;
        self.say(match info.locations.as_slice() {
            [] => format!("{kind} {number} ({}) pending.", info.location),
            [one] => match (&one.file, one.line) {
                (Some(file), Some(line)) => format!("{kind} {number} at {}: file {file}, line {line}.", one.address),
                _ => format!("{kind} {number} at {}", one.address),
            },
            [first, ..] => {
                let count = info.locations.len();
                format!("{kind} {number} at {}: {}. ({count} locations)", first.address, info.location)
            }
        });
        Ok(())
    }

    /// Prints `Note: breakpoints 1 and 4 also set at pc 0x401136.`
    fn tell_others(&mut self, info: &BreakpointInfo) {
        let [place] = info.locations.as_slice() else { return };
        let here = |b: &&BreakpointInfo| {
            b.number != info.number && b.watch.is_none() && b.locations.iter().any(|p| p.address == place.address)
        };
        let all = self.engine.breakpoints();
        let others: Vec<String> = all
            .iter()
            .filter(here)
            .map(|b| format!("{}{}", b.number, if b.enabled { "" } else { " (disabled)" }))
            .collect();
        let Some((last, rest)) = others.split_last() else { return };
        let list = match rest {
            [] => format!(" {last}"),
            _ => format!("s {} and {last}", rest.join(", ")),
        };
        self.say(format!("Note: breakpoint{list} also set at pc {}.", place.address));
    }

    pub(super) fn set_watchpoint(
        &mut self,
        access: Access,
        pinned: bool,
        expression: &str,
        condition: Option<&str>,
    ) -> Result<(), Error> {
        let info = match self.engine.set_watchpoint(expression, access, condition, None) {
            Err(engine::Error::Unwatchable { reason, .. })
                if reason.contains("computed value") && is_constant(expression) =>
            {
                return Err(Error::said(format!("Cannot watch constant value `{expression}'.")));
            }
            other => other?,
        };
        self.state.hints.insert(info.number, Hint { pinned, ..Hint::default() });
        self.state.last_breakpoint = Some(info.number);
        self.engine.set_variable("bpnum", &info.number.to_string())?;
        let location = if pinned { "-location " } else { "" };
        self.say(format!("{} {}: {location}{expression}", watch_words(access), info.number));
        Ok(())
    }
}

/// Returns whether an expression has nothing in it but numbers: no name that could mean something else later.
fn is_constant(expression: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    expression.split(|c| !is_part(c)).all(|token| token.is_empty() || token.starts_with(|c: char| c.is_ascii_digit()))
}
