//! `alias`: another name for a command, perhaps with its first arguments.

use super::error::Error;
use super::execution::Execution;
use super::{command_names, parse};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Most aliases.
const MAX_ALIASES: usize = 1000;
/// Longest command that an alias stands for, in bytes. What it stands for is written out when it is defined, so that no
/// alias leads to itself.
const MAX_LENGTH: usize = 1024;

/// The user's names of commands, with what they stand for.
pub(super) type Aliases = BTreeMap<String, String>;

/// Splits a line behind its first word.
pub(super) fn split(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    line.split_at(parse::name_end(line))
}

/// Returns a line with the command in place of its alias.
pub(super) fn expanded<'l>(aliases: &Aliases, line: &'l str) -> Cow<'l, str> {
    let (word, rest) = split(line);
    match aliases.get(word) {
        // The letters of a format stand behind a word of their own where the alias ends with an option.
        Some(command) if command.contains(' ') && !rest.is_empty() => format!("{command} {}", rest.trim_start()).into(),
        Some(command) => format!("{command}{rest}").into(),
        None => line.into(),
    }
}

/// Parses `[-a] [--] NAME = COMMAND`.
fn definition(given: &str) -> Result<(&str, &str), Error> {
    let usage = || Error::said("Syntax: alias [-a] [--] NAME = COMMAND [DEFAULT-ARGS]");
    let mut rest = given.trim();
    while let Some(behind) = ["-a ", "-- "].iter().find_map(|option| rest.strip_prefix(option)) {
        rest = behind.trim_start();
    }
    let (name, command) = rest.split_once('=').ok_or_else(usage)?;
    let (name, command) = (name.trim(), command.trim());
    if name.is_empty() || command.is_empty() {
        return Err(usage());
    }
    if parse::name_end(name) != name.len() {
        return Err(Error::said(format!("Invalid command name: {name}: an alias is one word here")));
    }
    Ok((name, command))
}

impl Execution<'_> {
    /// Defines an alias; without arguments, lists them.
    pub(super) fn alias(&mut self, given: &str) -> Result<(), Error> {
        if given.is_empty() {
            let all = self.state.aliases.iter().map(|(name, command)| format!("alias {name} = {command}\n"));
            let all: String = all.collect();
            self.terminal.say(if all.is_empty() { "No aliases.\n" } else { &all });
            return Ok(());
        }
        let (name, command) = definition(given)?;
        let exists = command_names::is_command(name) || self.state.defined.contains_key(name);
        if exists || self.state.aliases.contains_key(name) {
            return Err(Error::said(format!("Alias already exists: {name}")));
        }
        let command = expanded(&self.state.aliases, command).into_owned();
        let (word, _) = split(&command);
        if !self.state.defined.contains_key(word) {
            command_names::command(word)
                .map_err(|error| Error::said(format!("Invalid command to alias to: {command}: {error}")))?;
        }
        if self.state.aliases.len() >= MAX_ALIASES || command.len() > MAX_LENGTH {
            let limits = format!("there may be {MAX_ALIASES} aliases of {MAX_LENGTH} bytes");
            return Err(Error::said(format!("\"{name}\" is not defined: {limits}.")));
        }
        self.state.aliases.insert(name.to_owned(), command);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alias_is_one_word_that_stands_for_a_command() {
        assert_eq!(definition("zz = print").unwrap(), ("zz", "print"));
        assert_eq!(definition("-a -- pp=print -pretty on --").unwrap(), ("pp", "print -pretty on --"));
        for wrong in ["", "zz", "zz =", "= print"] {
            assert!(definition(wrong).unwrap_err().to_string().starts_with("Syntax: alias"), "{wrong}");
        }
        assert!(definition("set zz = set print").unwrap_err().to_string().contains("one word"));
    }

    #[test]
    fn it_is_replaced_at_the_beginning_of_a_line_only() {
        let pairs = [("zz", "print"), ("pp", "print -pretty on --")];
        let aliases = pairs.iter().map(|(name, command)| ((*name).to_owned(), (*command).to_owned())).collect();
        for (line, command) in [
            ("zz zz", "print zz"),
            ("  zz/x 5", "print/x 5"),
            ("pp/x 5", "print -pretty on -- /x 5"),
            ("pp", "print -pretty on --"),
            ("print zz", "print zz"),
            ("zzz", "zzz"),
        ] {
            assert_eq!(expanded(&aliases, line), command);
        }
    }
}
