//! An example of each command, for `help`.

/// The commands, each with a line that could be typed.
const EXAMPLES: &[(&str, &str)] = &[
    ("absolute-time", "absolute-time"),
    ("advance", "advance parser.c:120"),
    ("alias", "alias pp = print -pretty on --"),
    ("awatch", "awatch -l queue->head"),
    ("back", "back"),
    ("backtrace", "backtrace full 3"),
    ("break", "break parser.c:120 if count > 10"),
    ("call", "call length(list)"),
    ("catch", "catch throw std::out_of_range"),
    ("cd", "cd ~/scripts"),
    ("checkpoint", "checkpoint"),
    ("clear", "clear parser.c:120"),
    ("commands", "commands 2"),
    ("complete", "complete info sc"),
    ("condition", "condition 2 count > 10"),
    ("continue", "continue 3"),
    ("delete", "delete 2"),
    ("directory", "directory ~/src/project"),
    ("disable", "disable 2"),
    ("disassemble", "disassemble /s main"),
    ("display", "display/x flags"),
    ("down", "down"),
    ("dprintf", "dprintf parser.c:120,\"count is %d\\n\",count"),
    ("echo", "echo done\\n"),
    ("elapsed-time", "elapsed-time"),
    ("enable", "enable 2"),
    ("find", "find &buffer, +4096, 0x2a"),
    ("finish", "finish"),
    ("forward", "forward"),
    ("frame", "frame function main"),
    ("goto", "goto 1520"),
    ("handle", "handle SIGUSR1 nostop noprint"),
    ("hbreak", "hbreak main"),
    ("heap", "heap node->next"),
    ("help", "help x"),
    ("ignore", "ignore 2 10"),
    ("inferior", "inferior"),
    ("info", "info locals"),
    ("list", "list 100,120"),
    ("macro", "macro expand MAX(a, b)"),
    ("next", "next 5"),
    ("nexti", "nexti"),
    ("origin", "origin node->count"),
    ("output", "output/x flags"),
    ("print", "print -pretty on -- *node"),
    ("printf", "printf \"%s has %d\\n\", name, count"),
    ("ptype", "ptype/o struct node"),
    ("pwd", "pwd"),
    ("quit", "quit"),
    ("races", "races total"),
    ("rbreak", "rbreak ^parse_"),
    ("restart", "restart 1"),
    ("reverse-continue", "reverse-continue"),
    ("reverse-finish", "reverse-finish"),
    ("reverse-next", "reverse-next 2"),
    ("reverse-nexti", "reverse-nexti"),
    ("reverse-step", "reverse-step"),
    ("reverse-stepi", "reverse-stepi"),
    ("run", "run 1520"),
    ("rwatch", "rwatch total"),
    ("save", "save breakpoints ~/saved"),
    ("seek-ticks", "seek-ticks 125000"),
    ("set", "set print elements 20"),
    ("shell", "shell ls"),
    ("show", "show args"),
    ("skip", "skip function length"),
    ("source", "source ~/commands"),
    ("start", "start"),
    ("starti", "starti"),
    ("step", "step"),
    ("stepi", "stepi 3"),
    ("tbreak", "tbreak main"),
    ("tcatch", "tcatch fork"),
    ("thbreak", "thbreak main"),
    ("thread", "thread apply all backtrace 1"),
    ("undisplay", "undisplay 1"),
    ("unset", "unset substitute-path /build"),
    ("until", "until"),
    ("up", "up 2"),
    ("watch", "watch -l node->count if node->count < 0"),
    ("whatis", "whatis node->next"),
    ("when", "when"),
    ("when-end", "when-end"),
    ("when-position", "when-position"),
    ("when-ticks", "when-ticks"),
    ("when-tid", "when-tid"),
    ("why", "why node.c:42"),
    ("x", "x/8xb &value"),
];

/// Returns an example of a command.
pub(super) fn example(command: &str) -> Option<&'static str> {
    EXAMPLES.iter().find(|(name, _)| *name == command).map(|(_, line)| *line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::console::command_names::COMMANDS;
    use crate::console::parse::parse;

    #[test]
    fn each_command_has_an_example_that_is_one_of_it() {
        for word in COMMANDS {
            let line = example(word.name).unwrap_or_else(|| panic!("{} has no example", word.name));
            let is_of_it = line.strip_prefix(word.name).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
            assert!(is_of_it, "{line}");
            parse(line, None).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
        assert_eq!(EXAMPLES.len(), COMMANDS.len());
    }
}
