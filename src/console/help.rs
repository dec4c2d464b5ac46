//! `help`.

use super::command_names::{COMMANDS, Word, look_up};
use super::error::Error;
use super::examples::example;
use super::topic_names::TOPICS;

fn entry<V>(word: &Word<V>) -> String {
    let names: Vec<&str> = std::iter::once(word.name).chain(word.aliases.iter().copied()).collect();
    match word.help.split_once("-- ") {
        Some((arguments, what)) => format!("{} {}-- {what}\n", names.join(", "), arguments),
        None => format!("{} -- {}\n", names.join(", "), word.help),
    }
}

/// Returns the help about everything, about one command, or about what `info` tells.
pub(super) fn help(about: Option<&str>) -> Result<String, Error> {
    let Some(about) = about else {
        return Ok(COMMANDS.iter().map(entry).collect());
    };
    let (first, rest) = about.split_once(' ').unwrap_or((about, ""));
    let word = look_up(COMMANDS, first).map_err(|_| match super::command_names::command(first) {
        Err(error) => error,
        Ok(_) => Error::said(format!("No help on \"{first}\".")),
    })?;
    let example = example(word.name).map(|line| format!("Example: {line}\n")).unwrap_or_default();
    if word.name != "info" {
        return Ok(entry(word) + &example);
    }
    match rest.trim() {
        "" => Ok(entry(word)
            + &example
            + &TOPICS.iter().map(|topic| format!("info {}", entry(topic))).collect::<String>()),
        topic => match look_up(TOPICS, topic) {
            Ok(found) => Ok(format!("info {}", entry(found))),
            Err(_) => Err(match super::topic_names::topic(topic) {
                Err(error) => error,
                Ok(_) => Error::said(format!("No help on \"info {topic}\".")),
            }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_has_help() {
        let all = help(None).unwrap();
        assert_eq!(all.lines().count(), COMMANDS.len());
        assert!(all.contains("reverse-continue, rc [N] -- Run backward to the previous stop.\n"), "{all}");
        assert_eq!(
            help(Some("rs")).unwrap(),
            "reverse-step, rs [N] -- Step back by lines, into calls.\nExample: reverse-step\n"
        );
        assert_eq!(help(Some("info lo")).unwrap(), "info locals, lo -- The local variables of the selected frame.\n");
        assert!(help(Some("nosuch")).unwrap_err().to_string().starts_with("Undefined command"));
    }
}
