//! The process: `info proc`, `show args`. A recording has the command line; the rest of `/proc` is gone with the process.

use super::command::ProcessFacts;
use super::error::{Elsewhere, Error};
use super::execution::Execution;

/// Spells a word so that a shell reads it as one.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:=,+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Parses what `info proc` is asked for.
pub(super) fn parse(given: &str) -> Result<ProcessFacts, Error> {
    const ALL: [(&str, ProcessFacts); 5] = [
        ("all", ProcessFacts::All),
        ("cmdline", ProcessFacts::CommandLine),
        ("cwd", ProcessFacts::Directory),
        ("exe", ProcessFacts::Program),
        ("mappings", ProcessFacts::Mappings),
    ];
    if given.is_empty() {
        return Ok(ProcessFacts::Summary);
    }
    if let Some((_, facts)) = ALL.iter().find(|(name, _)| given.len() >= 2 && name.starts_with(given)) {
        return Ok(*facts);
    }
    if given.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Error::Absent { command: format!("info proc {given}"), elsewhere: Elsewhere::Processes });
    }
    let valid = "there are info proc, mappings, cmdline, cwd, exe and all";
    Err(Error::said(format!("\"info proc {given}\" does not exist here: a recording does not have it; {valid}.")))
}

impl Execution<'_> {
    pub(super) fn info_process(&mut self, facts: ProcessFacts) -> Result<(), Error> {
        self.running()?;
        if facts == ProcessFacts::Mappings {
            return self.info_mappings();
        }
        self.say(format!("process {}", self.engine.pid()));
        let is_asked = |part| matches!(facts, ProcessFacts::Summary | ProcessFacts::All) || facts == part;
        let line = self.engine.command_line()?;
        let unknown = "unknown: the recording does not have it";
        if is_asked(ProcessFacts::CommandLine) {
            match &line {
                Some(line) => self.say(format!("cmdline = '{}'", line.words.join(" "))),
                None => self.say(format!("cmdline is {unknown}")),
            }
        }
        if is_asked(ProcessFacts::Directory) {
            self.say("cwd is unknown: a recording does not keep it");
        }
        if is_asked(ProcessFacts::Program) {
            match &line {
                Some(line) => self.say(format!("exe = '{}'", line.program)),
                None => self.say(format!("exe is {unknown}")),
            }
        }
        if facts == ProcessFacts::All { self.info_mappings() } else { Ok(()) }
    }

    /// Prints the arguments that the program was started with.
    pub(super) fn show_arguments(&mut self) -> Result<(), Error> {
        let Some(line) = self.engine.command_line()? else {
            return Err(Error::said("The arguments are unknown: the recording does not have them."));
        };
        let arguments: Vec<String> = line.words.iter().skip(1).map(|word| quoted(word)).collect();
        let arguments = arguments.join(" ");
        self.say(format!("Argument list to give program being debugged when it is started is \"{arguments}\"."));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_may_be_abbreviated_and_others_are_refused() {
        assert_eq!(parse("").unwrap(), ProcessFacts::Summary);
        assert_eq!(parse("map").unwrap(), ProcessFacts::Mappings);
        assert_eq!(parse("cmd").unwrap(), ProcessFacts::CommandLine);
        assert!(parse("status").unwrap_err().to_string().contains("mappings, cmdline, cwd, exe and all"));
        assert!(matches!(parse("123").unwrap_err(), Error::Absent { .. }));
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_take_them_apart() {
        assert_eq!(["a", "b c", "", "it's"].map(quoted), ["a", "'b c'", "''", r"'it'\''s'"]);
    }
}
