//! From a line to a [`Command`]. Knows no program: names, lines and expressions stay text.

mod info;

use super::command::{BreakpointArguments, CodeSpec, Command, FrameSpec, ListSpec, Modes, Moment, Setting, Unit};
use super::command_names::{self, Verb};
use super::error::Error;
use super::format_letters::{Letters, UnitLetters, split as split_letters};
use super::inquiry::Inquiry;
use super::number_list::Numbers;
use super::print_options;
use arch::Direction;
use engine::model::{Access, CatchEvent, Contents};

/// Longer lines are mistakes.
const MAX_LINE: usize = 64 * 1024;

/// Parses a line to what it means. `last`: the number that `$bpnum` stands for.
pub(super) fn parse(line: &str, last: Option<u32>) -> Result<Command, Error> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(Command::Nothing);
    }
    if line.len() > MAX_LINE {
        return Err(Error::said(format!("a line of {} bytes is too long (at most {MAX_LINE})", line.len())));
    }
    if let Some(command) = line.strip_prefix('!') {
        return Ok(Command::Shell(command.trim().to_owned()));
    }
    let (word, rest) = line.split_at(name_end(line));
    if word.is_empty() {
        return Err(Error::said(format!("Undefined command: \"{line}\".  Try \"help\".")));
    }
    arguments(command_names::command(word)?, rest.trim(), last)
}

/// Returns where the name of a command ends: it is letters, digits, `-` and `_`; whatever follows is its argument, with
/// or without a space.
pub(super) fn name_end(line: &str) -> usize {
    line.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).unwrap_or(line.len())
}

fn arguments(verb: Verb, rest: &str, last: Option<u32>) -> Result<Command, Error> {
    let some = || (!rest.is_empty()).then(|| rest.to_owned());
    let needed = |what: &str| some().ok_or_else(|| Error::said(what));
    let numbers = |rest: &str| Numbers::parse(rest, "breakpoint", last);
    let breakpoint = |temporary, hardware| Ok::<_, Error>(Command::Break { temporary, hardware, at: place(rest)? });
    let step = |unit, over, direction| Command::Step { unit, over, direction, count: some() };
    let (forward, reverse) = (Direction::Forward, Direction::Reverse);
    Ok(match verb {
        Verb::Break => breakpoint(false, false)?,
        Verb::Tbreak => breakpoint(true, false)?,
        Verb::Hbreak => breakpoint(false, true)?,
        Verb::Thbreak => breakpoint(true, true)?,
        Verb::Catch => catch(false, rest)?,
        Verb::Tcatch => catch(true, rest)?,
        Verb::Rbreak => Command::Rbreak(needed("Argument required (a regular expression).")?),
        Verb::Watch => watch(Access::Write, rest)?,
        Verb::Rwatch => watch(Access::Read, rest)?,
        Verb::Awatch => watch(Access::Access, rest)?,
        Verb::Delete => delete(rest, last)?,
        Verb::Clear => Command::Clear(some()),
        Verb::Enable => switch(true, rest, last)?,
        Verb::Disable => switch(false, rest, last)?,
        Verb::Ignore => {
            let (number, count) = first_word(rest);
            if count.is_empty() && !number.is_empty() {
                return Err(Error::said("Second argument (specified ignore-count) is missing."));
            }
            let number = one_number(number, last, "Argument required (a breakpoint number).")?;
            Command::Ignore { number, count: count.to_owned() }
        }
        Verb::Condition => {
            let (number, condition) = first_word(rest);
            let number = one_number(number, last, "Argument required (breakpoint number).")?;
            Command::Condition { number, condition: (!condition.is_empty()).then(|| condition.to_owned()) }
        }
        Verb::Commands => Command::Commands(match rest {
            "" => None,
            _ => Some(one_number(rest, last, "")?),
        }),
        Verb::Continue => Command::Continue { direction: forward, count: some() },
        Verb::ReverseContinue => Command::Continue { direction: reverse, count: some() },
        Verb::Step => step(Unit::Line, false, forward),
        Verb::Next => step(Unit::Line, true, forward),
        Verb::Stepi => step(Unit::Instruction, false, forward),
        Verb::Nexti => step(Unit::Instruction, true, forward),
        Verb::ReverseStep => step(Unit::Line, false, reverse),
        Verb::ReverseNext => step(Unit::Line, true, reverse),
        Verb::ReverseStepi => step(Unit::Instruction, false, reverse),
        Verb::ReverseNexti => step(Unit::Instruction, true, reverse),
        Verb::Finish => Command::Finish(forward),
        Verb::ReverseFinish => Command::Finish(reverse),
        Verb::Until => some().map_or(Command::Until, Command::Advance),
        Verb::Advance => Command::Advance(needed("Argument required (a location).")?),
        Verb::Run => Command::Run(some()),
        Verb::Start => Command::Start,
        Verb::Starti => Command::Starti,
        Verb::Alias => Command::Alias(rest.to_owned()),
        Verb::Cd => Command::ChangeDirectory(rest.to_owned()),
        Verb::Pwd => Command::WorkingDirectory,
        Verb::Backtrace => {
            let (full, count) = depth(rest)?;
            Command::Backtrace { full, count }
        }
        Verb::Frame => match after(rest, "apply", 1) {
            Some(behind) => super::frame_apply::parse(behind)?,
            None => Command::Frame(frame(rest)?),
        },
        Verb::Up => Command::Move { up: true, count: some() },
        Verb::Down => Command::Move { up: false, count: some() },
        Verb::Thread => thread(rest)?,
        Verb::Print => {
            let (options, rest) = print_options::split(rest)?;
            let (letters, expression) = formatted(rest, "print")?;
            Command::Print { options, letters, expression }
        }
        Verb::Call => {
            let (options, rest) = print_options::split(rest)?;
            match formatted(rest, "call")? {
                (letters, Some(expression)) => Command::Call { options, letters, expression },
                _ => return Err(Error::said("The history is empty.")),
            }
        }
        Verb::Output => match formatted(rest, "output")? {
            (letters, Some(expression)) => Command::Output { letters, expression },
            _ => return Err(Error::said("Argument required (expression to compute).")),
        },
        Verb::Printf => Command::Printf(needed("Argument required (format-control string and values to print).")?),
        Verb::Echo => Command::Echo(rest.to_owned()),
        Verb::Examine => {
            let (letters, expression) = split_letters(rest);
            Command::Examine { letters: UnitLetters::parse(letters)?, expression: text(expression) }
        }
        Verb::Ptype => {
            let (listed, of) = listed(rest)?;
            let raw = split_letters(rest).0.contains('r');
            Command::Type { listed: Some(listed), raw, of }
        }
        Verb::Whatis => Command::Type { listed: None, raw: true, of: listed(rest)?.1 },
        Verb::List => Command::List(list(rest)),
        Verb::Macro => super::macros::subcommand(rest)?,
        Verb::Disassemble => disassemble(rest)?,
        Verb::When => Command::When(Moment::Event),
        Verb::WhenPosition => Command::When(Moment::Position),
        Verb::WhenTicks => Command::When(Moment::Ticks),
        Verb::WhenThread => Command::When(Moment::Thread),
        Verb::WhenEnd => Command::When(Moment::End),
        Verb::WhenElapsed => Command::When(Moment::Elapsed),
        Verb::WhenAbsolute => Command::When(Moment::Absolute),
        Verb::Back => Command::Revisit { back: true },
        Verb::Forward => Command::Revisit { back: false },
        Verb::Find => Command::Find(needed("Missing search parameters.")?),
        Verb::Inquire(Inquiry::Why) => Command::Inquire(Inquiry::Why, needed("Argument required (a location).")?),
        Verb::Inquire(inquiry) => Command::Inquire(inquiry, needed("Argument required (expression to compute).")?),
        Verb::Shell => Command::Shell(rest.to_owned()),
        Verb::Source => {
            let path = rest.strip_prefix("-v ").unwrap_or(rest).trim();
            Command::Source(
                text(path).ok_or_else(|| Error::said("source command requires file name of file to source."))?,
            )
        }
        Verb::Save => match after(rest, "breakpoints", 1) {
            Some(path) => {
                Command::Save(text(path).ok_or_else(|| Error::said("Argument required (file name in which to save)"))?)
            }
            None => {
                return Err(Error::said("\"save\" must be followed by what is to be saved: save breakpoints FILE."));
            }
        },
        Verb::Directory => Command::Directory(rest.to_owned()),
        Verb::Unset => match after(rest, "substitute-path", 3) {
            Some(from) => Command::UnsetSubstitutePath(from.to_owned()),
            None => return Err(Error::said("There is unset substitute-path.")),
        },
        Verb::Complete => Command::Complete(rest.to_owned()),
        Verb::Skip => super::skip::parse(rest)?,
        Verb::Dprintf => {
            let (location, text) = split_comma(rest)
                .filter(|(location, text)| !location.is_empty() && !text.is_empty())
                .ok_or_else(|| Error::said("Format string required"))?;
            Command::Dprintf { location: location.to_owned(), text: text.to_owned() }
        }
        Verb::Inferior if rest.is_empty() || rest == "1" => Command::Inferior,
        Verb::Inferior => return Err(Error::said(format!("Inferior ID {rest} not known: one process is replayed."))),
        Verb::Checkpoint => Command::Checkpoint,
        Verb::Goto => {
            Command::Goto(needed("Argument required (a position, as when-position prints it, or an event).")?)
        }
        Verb::SeekTicks => Command::SeekTicks(needed("Argument required (a number of ticks).")?),
        Verb::Restart => Command::Restart(needed("Argument required (a checkpoint number).")?),
        Verb::Display => {
            let (letters, expression) = split_letters(rest);
            Command::Display { letters: UnitLetters::parse(letters)?, expression: text(expression) }
        }
        Verb::Undisplay => Command::Undisplay(Numbers::parse(rest, "display", None)?),
        Verb::Info => Command::Info(info::parse(rest, &numbers)?),
        Verb::Set => Command::Set(setting(rest)?),
        Verb::Show => Command::Show(needed("Argument required (a setting).")?),
        Verb::Handle => Command::Handle(needed("Argument required (signal to handle).")?),
        Verb::Help => Command::Help(some()),
        Verb::Quit => Command::Quit,
    })
}

fn text(given: &str) -> Option<String> {
    let given = given.trim();
    (!given.is_empty()).then(|| given.to_owned())
}

/// Splits off the first word from what follows it.
fn first_word(given: &str) -> (&str, &str) {
    let given = given.trim();
    match given.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (given, ""),
    }
}

/// Returns what follows a word that stands at the beginning, perhaps abbreviated to `least` letters.
fn after<'t>(given: &'t str, word: &str, least: usize) -> Option<&'t str> {
    let (first, rest) = first_word(given);
    (first.len() >= least && word.starts_with(first)).then_some(rest)
}

fn one_number(given: &str, last: Option<u32>, missing: &str) -> Result<u32, Error> {
    match (given, last) {
        ("", _) => Err(Error::said(missing)),
        ("$bpnum", Some(last)) => Ok(last),
        _ => given.parse().map_err(|_| Error::said(format!("Bad breakpoint argument: '{given}'"))),
    }
}

/// Parses `LOCATION thread N if CONDITION`, each of which may be missing.
fn place(given: &str) -> Result<BreakpointArguments, Error> {
    let (location, condition) = split_condition(given);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (location, thread) = match location.rsplit_once("thread ") {
        Some((before, thread)) if is_number(thread.trim()) && (before.is_empty() || before.ends_with(' ')) => {
            (before.trim(), Some(thread.trim().to_owned()))
        }
        _ => (location, None),
    };
    Ok(BreakpointArguments { location: text(location), thread, condition: condition.map(str::to_owned) })
}

/// Separates the condition behind the word `if`, which is not part of anything in quotes or brackets.
fn split_condition(given: &str) -> (&str, Option<&str>) {
    let (mut depth, mut quote) = (0i32, None);
    let mut before = ' ';
    for (at, c) in given.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '<') => depth += 1,
            (None, ')' | ']' | '>') => depth -= 1,
            (None, 'i') if depth <= 0 && before.is_whitespace() => {
                if let Some(rest) = given.get(at..).and_then(|rest| rest.strip_prefix("if"))
                    && rest.starts_with(|c: char| c.is_whitespace() || c == '(')
                {
                    return (given.get(..at).unwrap_or_default().trim(), Some(rest.trim()));
                }
            }
            _ => {}
        }
        before = c;
    }
    (given.trim(), None)
}

fn catch(temporary: bool, given: &str) -> Result<Command, Error> {
    let (word, rest) = first_word(given);
    let event = match word {
        "signal" => CatchEvent::Signal,
        "syscall" => CatchEvent::Syscall,
        "exec" => CatchEvent::Exec,
        "fork" | "vfork" => CatchEvent::Fork,
        "throw" => CatchEvent::Throw,
        "catch" => CatchEvent::Catch,
        "panic" => CatchEvent::Panic,
        _ => {
            let known = "signal, syscall, exec, fork, throw, catch and panic";
            return Err(Error::said(format!("Undefined catch command: \"{word}\": there are {known}.")));
        }
    };
    // `all` is GDB's word for what no name means here.
    let names = rest.split_whitespace().filter(|name| *name != "all").map(str::to_owned).collect();
    Ok(Command::Catch { temporary, event, names })
}

fn watch(access: Access, given: &str) -> Result<Command, Error> {
    let (first, rest) = first_word(given);
    let pinned = first == "-l" || first == "-location";
    let (expression, condition) = split_condition(if pinned { rest } else { given });
    let expression = text(expression).ok_or_else(|| Error::said("Argument required (expression to compute)."))?;
    Ok(Command::Watch { access, pinned, expression, condition: condition.map(str::to_owned) })
}

fn delete(given: &str, last: Option<u32>) -> Result<Command, Error> {
    if let Some(rest) = after(given, "checkpoint", 3) {
        return Ok(Command::DeleteCheckpoint(text(rest)));
    }
    if let Some(rest) = after(given, "display", 3) {
        return Ok(Command::Undisplay(Numbers::parse(rest, "display", None)?));
    }
    let rest = after(given, "breakpoints", 2).unwrap_or(given);
    Ok(Command::Delete(Numbers::parse(rest, "breakpoint", last)?))
}

fn switch(on: bool, given: &str, last: Option<u32>) -> Result<Command, Error> {
    if let Some(rest) = after(given, "display", 3) {
        return Ok(Command::SwitchDisplay { on, numbers: Numbers::parse(rest, "display", None)? });
    }
    for word in ["once", "delete", "count"] {
        if on && after(given, word, 2).is_some() {
            let why = "use tbreak, or enable and disable by themselves";
            return Err(Error::said(format!("\"enable {word}\" does not exist here: {why}.")));
        }
    }
    let rest = after(given, "breakpoints", 2).unwrap_or(given);
    Ok(Command::Switch { on, numbers: Numbers::parse(rest, "breakpoint", last)? })
}

/// Parses `[full] [COUNT]`, with options of GDB's that mean what is done anyway.
fn depth(given: &str) -> Result<(bool, Option<i64>), Error> {
    let (mut full, mut count) = (false, None);
    for word in given.split_whitespace() {
        match word {
            "full" | "-full" => full = true,
            _ => match word.parse() {
                Ok(n) => count = Some(n),
                Err(_) => {
                    return Err(Error::said(format!(
                        "Invalid argument \"{word}\": backtrace takes `full` and a count."
                    )));
                }
            },
        }
    }
    Ok((full, count))
}

fn frame(given: &str) -> Result<FrameSpec, Error> {
    let (first, rest) = first_word(given);
    Ok(match (first, rest) {
        ("", _) => FrameSpec::Selected,
        ("function", name) if !name.is_empty() => FrameSpec::Function(name.to_owned()),
        ("level", level) if !level.is_empty() => FrameSpec::Level(level.to_owned()),
        ("function" | "level", _) => return Err(Error::said("Missing argument.")),
        _ => FrameSpec::Level(given.to_owned()),
    })
}

fn thread(given: &str) -> Result<Command, Error> {
    let Some(mut rest) = after(given, "apply", 1) else {
        return Ok(Command::Thread(text(given)));
    };
    let threads = match after(rest, "all", 3) {
        Some(behind) => {
            rest = behind;
            None
        }
        None => {
            let is_number = |c: char| c.is_ascii_digit() || matches!(c, '-' | ' ' | '\t' | ',');
            let end = rest.find(|c| !is_number(c)).unwrap_or(rest.len());
            // A `-` that begins an option does not belong to the numbers.
            let numbers = rest.get(..end).unwrap_or_default();
            let end = if numbers.ends_with('-') { end - 1 } else { end };
            let (numbers, behind) = rest.split_at(end);
            rest = behind.trim();
            Some(Numbers::parse(numbers, "thread", None)?)
        }
    };
    if threads.as_ref().is_some_and(Numbers::is_empty) {
        return Err(Error::said("Please specify a thread ID list"));
    }
    let (mut ascending, mut quiet) = (threads.is_some(), false);
    loop {
        match first_word(rest) {
            ("-ascending", behind) => (ascending, rest) = (true, behind),
            ("-q", behind) => (quiet, rest) = (true, behind),
            ("-c" | "-s" | "--", behind) => rest = behind,
            _ => break,
        }
    }
    match text(rest) {
        Some(command) => Ok(Command::ThreadApply { threads, ascending, quiet, command }),
        None => Err(Error::said("Please specify a command to apply on all threads")),
    }
}

fn formatted(given: &str, command: &str) -> Result<(Letters, Option<String>), Error> {
    let given = given.strip_prefix("-- ").unwrap_or(given);
    let (letters, expression) = split_letters(given);
    Ok((Letters::parse(letters, command)?, text(expression)))
}

/// Parses `ptype/mt struct s`: flags that leave out member functions and typedefs, or take them in again.
fn listed(given: &str) -> Result<(Contents, Option<String>), Error> {
    let (letters, rest) = split_letters(given);
    match letters.chars().find(|letter| !"rmMtTofdx".contains(*letter)) {
        _ if letters.contains('o') && letters.contains('x') => {
            Err(Error::said("Offsets are shown in decimal only: \"ptype/o\"."))
        }
        Some(other) => Err(Error::said(format!("unrecognized flag '{other}'"))),
        None => {
            // Whoever wants offsets gets data only.
            let is_listed = |without, with| {
                let last = letters.chars().rev().find(|letter| [without, with, 'o'].contains(letter));
                last != Some(without) && last != Some('o')
            };
            let (methods, typedefs) = (is_listed('m', 'M'), is_listed('t', 'T'));
            Ok((Contents { methods, typedefs, offsets: letters.contains('o') }, text(rest)))
        }
    }
}

/// Iterates over where the commas are that are in no brackets or quotes.
pub(super) fn commas(given: &str) -> impl Iterator<Item = usize> + '_ {
    let (mut depth, mut quote) = (0i32, None);
    given.char_indices().filter_map(move |(at, c)| {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth <= 0 => return Some(at),
            _ => {}
        }
        None
    })
}

/// Separates at the first of the [`commas`].
fn split_comma(given: &str) -> Option<(&str, &str)> {
    let at = commas(given).next()?;
    Some((given.get(..at)?.trim(), given.get(at + 1..)?.trim()))
}

fn list(given: &str) -> ListSpec {
    match (given, split_comma(given)) {
        ("" | "+", _) => ListSpec::More,
        ("-", _) => ListSpec::Back,
        (_, Some(("", last))) => ListSpec::UpTo(last.to_owned()),
        (_, Some((first, ""))) => ListSpec::From(first.to_owned()),
        (_, Some((first, last))) => ListSpec::Between(first.to_owned(), last.to_owned()),
        (_, None) => ListSpec::Around(given.to_owned()),
    }
}

fn disassemble(given: &str) -> Result<Command, Error> {
    let mut modes = Modes::default();
    let mut rest = given;
    while rest.starts_with('/') {
        let (letters, behind) = split_letters(rest);
        for letter in letters.chars() {
            match letter {
                'r' | 'b' => modes.raw = true,
                's' => modes.source = true,
                'm' => modes.by_line = true,
                _ => return Err(Error::said("Invalid disassembly modifier.")),
            }
        }
        if letters.is_empty() {
            return Err(Error::said("Missing modifier."));
        }
        rest = behind.trim_start();
    }
    if modes.source && modes.by_line {
        return Err(Error::said("Cannot specify both /m and /s."));
    }
    let at = match (rest, split_comma(rest)) {
        ("", _) => CodeSpec::Here,
        (_, Some((start, end))) => match end.strip_prefix('+') {
            Some(length) => CodeSpec::Bytes(start.to_owned(), length.trim().to_owned()),
            None => CodeSpec::Between(start.to_owned(), end.to_owned()),
        },
        (_, None) => CodeSpec::Around(rest.to_owned()),
    };
    Ok(Command::Disassemble { modes, at })
}

fn setting(given: &str) -> Result<Setting, Error> {
    if given.is_empty() {
        return Err(Error::said("Argument required: `set $NAME = EXPRESSION`, or a setting and its value."));
    }
    let assignment = after(given, "variable", 3).unwrap_or(given);
    let explicit = assignment.len() != given.len();
    if let Some(convenience) = assignment.strip_prefix('$') {
        let end = convenience.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(convenience.len());
        let (name, rest) = convenience.split_at(end);
        match rest.trim_start().strip_prefix('=').filter(|rest| !rest.starts_with('=')) {
            Some(expression) if !expression.trim().is_empty() && !name.is_empty() => {
                return Ok(Setting::Convenience(name.to_owned(), expression.trim().to_owned()));
            }
            _ => return Err(Error::said("A convenience variable is set with `set $NAME = EXPRESSION`.")),
        }
    }
    let (name, value) = first_word(given);
    let assigns = |text: &str| {
        let equals = text.find('=').filter(|at| *at > 0);
        equals.is_some_and(|at| !text.get(at + 1..).unwrap_or_default().starts_with('='))
    };
    if explicit || assigns(name) || (assigns(given) && value.starts_with('=')) || given.starts_with(['*', '{', '(']) {
        return Ok(Setting::Program(assignment.to_owned()));
    }
    Ok(Setting::Named(name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests;
