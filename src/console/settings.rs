//! Settings, and what happens at signals: `set`, `show`, `handle`, `info signals`.

use super::absent::ABSENT_SETTINGS;
use super::command::Setting;
use super::error::{Elsewhere, Error};
use super::execution::Execution;
use super::host::Log;
use arch::Syntax;
use base::untrusted::PathText as _;
use engine::{is_passed_silently, named_signals, signal_meaning};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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
    /// Lines of a page; `None`: as many as the terminal has.
    pub(super) height: Option<usize>,
    pub(super) pagination: bool,
    pub(super) logging: Logging,
    /// What the program prints is shown with colours and movements of the cursor.
    pub(super) raw_output: bool,
}

/// Where what is said is written to, if that is turned on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Logging {
    file: String,
    overwrites: bool,
    redirects: bool,
    is_on: bool,
}

impl Default for Logging {
    fn default() -> Self {
        Self { file: "gdb.txt".to_owned(), overwrites: false, redirects: false, is_on: false }
    }
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
        Self {
            list_size: 10,
            confirm: true,
            pending: Pending::Auto,
            syntax: Syntax::Att,
            height: None,
            pagination: true,
            logging: Logging::default(),
            raw_output: false,
        }
    }
}

/// Settings, for those who look for one.
pub(super) const SETTINGS: &[&str] = &[
    "breakpoint pending",
    "confirm",
    "directories",
    "disassembly-flavor",
    "height",
    "listsize",
    "logging enabled",
    "logging file",
    "logging overwrite",
    "logging redirect",
    "output",
    "pagination",
    "print elements",
    "print object",
    "print pretty",
    "scheduler-locking",
    "substitute-path",
];

/// Settings of GDB's that make no difference here, whatever they are set to.
const WITHOUT_EFFECT: &[&str] = &[
    "auto-load",
    "debuginfod",
    "history",
    "mi-async",
    "prompt",
    "startup-quietly",
    "style",
    "sysroot",
    "target-async",
    "trace-commands",
    "unwindonsignal",
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
    /// Lists the signals that are told of without a stop.
    pub(super) fn told_only(&self) -> Vec<String> {
        self.0.iter().filter(|(_, wish)| wish.print && !wish.stop).map(|(name, _)| name.clone()).collect()
    }

    pub(super) fn of(&self, name: &str) -> Wish {
        let silent = is_passed_silently(name);
        self.0.get(name).copied().unwrap_or(Wish { stop: !silent, print: !silent })
    }
}

/// Returns whether a signal is one that debuggers use themselves. `handle all` leaves those as they are.
fn is_of_debugger(name: &str) -> bool {
    matches!(name, "SIGINT" | "SIGTRAP")
}

/// Parses `on`, `off`, and what else means one of them.
pub(super) fn switch(value: &str) -> Result<bool, Error> {
    match value {
        "" | "on" | "1" | "yes" | "enable" => Ok(true),
        "off" | "0" | "no" | "disable" => Ok(false),
        _ => Err(Error::said("\"on\" or \"off\" expected.")),
    }
}

/// Parses a count, of which `unlimited` is one: `None`.
pub(super) fn count(value: &str) -> Result<Option<u32>, Error> {
    match value {
        "" => Err(Error::said("Argument required (integer to set it to, or \"unlimited\".).")),
        "unlimited" | "-1" => Ok(None),
        _ => value.parse().map(Some).map_err(|_| Error::said(format!("Invalid number \"{value}\"."))),
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
            ("height", _) => {
                settings.height = match count(value)? {
                    None => Some(0),
                    Some(lines) => Some(lines as usize),
                };
                return self.set_pages();
            }
            ("pagination", _) => {
                settings.pagination = switch(value)?;
                return self.set_pages();
            }
            ("logging", (word, value)) => return self.set_logging(word, value),
            ("output", _) => return self.set_output(value),
            ("print" | "p" | "pr", (word, value)) => return self.set_print(word, value),
            ("substitute-path", _) => return self.substitute_path(value),
            ("directories", _) => return self.directory(value),
            ("scheduler-locking", _) if value != "off" && value != "replay" => {
                let why = "all threads run as they ran when they were recorded";
                return Err(Error::said(format!("scheduler-locking cannot be turned on: {why}.")));
            }
            ("scheduler-locking", _) => {}
            _ if WITHOUT_EFFECT.contains(&name) => {}
            _ => {
                if let Some((setting, why)) = ABSENT_SETTINGS.iter().find(|(setting, _)| *setting == name) {
                    return Err(Error::said(format!("\"set {setting}\" does not exist here: {why}.")));
                }
                if value.is_empty() && self.engine.type_of(name, None).is_err() {
                    return Err(Error::said(format!("No symbol \"{name}\" in current context.")));
                }
                let known = SETTINGS.join(", ");
                return Err(Error::said(format!("\"set {name}\" does not exist here: there are {known}, and $NAME.")));
            }
        }
        Ok(())
    }

    pub(super) fn show(&mut self, name: &str) -> Result<(), Error> {
        if name == "args" {
            return self.show_arguments();
        }
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
            "print pretty" => {
                format!("Pretty formatting of structures is {}.", on(self.engine.printing().pretty))
            }
            "print object" => {
                let state = on(self.engine.printing().object);
                format!("Printing of object's derived type based on vtable info is {state}.")
            }
            "print elements" => {
                let most = self.engine.printing().elements;
                let most = match most {
                    Some(u32::MAX) => "unlimited".to_owned(),
                    most => most.unwrap_or(200).to_string(),
                };
                format!("Limit on string chars or array elements to print is {most}.")
            }
            "height" => {
                let lines = settings.height.filter(|lines| *lines > 0);
                let lines = lines.map_or("unlimited".to_owned(), |lines| lines.to_string());
                format!("Number of lines gdb thinks are in a page is {lines}.")
            }
            "pagination" => format!("State of pagination is {}.", on(settings.pagination)),
            "logging" | "logging enabled" => {
                format!("Logging is {}.", if settings.logging.is_on { "enabled" } else { "disabled" })
            }
            "output" => {
                let shown = if settings.raw_output { "raw" } else { "text" };
                format!("What the program prints is shown as {shown}.")
            }
            "logging file" => format!("The current logfile is \"{}\".", settings.logging.file),
            "directories" => {
                let (_, directories) = self.engine.source_paths();
                let own = directories.iter().map(|directory| format!("{}:", directory.in_text())).collect::<String>();
                format!("Source directories searched: {own}$cdir:$cwd")
            }
            "substitute-path" => {
                let (pairs, _) = self.engine.source_paths();
                let pairs = pairs.iter().map(|(from, to)| format!("\n  `{from}' -> `{to}'.")).collect::<String>();
                format!("List of all source path substitution rules:{pairs}")
            }
            "version" => format!("retrograde {}, in the words of GNU gdb 13.1", env!("CARGO_PKG_VERSION")),
            "architecture" => "The target architecture is set to \"auto\" (currently \"i386:x86-64\").".to_owned(),
            "language" => "The current source language is \"auto\".".to_owned(),
            "convenience" | "values" => {
                return Err(Error::said("Values are shown one by one: print $1, print $name."));
            }
            _ => {
                if let Some((setting, why)) = ABSENT_SETTINGS.iter().find(|(setting, _)| *setting == name) {
                    return Err(Error::said(format!("\"show {setting}\" does not exist here: {why}.")));
                }
                let known = SETTINGS.join(", ");
                let known = format!("{known}, version, architecture");
                return Err(Error::said(format!("\"show {name}\" does not exist here: there are {known}.")));
            }
        };
        self.say(text);
        Ok(())
    }

    /// Tells who shows pages how long they are.
    fn set_pages(&mut self) -> Result<(), Error> {
        let settings = &self.state.settings;
        let lines = match settings.pagination {
            true => settings.height,
            false => Some(0),
        };
        // Who shows no pages needs not be told.
        if let Some(host) = self.terminal.host() {
            host.set_height(lines);
        }
        Ok(())
    }

    /// Sets how what the program prints is shown. Whoever shows nothing of it does not need it.
    fn set_output(&mut self, value: &str) -> Result<(), Error> {
        let is_raw = match value {
            "raw" => true,
            "text" => false,
            _ => {
                return Err(Error::said(
                    "\"set output\" takes text, or raw: colours and movements of the cursor, too.",
                ));
            }
        };
        self.state.settings.raw_output = is_raw;
        if let Some(host) = self.terminal.host() {
            host.set_raw_output(is_raw);
        }
        Ok(())
    }

    fn set_logging(&mut self, word: &str, value: &str) -> Result<(), Error> {
        let logging = &mut self.state.settings.logging;
        match (word, value) {
            ("file", "") => return Err(Error::said("Argument required (filename to set it to.).")),
            ("file", path) => logging.file = path.to_owned(),
            ("overwrite", value) => logging.overwrites = switch(value)?,
            ("redirect", value) => logging.redirects = switch(value)?,
            ("enabled", value) => return self.log(switch(value)?),
            ("on" | "off", _) => return self.log(word == "on"),
            ("", _) => return self.log(true),
            _ => return Err(Error::said("There are set logging enabled, file, overwrite and redirect.")),
        }
        Ok(())
    }

    /// Turns logging on or off, and says so.
    fn log(&mut self, on: bool) -> Result<(), Error> {
        let Logging { file, overwrites, redirects, .. } = self.state.settings.logging.clone();
        let log = Log { path: file.clone(), overwrites, redirects };
        if !on {
            self.host("set logging", Elsewhere::Files)?.log(None).map_err(|error| Error::said(error.to_string()))?;
            self.state.settings.logging.is_on = false;
            self.say(format!("Done logging to {file}."));
            return Ok(());
        }
        if self.state.settings.logging.is_on {
            return Err(Error::said(format!("Already logging to {file}.")));
        }
        self.say(format!("Copying output to {file}."));
        self.say(format!("Copying debug output to {file}."));
        let begun = self.host("set logging", Elsewhere::Files)?.log(Some(log));
        begun.map_err(|error| Error::said(format!("set logging: {error}")))?;
        self.state.settings.logging.is_on = true;
        Ok(())
    }

    fn set_print(&mut self, word: &str, value: &str) -> Result<(), Error> {
        let mut print = self.engine.printing();
        match word {
            "pretty" => print.pretty = switch(value)?,
            "object" => print.object = switch(value)?,
            "elements" => {
                print.elements = Some(match count(value)? {
                    None | Some(0) => u32::MAX,
                    Some(most) => most,
                });
            }
            // What GDB's default does is done anyway, and the rest would change no value.
            "address" | "symbol" | "static-members" | "vtbl" | "union" | "demangle" | "asm-demangle"
            | "sevenbit-strings" | "thread-events" | "inferior-events" | "finish" | "entry-values"
            | "frame-arguments" | "repeats" | "max-depth" | "null-stop" | "array" | "array-indexes"
            | "symbol-filename" | "type" => {
                let instead = match word {
                    "array" | "array-indexes" => "print elements one by one, as in print a[3]",
                    _ => "values are shown as GDB shows them by default",
                };
                return Err(Error::said(format!("\"set print {word}\" does not exist here: {instead}.")));
            }
            _ => {
                return Err(Error::said(format!(
                    "Undefined set print command: \"{word}\".  There are pretty, elements and object."
                )));
            }
        }
        self.engine.set_printing(print);
        Ok(())
    }

    /// Replaces the beginning of sources' paths.
    fn substitute_path(&mut self, value: &str) -> Result<(), Error> {
        let mut words = value.split_whitespace();
        let (Some(from), Some(to), None) = (words.next(), words.next(), words.next()) else {
            return Err(Error::said("Incorrect usage, source path substitution: set substitute-path FROM TO."));
        };
        let (pairs, directories) = self.engine.source_paths();
        let (mut pairs, directories) = (pairs.to_vec(), directories.to_vec());
        let from = from.trim_end_matches('/').to_owned();
        pairs.retain(|(known, _)| *known != from);
        pairs.push((from, to.trim_end_matches('/').to_owned()));
        self.state.unreadable = None;
        self.engine.set_source_paths(pairs, directories);
        Ok(())
    }

    /// Undoes that, for one beginning or for all.
    pub(super) fn unset_substitute_path(&mut self, from: &str) -> Result<(), Error> {
        let (pairs, directories) = self.engine.source_paths();
        let (mut pairs, directories) = (pairs.to_vec(), directories.to_vec());
        let before = pairs.len();
        pairs.retain(|(known, _)| !from.is_empty() && known != from.trim_end_matches('/'));
        if !from.is_empty() && pairs.len() == before {
            return Err(Error::said(format!("No substitution rule defined for `{from}'")));
        }
        self.engine.set_source_paths(pairs, directories);
        Ok(())
    }

    /// Adds directories in which sources are looked for; without any, forgets those that were added.
    pub(super) fn directory(&mut self, value: &str) -> Result<(), Error> {
        let (pairs, known) = self.engine.source_paths();
        let (pairs, known) = (pairs.to_vec(), known.to_vec());
        let given = value.split([':', ' ']).filter(|word| !word.is_empty() && !word.starts_with('$'));
        let mut directories: Vec<PathBuf> = given.map(PathBuf::from).collect();
        if !directories.is_empty() {
            directories.extend(
                known.into_iter().filter(|known| !value.split([':', ' ']).any(|word| known == Path::new(word))),
            );
        }
        self.state.unreadable = None;
        self.engine.set_source_paths(pairs, directories);
        self.show("directories")
    }

    pub(super) fn handle(&mut self, arguments: &str) -> Result<(), Error> {
        let mut names = Vec::new();
        let mut actions = Vec::new();
        let mut is_all = false;
        for word in arguments.split_whitespace() {
            match word {
                "stop" | "nostop" | "print" | "noprint" | "pass" | "nopass" | "ignore" | "noignore" => {
                    actions.push(word);
                }
                "all" => {
                    is_all = true;
                    names.extend(named_signals().map(|(name, _)| name.to_owned()));
                }
                _ => {
                    let name = if word.starts_with("SIG") { word.to_owned() } else { format!("SIG{word}") };
                    if signal_meaning(&name).is_none() {
                        return Err(Error::said(format!("Unrecognized or ambiguous flag word: \"{word}\".")));
                    }
                    names.push(name);
                }
            }
        }
        if is_all {
            names.retain(|name| !is_of_debugger(name));
        }
        let mut changed = Vec::new();
        for name in &names {
            if is_of_debugger(name) && !actions.is_empty() {
                let question =
                    format!("{name} is used by the debugger.\nAre you sure you want to change it? (y or n) ");
                if !self.confirm(&question)? {
                    self.say("Not confirmed, unchanged.");
                    continue;
                }
            }
            changed.push(name.as_str());
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
            self.state.signals.0.insert(name.clone(), wish);
            self.engine.set_signal_passed(name, !wish.stop && !wish.print);
        }
        if !changed.is_empty() {
            self.signal_table(changed.into_iter());
        }
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
            // By GDB's default, those are not passed on.
            let passed = yes(!is_of_debugger(name));
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
