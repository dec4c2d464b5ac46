//! `info macro`, `macro expand`.

use super::command::{Command, Info};
use super::error::Error;
use super::execution::Execution;
use engine::MacroLine;

/// Parses what `macro …` means.
pub(super) fn subcommand(given: &str) -> Result<Command, Error> {
    let (word, rest) = given.split_once(char::is_whitespace).unwrap_or((given, ""));
    let missing = |rest| {
        let words = format!("You must follow the `macro {rest}' command with the expression");
        Error::said(words + if rest == "expand" { " you\nwant to expand." } else { "\nyou want to expand." })
    };
    match word {
        "exp" | "expa" | "expan" | "expand" if rest.trim().is_empty() => Err(missing("expand")),
        "exp" | "expa" | "expan" | "expand" => Ok(Command::Macro(rest.trim().to_owned())),
        "exp1" | "expand-once" if rest.trim().is_empty() => Err(missing("expand-once")),
        // GDB's words.
        "exp1" | "expand-once" => Err(Error::said("Expand-once not implemented yet.")),
        "define" | "undef" | "list" => {
            let why = "macros are those of the program; `info macro NAME` shows one";
            Err(Error::said(format!("\"macro {word}\" does not exist here: {why}.")))
        }
        "" => Err(Error::said("\"macro\" must be followed by the name of a macro command: macro expand EXPRESSION.")),
        _ => Err(Error::said(format!("Undefined macro command: \"{word}\".  Try \"help macro\"."))),
    }
}

/// Parses what `info macro …` means.
pub(super) fn topic(given: &str) -> Result<Info, Error> {
    let (mut rest, mut all) = (given.trim(), false);
    while rest.starts_with('-') {
        let (option, name) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        rest = name.trim();
        match option {
            "-a" | "-all" | "--all" => all = true,
            "-" | "--" => break,
            _ => {
                let words = "to info macro command.  Try \"help info macro\".";
                return Err(Error::said(format!("Unrecognized option '{option}' {words}")));
            }
        }
    }
    match rest {
        "" => {
            let words = "You must follow the `info macro' command with the name of the macro";
            Err(Error::said(format!("{words}\nwhose definition you want to see.")))
        }
        name => Ok(Info::Macro { name: name.to_owned(), all }),
    }
}

impl Execution<'_> {
    /// Shows the text of an expression with its macros expanded.
    pub(super) fn expand_macros(&mut self, expression: &str) -> Result<(), Error> {
        let expanded = self.engine.expand_macros(expression)?;
        self.say(format!("expands to: {}", expanded.as_deref().unwrap_or(expression)));
        Ok(())
    }

    pub(super) fn info_macro(&mut self, name: &str, all: bool) -> Result<(), Error> {
        let found = self.engine.macros_named(name, all)?;
        let Some(place) = found.scope else {
            self.say("There is no preprocessor macro information for that code.");
            return Ok(());
        };
        for definition in &found.definitions {
            self.say(format!("Defined at {}", position(&definition.place)));
            let (signature, replacement) = (&definition.signature, &definition.replacement);
            self.say(match definition.place.line {
                0 => format!("-D{signature}={replacement}"),
                _ => format!("#define {signature} {replacement}"),
            });
        }
        if found.definitions.is_empty() {
            self.say(format!("The symbol `{name}' has no definition as a C/C++ preprocessor macro"));
            self.say(format!("at {}", position(&place)));
        }
        Ok(())
    }
}

/// Formats a place, with those that include its file on lines of their own.
fn position(place: &MacroLine) -> String {
    let mut text = format!("{}:{}", place.file, place.line);
    for (file, line) in &place.included {
        text.push_str(&format!("\n  included at {file}:{line}"));
    }
    text
}
