//! Settings, and what happens at signals: `set`, `show`, `handle`, `info signals`.

use super::command::Setting;
use super::error::Error;
use super::execute::Execution;
use crate::arch::Syntax;
use crate::engine::{is_passed_silently, named_signals, signal_meaning};
use std::collections::BTreeMap;

/// Most lines that `list` shows at once.
const MAX_LIST: u32 = 2000;

/// What can be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// Lines of a `list`.
    pub(super) list_size: u32,
    /// Questions are asked.
    pub(super) confirm: bool,
    /// Whether a breakpoint whose location does not exist waits for it.
    pub(super) pending: Pending,
    /// How x86 instructions are written.
    pub(super) syntax: Syntax,
}

/// What becomes of a breakpoint whose location does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pending {
    /// It waits for its location.
    On,
    /// It is an error.
    Off,
    /// Whoever sets it is asked.
    Auto,
}

impl Default for Settings {
    fn default() -> Self {
        Self { list_size: 10, confirm: true, pending: Pending::Auto, syntax: Syntax::Att }
    }
}

/// Settings of GDB's that make no difference here, whatever they are set to.
const WITHOUT_EFFECT: &[&str] = &[
    "auto-load",
    "debuginfod",
    "height",
    "history",
    "mi-async",
    "pagination",
    "prompt",
    "startup-quietly",
    "style",
    "sysroot",
    "target-async",
    "trace-commands",
    "verbose",
    "width",
];

/// What is done at a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    pub(super) stop: bool,
    pub(super) print: bool,
}

/// What is done at signals, where it is not what is done by default.
#[derive(Clone, Debug, Default)]
pub(super) struct Signals(BTreeMap<String, Wish>);

impl Signals {
    pub(super) fn of(&self, name: &str) -> Wish {
        let silent = is_passed_silently(name);
        self.0.get(name).copied().unwrap_or(Wish { stop: !silent, print: !silent })
    }
}

/// Parses `on`, `off`, and what else means one of them.
fn switch(value: &str) -> Result<bool, Error> {
    match value {
        "" | "on" | "1" | "yes" | "enable" => Ok(true),
        "off" | "0" | "no" | "disable" => Ok(false),
        _ => Err(Error::said("\"on\" or \"off\" expected.")),
    }
}

/// Parses a switch with a third position, `auto`.
fn pending(value: &str) -> Result<Pending, Error> {
    match value {
        "auto" | "-1" => Ok(Pending::Auto),
        _ => match switch(value) {
            Ok(true) => Ok(Pending::On),
            Ok(false) => Ok(Pending::Off),
            Err(_) => Err(Error::said("\"on\", \"off\" or \"auto\" expected.")),
        },
    }
}

/// Looks up a syntax by its name, which may be abbreviated.
fn syntax(value: &str) -> Result<Syntax, Error> {
    match value {
        "" => Err(Error::said("Requires an argument. Valid arguments are att, intel.")),
        _ if "intel".starts_with(value) => Ok(Syntax::Intel),
        _ if "att".starts_with(value) => Ok(Syntax::Att),
        _ => Err(Error::said(format!("Undefined item: \"{value}\"."))),
    }
}

impl Execution<'_> {
    pub(super) fn set(&mut self, setting: &Setting) -> Result<(), Error> {
        match setting {
            Setting::Convenience(name, expression) => self.set_convenience(name, expression),
            Setting::Program(assignment) => {
                // Names that do not exist are the mistake that comes first.
                let target = assignment.split('=').next().unwrap_or_default().trim();
                self.engine.type_of(target, None)?;
                let why = "recordings are immutable: a replay cannot assign; go back to where the value was written";
                Err(Error::said(format!("Cannot set {target}: {why} (watch {target}, reverse-continue).")))
            }
            Setting::Named(name, value) => self.set_named(name, value),
        }
    }

    fn set_named(&mut self, name: &str, value: &str) -> Result<(), Error> {
        let settings = &mut self.state.settings;
        match (name, value.split_once(' ').map_or((value, ""), |(word, rest)| (word, rest.trim()))) {
            ("listsize", _) => {
                let size: u32 = value.parse().map_err(|_| Error::said(format!("Invalid number \"{value}\".")))?;
                settings.list_size = size.clamp(1, MAX_LIST);
            }
            ("confirm", _) => settings.confirm = switch(value)?,
            ("breakpoint", ("pending", value)) => settings.pending = pending(value)?,
            ("disassembly-flavor", _) => settings.syntax = syntax(value)?,
            ("scheduler-locking", _) if value != "off" && value != "replay" => {
                let why = "all threads run as they ran when they were recorded";
                return Err(Error::said(format!("scheduler-locking cannot be turned on: {why}.")));
            }
            ("scheduler-locking", _) => {}
            _ if WITHOUT_EFFECT.contains(&name) => {}
            _ => {
                if value.is_empty() && self.engine.type_of(name, None).is_err() {
                    return Err(Error::said(format!("No symbol \"{name}\" in current context.")));
                }
                let known = "listsize, confirm, breakpoint pending, disassembly-flavor";
                return Err(Error::said(format!("\"set {name}\" does not exist here: there are {known}, and $NAME.")));
            }
        }
        Ok(())
    }

    pub(super) fn show(&mut self, name: &str) -> Result<(), Error> {
        let on = |flag: bool| if flag { "on" } else { "off" };
        let settings = &self.state.settings;
        let text = match name {
            "listsize" => format!("Number of source lines gdb will list by default is {}.", settings.list_size),
            "confirm" => format!("Whether to confirm potentially dangerous operations is {}.", on(settings.confirm)),
            "breakpoint pending" => {
                let behavior = match settings.pending {
                    Pending::On => "on",
                    Pending::Off => "off",
                    Pending::Auto => "auto",
                };
                format!("Debugger's behavior regarding pending breakpoints is {behavior}.")
            }
            "disassembly-flavor" => {
                let flavor = match settings.syntax {
                    Syntax::Att => "att",
                    Syntax::Intel => "intel",
                };
                format!("The disassembly flavor is \"{flavor}\".")
            }
            "version" => format!("retrograde {}, in the words of GNU gdb 13.1", env!("CARGO_PKG_VERSION")),
            "architecture" => "The target architecture is set to \"auto\" (currently \"i386:x86-64\").".to_owned(),
            "language" => "The current source language is \"auto\".".to_owned(),
            "convenience" | "values" => {
                return Err(Error::said("Values are shown one by one: print $1, print $name."));
            }
            _ => {
                let known = "listsize, confirm, breakpoint pending, disassembly-flavor, version, architecture";
                return Err(Error::said(format!("\"show {name}\" does not exist here: there are {known}.")));
            }
        };
        self.say(text);
        Ok(())
    }

    pub(super) fn handle(&mut self, arguments: &str) -> Result<(), Error> {
        let mut names = Vec::new();
        let mut actions = Vec::new();
        for word in arguments.split_whitespace() {
            match word {
                "stop" | "nostop" | "print" | "noprint" | "pass" | "nopass" | "ignore" | "noignore" => {
                    actions.push(word);
                }
                "all" => names.extend(named_signals().map(|(name, _)| name.to_owned())),
                _ => {
                    let name = if word.starts_with("SIG") { word.to_owned() } else { format!("SIG{word}") };
                    if signal_meaning(&name).is_none() {
                        return Err(Error::said(format!("Unrecognized or ambiguous flag word: \"{word}\".")));
                    }
                    names.push(name);
                }
            }
        }
        for name in &names {
            let mut wish = self.state.signals.of(name);
            for action in &actions {
                match *action {
                    // A signal that stops is told, and one that is not told does not stop.
                    "stop" => wish = Wish { stop: true, print: true },
                    "nostop" => wish.stop = false,
                    "print" => wish.print = true,
                    "noprint" => wish = Wish { stop: false, print: false },
                    "pass" | "noignore" => {}
                    _ => return Err(Error::said("A recording cannot change: each signal is passed to the program.")),
                }
            }
            let silent = is_passed_silently(name);
            if silent && wish.stop {
                return Err(Error::said(format!("{name} passes by silently here, and cannot be made to stop.")));
            }
            self.state.signals.0.insert(name.clone(), wish);
        }
        self.signal_table(names.iter().map(String::as_str));
        Ok(())
    }

    pub(super) fn info_signals(&mut self, name: Option<&str>) -> Result<(), Error> {
        match name {
            Some(name) => {
                let name = if name.starts_with("SIG") { name.to_owned() } else { format!("SIG{name}") };
                if signal_meaning(&name).is_none() {
                    return Err(Error::said("Only signals 1-15 are valid as numeric signals."));
                }
                self.signal_table(std::iter::once(name.as_str()));
            }
            None => self.signal_table(named_signals().map(|(name, _)| name)),
        }
        Ok(())
    }

    fn signal_table<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        self.say("Signal        Stop\tPrint\tPass to program\tDescription");
        let yes = |flag: bool| if flag { "Yes" } else { "No" };
        for name in names {
            let wish = self.state.signals.of(name);
            let meaning = signal_meaning(name).unwrap_or_default();
            // Those that debuggers use themselves are not passed on, by GDB's default.
            let passed = yes(!matches!(name, "SIGINT" | "SIGTRAP"));
            self.say(format!("{name:<13} {}\t{}\t{passed}\t\t{meaning}", yes(wish.stop), yes(wish.print)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_stop_unless_they_are_everyday() {
        let signals = Signals::default();
        assert_eq!(signals.of("SIGSEGV"), Wish { stop: true, print: true });
        assert_eq!(signals.of("SIGCHLD"), Wish { stop: false, print: false });
        assert_eq!(signals.of("SIGURG"), Wish { stop: false, print: false });
    }

    #[test]
    fn switches() {
        assert_eq!((switch("on").unwrap(), switch("").unwrap(), switch("off").unwrap()), (true, true, false));
        assert!(switch("perhaps").is_err() && switch("auto").is_err());
        let all = ["on", "off", "auto"].map(|value| pending(value).unwrap());
        assert_eq!(all, [Pending::On, Pending::Off, Pending::Auto]);
        assert_eq!(pending("perhaps").unwrap_err().to_string(), "\"on\", \"off\" or \"auto\" expected.");
        assert_eq!((syntax("intel").unwrap(), syntax("a").unwrap()), (Syntax::Intel, Syntax::Att));
        assert_eq!(syntax("masm").unwrap_err().to_string(), "Undefined item: \"masm\".");
    }
}
