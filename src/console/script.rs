//! Lines that belong together: `define`, `document`, `if`, `while` and `commands`, each up to its `end`; and files of
//! them.

use super::error::{Elsewhere, Error};
use super::execution::Execution;
use super::flow::Flow;
use super::state::Idle;
use std::collections::BTreeMap;
use std::time::Instant;

/// Most lines that belong to one beginning.
const MAX_LINES: usize = 1000;
/// How deep what was defined may call what was defined.
const MAX_CALLS: u32 = 64;
/// How deep blocks are nested at most: each takes some of the stack.
const MAX_BLOCKS: u32 = 200;
/// Most files that are read within each other.
const MAX_FILES: u32 = 16;
/// Most rounds of a loop, with those of the loops in it.
const MAX_ROUNDS: u32 = 1_000_000;
/// Lines of scripts and of commands of the user that one line may carry out.
const MAX_STATEMENTS: u32 = 4_000_000;

/// What lines are collected for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// `commands`: what a breakpoint has carried out.
    Commands(u32),
    /// `define`: a command of the user's.
    Define(String),
    /// `document`: what `help` says of one.
    Document(String),
    /// `if` and `while`: the line itself, and what follows it.
    Block(String),
}

/// Lines that are being collected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Collected {
    pub(super) purpose: Purpose,
    pub(super) lines: Vec<String>,
    /// How many beginnings within wait for their `end`.
    depth: u32,
}

impl Collected {
    pub(super) fn new(purpose: Purpose) -> Self {
        Self { purpose, lines: Vec::new(), depth: 0 }
    }
}

/// A command of the user's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Defined {
    pub(super) lines: Vec<String>,
    /// What `document` says.
    pub(super) help: String,
}

/// The user's commands.
pub(super) type Definitions = BTreeMap<String, Defined>;

/// How lines have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// With the last, or by something that ends all.
    With(Flow),
    /// By `loop_break`.
    Break,
    /// By `loop_continue`.
    Next,
}

/// Splits off the first word.
fn first_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    let end = line.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    (word, rest.trim())
}

/// Returns whether a line begins lines that go up to an `end`.
fn begins(line: &str) -> bool {
    matches!(first_word(line).0, "if" | "while" | "define" | "document" | "commands")
}

/// Finds the `end` that belongs to the line at `at`, and the `else` between them.
fn end_of(lines: &[String], at: usize) -> Result<(Option<usize>, usize), Error> {
    let (mut depth, mut other) = (0u32, None);
    for (i, line) in lines.iter().enumerate().skip(at + 1) {
        match line.trim() {
            "end" if depth == 0 => return Ok((other, i)),
            "end" => depth -= 1,
            "else" if depth == 0 => other = Some(i),
            line if begins(line) => depth += 1,
            _ => {}
        }
    }
    Err(Error::said(format!("`{}` has no `end`.", lines.get(at).map_or("", |line| line.trim()))))
}

/// Splits the arguments of a user's command, which may be in quotes.
fn arguments(text: &str) -> Vec<&str> {
    let (mut found, mut begin, mut quote) = (Vec::new(), None, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, c) if c.is_whitespace() => {
                if let Some(begin) = begin.take() {
                    found.extend(text.get(begin..at));
                }
                continue;
            }
            _ => {}
        }
        begin.get_or_insert(at);
    }
    found.extend(begin.and_then(|begin| text.get(begin..)));
    found
}

/// Puts the arguments of a user's command where a line names them: `$arg0`, `$argc`.
fn substituted(line: &str, arguments: &[&str]) -> String {
    let mut done = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("$arg") {
        let (before, found) = rest.split_at(at);
        done.push_str(before);
        let behind = found.strip_prefix("$arg").unwrap_or_default();
        let digits = behind.len() - behind.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, after) = behind.split_at(digits);
        rest = after;
        if let Some(after) = behind.strip_prefix('c').filter(|after| !continues(after)) {
            done.push_str(&arguments.len().to_string());
            rest = after;
        } else if let Some(argument) = number.parse::<usize>().ok().and_then(|number| arguments.get(number)) {
            done.push_str(argument);
        } else {
            done.push_str("$arg");
            done.push_str(number);
        }
    }
    done.push_str(rest);
    done
}

/// Returns whether a name that ends here would go on.
fn continues(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

impl Execution<'_> {
    /// Takes a line if lines are being collected, or if it begins some. `Some`: it was taken.
    pub(super) fn collect(&mut self, line: &str) -> Result<Option<Flow>, Error> {
        let Some(collected) = &mut self.state.collecting else { return self.begin(line) };
        let is_text = matches!(collected.purpose, Purpose::Document(_));
        let trimmed = line.trim();
        if trimmed == "end" && collected.depth == 0 {
            return match self.state.collecting.take() {
                Some(Collected { purpose, lines, .. }) => self.collected(purpose, lines).map(Some),
                None => Ok(None),
            };
        }
        if collected.lines.len() >= MAX_LINES {
            self.state.collecting = None;
            return Err(Error::said(format!("More than {MAX_LINES} lines are too many.")));
        }
        match trimmed {
            _ if is_text => collected.lines.push(line.trim_end().to_owned()),
            "" => {}
            "end" => {
                collected.depth -= 1;
                collected.lines.push(trimmed.to_owned());
            }
            _ => {
                collected.depth += u32::from(begins(trimmed));
                collected.lines.push(trimmed.to_owned());
            }
        }
        Ok(Some(Flow::GoOn))
    }

    /// Has the lines that follow be collected, if this one begins some.
    fn begin(&mut self, line: &str) -> Result<Option<Flow>, Error> {
        let (word, rest) = first_word(line);
        let purpose = match (word, rest) {
            ("define", "") => return Err(Error::said("Argument required (name of command to define).")),
            ("document", "") => return Err(Error::said("Argument required (name of command to define).")),
            ("if" | "while", "") => return Err(Error::said(format!("{word} command requires an argument."))),
            ("define", name) => Purpose::Define(self.definable(name)?),
            ("document", name) if self.state.defined.contains_key(name) => Purpose::Document(name.to_owned()),
            ("document", name) => {
                return Err(Error::said(format!(
                    "Undefined command: \"{name}\".  Only user-defined commands can be documented."
                )));
            }
            ("if" | "while", _) => Purpose::Block(line.trim().to_owned()),
            _ => return Ok(None),
        };
        self.state.repeated.clear();
        if self.terminal.asks() {
            let ends = "End with a line saying just \"end\".";
            match &purpose {
                Purpose::Define(name) => self.say(format!("Type commands for definition of \"{name}\".\n{ends}")),
                Purpose::Document(name) => self.say(format!("Type documentation for \"{name}\".\n{ends}")),
                _ => {}
            }
        }
        self.state.collecting = Some(Collected::new(purpose));
        Ok(Some(Flow::GoOn))
    }

    /// Checks the name of a user's command.
    fn definable(&self, name: &str) -> Result<String, Error> {
        let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
        match is_name {
            true => Ok(name.to_owned()),
            false => Err(Error::said(format!("Junk in argument list: \"{name}\""))),
        }
    }

    /// Does with lines what they were collected for.
    fn collected(&mut self, purpose: Purpose, lines: Vec<String>) -> Result<Flow, Error> {
        match purpose {
            Purpose::Commands(number) => self.state.hints.entry(number).or_default().commands = lines,
            Purpose::Define(name) => self.state.defined.entry(name).or_default().lines = lines,
            Purpose::Document(name) => self.state.defined.entry(name).or_default().help = lines.join("\n"),
            Purpose::Block(begin) => {
                let all: Vec<String> = std::iter::once(begin).chain(lines).chain(["end".to_owned()]).collect();
                let flow = self.lines(&all, &[])?;
                return if flow == Flow::GoOn { self.drain() } else { Ok(flow) };
            }
        }
        Ok(Flow::GoOn)
    }

    /// Carries out a command of the user's. `None`: the line is none.
    pub(super) fn user_command(&mut self, line: &str) -> Result<Option<Flow>, Error> {
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let Some(defined) = self.state.defined.get(word) else { return Ok(None) };
        let lines = defined.lines.clone();
        if self.state.call_depth >= MAX_CALLS {
            return Err(Error::said("Max user call depth exceeded -- command aborted."));
        }
        self.state.call_depth += 1;
        let done = self.lines(&lines, &arguments(rest));
        self.state.call_depth -= 1;
        done.map(Some)
    }

    /// Carries out lines, with the arguments of the command that they define.
    pub(super) fn lines(&mut self, lines: &[String], arguments: &[&str]) -> Result<Flow, Error> {
        match self.statements(lines, arguments)? {
            Ended::With(flow) => Ok(flow),
            Ended::Break | Ended::Next => Ok(Flow::GoOn),
        }
    }

    /// Carries out the lines of a block.
    fn statements(&mut self, lines: &[String], arguments: &[&str]) -> Result<Ended, Error> {
        if self.state.block_depth >= MAX_BLOCKS {
            return Err(Error::said("Blocks of commands are nested too deeply."));
        }
        self.state.block_depth += 1;
        let ended = self.each_statement(lines, arguments);
        self.state.block_depth -= 1;
        ended
    }

    fn each_statement(&mut self, lines: &[String], arguments: &[&str]) -> Result<Ended, Error> {
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            if self.engine.cancel().is_cancelled() {
                return Ok(Ended::With(Flow::Interrupted));
            }
            if self.terminal.is_full() {
                return Ok(Ended::With(Flow::GoOn));
            }
            self.check_idle()?;
            let line = substituted(line, arguments);
            let (word, rest) = first_word(&line);
            let mut ended = Ended::With(Flow::GoOn);
            match word {
                "loop_break" => return Ok(Ended::Break),
                "loop_continue" => return Ok(Ended::Next),
                "if" => {
                    let (other, end) = end_of(lines, at)?;
                    let part = match self.number(rest)? != 0 {
                        true => lines.get(at + 1..other.unwrap_or(end)),
                        false => other.and_then(|other| lines.get(other + 1..end)),
                    };
                    ended = self.statements(part.unwrap_or_default(), arguments)?;
                    at = end;
                }
                "while" => {
                    let (_, end) = end_of(lines, at)?;
                    let condition = lines.get(at).map(|line| first_word(line).1.to_owned()).unwrap_or_default();
                    ended = self.rounds(&condition, lines.get(at + 1..end).unwrap_or_default(), arguments)?;
                    at = end;
                }
                "define" | "document" | "commands" => {
                    let (_, end) = end_of(lines, at)?;
                    let purpose = match word {
                        "define" => Purpose::Define(self.definable(rest)?),
                        "document" => Purpose::Document(rest.to_owned()),
                        _ => Purpose::Commands(self.with_commands(rest)?),
                    };
                    let own = lines.get(at + 1..end).unwrap_or_default();
                    let own = own.iter().map(|line| substituted(line, arguments)).collect();
                    self.collected(purpose, own)?;
                    at = end;
                }
                _ => ended = Ended::With(self.command(&line)?),
            }
            if ended != Ended::With(Flow::GoOn) {
                return Ok(ended);
            }
            at += 1;
        }
        Ok(Ended::With(Flow::GoOn))
    }

    /// Fails if commands of commands have gone on for longer than an evaluation may take, without a movement, or if
    /// there have been too many.
    fn check_idle(&mut self) -> Result<(), Error> {
        let (now, epoch) = (Instant::now(), self.engine.epoch());
        let idle = self.state.idle.get_or_insert(Idle { epoch, since: now, statements: 0 });
        idle.statements += 1;
        if idle.statements > MAX_STATEMENTS {
            return Err(Error::said(format!("The commands have not ended after {MAX_STATEMENTS} lines.")));
        }
        if idle.epoch != epoch {
            (idle.epoch, idle.since) = (epoch, now);
        }
        let limit = self.engine.evaluation_limit();
        if now.duration_since(idle.since) > limit {
            return Err(Error::said(format!("The commands have not ended after {} s.", limit.as_secs())));
        }
        Ok(())
    }

    /// Carries out lines as long as a condition holds.
    fn rounds(&mut self, condition: &str, lines: &[String], arguments: &[&str]) -> Result<Ended, Error> {
        let outer = self.state.rounds_left;
        self.state.rounds_left = outer.or(Some(MAX_ROUNDS));
        let ended = self.rounds_left(condition, lines, arguments);
        if outer.is_none() {
            self.state.rounds_left = None;
        }
        ended
    }

    /// Carries out the rounds of a loop, as far as there are some left to it and those around it.
    fn rounds_left(&mut self, condition: &str, lines: &[String], arguments: &[&str]) -> Result<Ended, Error> {
        while let Some(left) = self.state.rounds_left.and_then(|left| left.checked_sub(1)) {
            self.state.rounds_left = Some(left);
            self.check_idle()?;
            if self.number(&substituted(condition, arguments))? == 0 {
                return Ok(Ended::With(Flow::GoOn));
            }
            match self.statements(lines, arguments)? {
                Ended::Break => return Ok(Ended::With(Flow::GoOn)),
                Ended::Next | Ended::With(Flow::GoOn) => {}
                ended => return Ok(ended),
            }
            if self.terminal.is_full() {
                return Ok(Ended::With(Flow::GoOn));
            }
        }
        Err(Error::said(format!("A loop has not ended after {MAX_ROUNDS} rounds.")))
    }

    /// Takes the lines from the queue that belong to the one that was taken from it.
    pub(super) fn whole(&mut self, line: String) -> Vec<String> {
        let mut lines = vec![line];
        let mut depth = u32::from(lines.first().is_some_and(|line| begins(line)));
        while depth > 0 {
            let Some(next) = self.state.queue.pop_front() else { break };
            match next.trim() {
                "end" => depth -= 1,
                other if begins(other) => depth += 1,
                _ => {}
            }
            lines.push(next);
        }
        lines
    }

    /// Carries out the lines of a file.
    pub(super) fn source_file(&mut self, path: &str) -> Result<Flow, Error> {
        if self.state.files >= MAX_FILES {
            return Err(Error::said("Files of commands are nested too deeply."));
        }
        if path.ends_with(".py") {
            return Err(Error::said(format!(
                "{path}: Python scripts are not supported: there is no Python interpreter. A file of commands can do \
                 define, if, while, printf and commands; `retrograde query` and the MCP server answer programs."
            )));
        }
        let read = self.host("source", Elsewhere::Script)?.read(path);
        let text = read.map_err(|error| Error::said(format!("{path}: {error}")))?;
        self.state.files += 1;
        let done = self.sourced(path, &text);
        self.state.files -= 1;
        done
    }

    fn sourced(&mut self, path: &str, text: &str) -> Result<Flow, Error> {
        for (number, line) in (1..).zip(text.lines()) {
            match self.execute(line) {
                Ok(Flow::GoOn) => {}
                Ok(other) => return Ok(other),
                Err(Error::Said(words)) => {
                    self.state.collecting = None;
                    return Err(Error::said(format!("{path}:{number}: Error in sourced command file:\n{words}")));
                }
                Err(other) => return Err(other),
            }
        }
        match self.state.collecting.take() {
            Some(_) => Err(Error::said(format!("{path}: the last lines have no `end`."))),
            None => Ok(Flow::GoOn),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn each_beginning_has_its_end() {
        let all = lines("if $x\nwhile 1\nloop_break\nend\nelse\necho no\nend\nbt");
        assert_eq!(end_of(&all, 0).unwrap(), (Some(4), 6));
        assert_eq!(end_of(&all, 1).unwrap(), (None, 3));
        assert!(end_of(&lines("if 1\nbt"), 0).unwrap_err().to_string().contains("`if 1` has no `end`"));
        assert!(begins("if(x)") && begins("commands 3") && !begins("ifx") && !begins("end"));
    }

    #[test]
    fn arguments_are_put_in_their_places() {
        assert_eq!(arguments("a  'b c' \"d e\"f"), ["a", "'b c'", "\"d e\"f"]);
        let given = ["x + 1", "7"];
        for (line, expected) in [
            ("print $arg0 + $arg1", "print x + 1 + 7"),
            ("print $argc", "print 2"),
            ("print $argcount, $arg2, $arg", "print $argcount, $arg2, $arg"),
            ("print $x", "print $x"),
        ] {
            assert_eq!(substituted(line, &given), expected);
        }
    }
}
