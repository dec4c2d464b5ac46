//! What may follow what was typed: commands, their subcommands, functions, files, variables, members.

use super::alias;
use super::command_names::{COMMANDS, Verb, look_up};
use super::error::Error;
use super::execution::Execution;
use super::inquiry::Inquiry;
use super::settings::SETTINGS;
use super::state::ConversationState;
use super::topic_names::TOPICS;
use engine::Engine;

/// Most completions that are told.
const MOST: usize = 500;

/// What the words of a command are.
enum Kind {
    /// Places in the code.
    Location,
    /// Expressions.
    Expression,
    /// Types or expressions.
    Type,
    /// These words.
    Words(Vec<String>),
    /// Names of files.
    File,
    /// Nothing that could be listed.
    Nothing,
}

/// Returns words of a table.
fn words(all: &[&str]) -> Kind {
    Kind::Words(all.iter().map(|word| (*word).to_owned()).collect())
}

fn kind(verb: Verb, rest: &str) -> Kind {
    match verb {
        Verb::Break | Verb::Tbreak | Verb::Hbreak | Verb::Thbreak => match rest.rfind(" if ") {
            Some(_) => Kind::Expression,
            None => Kind::Location,
        },
        Verb::Advance
        | Verb::Until
        | Verb::List
        | Verb::Clear
        | Verb::Disassemble
        | Verb::Dprintf
        | Verb::Skip
        | Verb::Inquire(Inquiry::Why) => Kind::Location,
        Verb::Print
        | Verb::Call
        | Verb::Output
        | Verb::Display
        | Verb::Examine
        | Verb::Watch
        | Verb::Rwatch
        | Verb::Awatch
        | Verb::Printf
        | Verb::Find
        | Verb::Inquire(_)
        | Verb::Condition => Kind::Expression,
        Verb::Ptype | Verb::Whatis => Kind::Type,
        Verb::Info => match rest.split_once(' ') {
            None => Kind::Words(TOPICS.iter().map(|topic| topic.name.to_owned()).collect()),
            Some(("line" | "scope", _)) => Kind::Location,
            Some(("address" | "symbol" | "vtbl", _)) => Kind::Expression,
            Some(("proc", _)) => words(&["all", "cmdline", "cwd", "exe", "mappings"]),
            Some(_) => Kind::Nothing,
        },
        Verb::Help => Kind::Words(COMMANDS.iter().map(|word| word.name.to_owned()).collect()),
        Verb::Catch | Verb::Tcatch if !rest.contains(' ') => {
            words(&["signal", "syscall", "exec", "fork", "vfork", "throw", "catch", "panic"])
        }
        Verb::Set if rest.starts_with("var") || rest.contains('=') => Kind::Expression,
        Verb::Set | Verb::Show => {
            // Of several words, the one that is typed.
            let before = rest.rfind(' ').map_or("", |at| rest.get(..=at).unwrap_or_default());
            let next = |setting: &&str| setting.strip_prefix(before)?.split(' ').next().map(str::to_owned);
            let mut found: Vec<String> = SETTINGS.iter().filter_map(next).collect();
            found.dedup();
            Kind::Words(found)
        }
        Verb::Delete if !rest.contains(' ') => words(&["breakpoints", "checkpoint", "display"]),
        Verb::Save if !rest.contains(' ') => words(&["breakpoints"]),
        Verb::Source | Verb::Save | Verb::Cd => Kind::File,
        Verb::Alias => Kind::Words(COMMANDS.iter().map(|word| word.name.to_owned()).collect()),
        Verb::Thread if !rest.contains(' ') => words(&["apply"]),
        Verb::Frame if !rest.contains(' ') => words(&["apply", "function", "level"]),
        Verb::Handle => match rest.contains(' ') {
            true => words(&["nopass", "noprint", "nostop", "pass", "print", "stop"]),
            false => Kind::Words(engine::named_signals().map(|(name, _)| name.to_owned()).collect()),
        },
        Verb::Macro if !rest.contains(' ') => words(&["expand"]),
        _ => Kind::Nothing,
    }
}

/// Returns what may stand from some place on, as it begins there; the place comes first. `None`: names of files.
pub(super) fn complete(
    state: &ConversationState,
    engine: &mut Engine,
    typed: &str,
) -> Result<Option<(usize, Vec<String>)>, Error> {
    let start = typed.len() - typed.trim_start().len();
    let line = typed.trim_start();
    let (word, rest) = alias::split(line);
    if let Some(command) = state.aliases.get(word).filter(|_| !rest.is_empty()) {
        let whole = format!("{command}{rest}");
        let inner = complete(state, engine, &whole)?;
        // What is completed stands behind the alias.
        return Ok(inner.map(|(at, words)| ((start + word.len() + at).saturating_sub(command.len()), words)));
    }
    if rest.is_empty() {
        let own = state.defined.keys().chain(state.aliases.keys()).map(String::as_str);
        let mut all: Vec<String> = COMMANDS.iter().map(|word| word.name).chain(own).map(str::to_owned).collect();
        all.sort();
        return Ok(Some((start, beginning(all, word))));
    }
    let Ok(found) = look_up(COMMANDS, word) else { return Ok(Some((typed.len(), Vec::new()))) };
    let rest = rest.trim_start();
    let kind = kind(found.means, rest);
    let (at, words) = match kind {
        Kind::File => return Ok(None),
        Kind::Nothing => (rest.len(), Vec::new()),
        Kind::Words(all) => {
            let at = rest.rfind(' ').map_or(0, |at| at + 1);
            (at, beginning(all, rest.get(at..).unwrap_or_default()))
        }
        Kind::Location => location(engine, rest)?,
        Kind::Expression => expression(engine, rest, false)?,
        Kind::Type => expression(engine, rest, true)?,
    };
    Ok(Some((typed.len() - rest.len() + at, words)))
}

impl Execution<'_> {
    /// Lists what a line may go on with, as whole lines.
    pub(super) fn list_completions(&mut self, typed: &str) -> Result<(), Error> {
        let Some((at, words)) = complete(self.state, self.engine, typed)? else {
            return Err(Error::said("Names of files are completed at a prompt only."));
        };
        let before = typed.get(..at).unwrap_or_default().to_owned();
        for word in words {
            self.say(format!("{before}{word}"));
        }
        Ok(())
    }
}

/// Returns the words that begin so, each once.
fn beginning(all: Vec<String>, typed: &str) -> Vec<String> {
    let mut found: Vec<String> = all.into_iter().filter(|word| word.starts_with(typed)).collect();
    found.dedup();
    found.truncate(MOST);
    found
}

fn location(engine: &mut Engine, rest: &str) -> Result<(usize, Vec<String>), Error> {
    if rest.starts_with('*') {
        return expression(engine, rest, false);
    }
    // Behind a file there are its functions; `::` is part of a name.
    let file = rest.rfind(':').filter(|at| {
        let before = rest.get(..*at).unwrap_or_default();
        !before.ends_with(':') && before.contains('.')
    });
    let at = file.map_or(0, |at| at + 1);
    let typed = rest.get(at..).unwrap_or_default();
    let mut found = engine.functions_beginning(typed)?;
    if file.is_none() {
        found.extend(engine.files_beginning(typed)?);
    }
    found.truncate(MOST);
    Ok((at, found))
}

/// Returns where the name begins that is being typed: `::` is part of it.
fn name_at(text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut at = text.len();
    while let Some(before) = text.get(..at) {
        let name = before.trim_end_matches(is_part).len();
        match before.get(..name).and_then(|before| before.strip_suffix("::")) {
            Some(scope) if name < at || at == text.len() => at = scope.len(),
            _ => return name,
        }
    }
    at
}

/// Returns the expression whose member is being typed: what stands before the last `.` or `->`, up to an operator.
fn object_of(before: &str) -> Option<&str> {
    let object = before.strip_suffix("->").or_else(|| before.strip_suffix('.'))?.trim_end();
    let (mut depth, mut at) = (0u32, object.len());
    for (i, c) in object.char_indices().rev() {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' if depth == 0 => break,
            '(' | '[' => depth -= 1,
            _ if depth > 0 => {}
            c if c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':') => {}
            '>' if object.get(..i).is_some_and(|before| before.ends_with('-')) => {}
            '-' if object.get(i + 1..).is_some_and(|behind| behind.starts_with('>')) => {}
            _ => break,
        }
        at = i;
    }
    object.get(at..).filter(|object| !object.is_empty() && !object.starts_with(|c: char| c.is_ascii_digit()))
}

/// Returns whether only the name of a type may follow.
fn names_type(before: &str) -> bool {
    let keyword = before.trim_end();
    let word = keyword.get(name_at(keyword)..).unwrap_or_default();
    keyword.len() < before.len() && ["struct", "union", "enum", "class"].contains(&word)
}

/// Returns whether the name of a type may follow, besides that of a variable.
fn is_type_operand(before: &str) -> bool {
    let operator = before.trim_end().strip_suffix('(').map(str::trim_end).unwrap_or_default();
    ["sizeof", "alignof", "_Alignof"].contains(&operator.get(name_at(operator)..).unwrap_or_default())
}

fn expression(engine: &mut Engine, rest: &str, with_types: bool) -> Result<(usize, Vec<String>), Error> {
    let at = name_at(rest);
    let (before, typed) = (rest.get(..at).unwrap_or_default(), rest.get(at..).unwrap_or_default());
    if let Some(object) = object_of(before) {
        // What has no members has no completions.
        let mut found = engine.members_beginning(object, typed).unwrap_or_default();
        found.truncate(MOST);
        return Ok((at, found));
    }
    if let Some(name) = typed.strip_prefix('$') {
        let registers = engine.registers(None)?.into_iter().map(|register| register.name);
        let pseudo = ["pc", "sp", "fp", "bpnum", "_", "__", "_exception", "_exitcode", "_siginfo"];
        let pseudo = pseudo.map(str::to_owned);
        let mut all: Vec<String> = registers.chain(pseudo).filter(|all| all.starts_with(name)).collect();
        all.sort();
        all.dedup();
        return Ok((at, all.into_iter().map(|name| format!("${name}")).collect()));
    }
    if names_type(before) {
        let mut types = engine.types_beginning(typed)?;
        types.truncate(MOST);
        return Ok((at, types));
    }
    let mut found = engine.variables_beginning(typed)?;
    if with_types || is_type_operand(before) {
        found.extend(engine.types_beginning(typed)?);
    }
    // The names of all functions are too many.
    if !typed.is_empty() {
        let functions = engine.functions_beginning(typed)?;
        found.extend(functions.into_iter().map(|name| name.split('(').next().unwrap_or_default().to_owned()));
    }
    found.truncate(MOST);
    Ok((at, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_behind_operators() {
        for (text, expected) in [
            ("", ""),
            ("count", "count"),
            ("a + cou", "cou"),
            ("ns::cou", "ns::cou"),
            ("a+ns::", "ns::"),
            ("::cou", "::cou"),
            ("p->nex", "nex"),
            ("$ri", "$ri"),
            ("f(a, b", "b"),
        ] {
            assert_eq!(&text[name_at(text)..], expected, "{text}");
        }
    }

    #[test]
    fn types_follow_their_keywords_and_sizeof() {
        for before in ["struct ", "1 + sizeof(union ", "(const enum  "] {
            assert!(names_type(before), "{before}");
        }
        for before in ["", "struct", "my_struct ", "struct s "] {
            assert!(!names_type(before), "{before}");
        }
        assert!(is_type_operand("2 * sizeof (") && is_type_operand("alignof("));
        assert!(!is_type_operand("f(") && !is_type_operand("my_sizeof(") && !is_type_operand("sizeof "));
    }

    #[test]
    fn the_object_of_a_member_is_what_stands_before_it() {
        for (text, expected) in [
            ("p->", Some("p")),
            ("1 + p->next.", Some("p->next")),
            ("a[i + 1].", Some("a[i + 1]")),
            ("*(p + 1)->", Some("(p + 1)")),
            ("f(x, y.", Some("y")),
            ("3.", None),
            ("p", None),
            ("", None),
        ] {
            assert_eq!(object_of(text), expected, "{text}");
        }
    }
}
