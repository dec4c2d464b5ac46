//! The names of commands: abbreviations as GDB has them, and what to say about those that do not exist here.

use super::absent::{ABSENT, Instead};
use super::error::Error;
use super::inquiry::Inquiry;

/// What a first word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Verb {
    Advance,
    Alias,
    Awatch,
    Back,
    Backtrace,
    Break,
    Call,
    Catch,
    Cd,
    Checkpoint,
    Clear,
    Commands,
    Complete,
    Condition,
    Continue,
    Delete,
    Directory,
    Disable,
    Disassemble,
    Display,
    Dprintf,
    Down,
    Echo,
    Enable,
    Examine,
    Finish,
    Find,
    Frame,
    Handle,
    Forward,
    Hbreak,
    Help,
    Ignore,
    Inferior,
    Info,
    Inquire(Inquiry),
    List,
    Macro,
    Next,
    Nexti,
    Output,
    Print,
    Printf,
    Ptype,
    Pwd,
    Quit,
    Rbreak,
    Goto,
    SeekTicks,
    Restart,
    ReverseContinue,
    ReverseFinish,
    ReverseNext,
    ReverseNexti,
    ReverseStep,
    ReverseStepi,
    Run,
    Rwatch,
    Save,
    Set,
    Show,
    Shell,
    Skip,
    Source,
    Start,
    Starti,
    Step,
    Stepi,
    Tbreak,
    Tcatch,
    Thbreak,
    Thread,
    Undisplay,
    Unset,
    Until,
    Up,
    Watch,
    Whatis,
    When,
    WhenAbsolute,
    WhenElapsed,
    WhenEnd,
    WhenPosition,
    WhenThread,
    WhenTicks,
}

/// A name and what it means.
pub(super) struct Word<V: 'static> {
    pub(super) name: &'static str,
    /// Other names, and abbreviations that would not be unique.
    pub(super) aliases: &'static [&'static str],
    pub(super) means: V,
    /// Arguments, and in a few words what it does.
    pub(super) help: &'static str,
}

pub(super) const fn word<V>(
    name: &'static str,
    aliases: &'static [&'static str],
    means: V,
    help: &'static str,
) -> Word<V> {
    Word { name, aliases, means, help }
}

/// All commands, by name.
pub(super) const COMMANDS: &[Word<Verb>] = &[
    word("advance", &[], Verb::Advance, "LOCATION -- Run forward to a location, or until the selected frame returns."),
    word(
        "absolute-time",
        &[],
        Verb::WhenAbsolute,
        "The moment by the clock of the machine that recorded it, in seconds.",
    ),
    word(
        "alias",
        &[],
        Verb::Alias,
        "[NAME = COMMAND] -- Another name for a command, perhaps with its first arguments.",
    ),
    word(
        "awatch",
        &[],
        Verb::Awatch,
        "[-location] EXPRESSION [if CONDITION] -- Stop where a value is read or written.",
    ),
    word("back", &[], Verb::Back, "Go back to the stop before, in the order in which they were visited."),
    word(
        "backtrace",
        &["bt", "where"],
        Verb::Backtrace,
        "[full] [COUNT] -- The call stack; the outermost frames if COUNT is negative.",
    ),
    word(
        "break",
        &["b", "br", "bre", "brea"],
        Verb::Break,
        "[LOCATION] [if CONDITION] -- Set a breakpoint: a function, FILE:LINE, LINE or *ADDRESS.",
    ),
    word(
        "call",
        &[],
        Verb::Call,
        "[/FMT] EXPRESSION -- As print, but silent about void; functions run in a copy of the program.",
    ),
    word(
        "catch",
        &[],
        Verb::Catch,
        "signal [NAME…] | syscall NAME… | exec | fork | throw [REGEX] | catch [REGEX] | panic -- Stop when it happens.",
    ),
    word("cd", &[], Verb::Cd, "[DIRECTORY] -- Have files of commands, logs and the shell begin in a directory."),
    word("checkpoint", &[], Verb::Checkpoint, "Remember this moment; restart goes back to it."),
    word("clear", &["cl"], Verb::Clear, "[LOCATION] -- Delete the breakpoints there."),
    word("commands", &[], Verb::Commands, "[N] -- Have lines, up to `end`, carried out whenever breakpoint N stops."),
    word("complete", &[], Verb::Complete, "TEXT -- List the completions of a line."),
    word(
        "condition",
        &["cond"],
        Verb::Condition,
        "N [CONDITION] -- Have breakpoint N stop only where CONDITION is true.",
    ),
    word(
        "continue",
        &["c", "fg"],
        Verb::Continue,
        "[N] -- Run forward to the next stop; pass this breakpoint by N-1 times.",
    ),
    word(
        "delete",
        &["d", "del", "dele", "delet"],
        Verb::Delete,
        "[N…] -- Delete breakpoints; delete checkpoint N; delete display N.",
    ),
    word(
        "directory",
        &["dir"],
        Verb::Directory,
        "[DIRECTORY…] -- Look there for sources that are not where they were.",
    ),
    word("disable", &["dis", "disa"], Verb::Disable, "[N…] -- Disable breakpoints; disable display N."),
    word(
        "disassemble",
        &["disas"],
        Verb::Disassemble,
        "[/r|/s|/m] [ADDRESS | START,END | START,+LENGTH] -- Code as assembler.",
    ),
    word("display", &[], Verb::Display, "[/FMT] [EXPRESSION] -- Print an expression at each stop."),
    word(
        "dprintf",
        &[],
        Verb::Dprintf,
        "LOCATION, \"FORMAT\", ARGUMENTS… -- Print at each execution of a location, without stopping.",
    ),
    word("down", &["dow"], Verb::Down, "[N] -- Select a frame further in."),
    word("echo", &[], Verb::Echo, "TEXT -- Print text, with C escapes."),
    word("elapsed-time", &[], Verb::WhenElapsed, "The moment in seconds since the recording began."),
    word("enable", &["en"], Verb::Enable, "[N…] -- Enable breakpoints; enable display N."),
    word("x", &[], Verb::Examine, "[/COUNT FORMAT SIZE] [ADDRESS] -- Memory: x/8xb &v, x/s p, x/5i $pc."),
    word("find", &[], Verb::Find, "[/SIZE /COUNT] START, +LENGTH|END, VALUE… -- Search memory; $numfound and $_ tell."),
    word("finish", &["fin"], Verb::Finish, "Run until the selected frame returns, and print its result."),
    word("forward", &[], Verb::Forward, "Go to the stop that back has left."),
    word(
        "frame",
        &["f"],
        Verb::Frame,
        "[N | function NAME | apply all|N|level N… COMMAND] -- Select a frame and print it.",
    ),
    word("goto", &[], Verb::Goto, "POSITION | EVENT | start | end -- Go to a moment, to the instruction."),
    word("handle", &[], Verb::Handle, "SIGNAL stop|nostop|print|noprint… -- Say what happens at a signal."),
    word(
        "heap",
        &[],
        Verb::Inquire(Inquiry::Heap),
        "POINTER -- The heap block of a pointer: who allocated it, who freed it. Takes up to three replays.",
    ),
    word("hbreak", &[], Verb::Hbreak, "[LOCATION] [if CONDITION] -- As break."),
    word("help", &["h", "he", "hel"], Verb::Help, "[COMMAND] -- What there is."),
    word("ignore", &[], Verb::Ignore, "N COUNT -- Pass breakpoint N by COUNT times."),
    word("inferior", &[], Verb::Inferior, "The process that is replayed, and its program."),
    word(
        "info",
        &["i", "inf"],
        Verb::Info,
        "WHAT -- locals, args, breakpoints, threads, registers, line … (see `help info`).",
    ),
    word("list", &["l"], Verb::List, "[LINE | FUNCTION | FIRST,LAST | -] -- Source lines."),
    word("macro", &[], Verb::Macro, "expand EXPRESSION -- An expression with its macros expanded."),
    word("next", &["n"], Verb::Next, "[N] -- Step by lines, over calls."),
    word("nexti", &["ni"], Verb::Nexti, "[N] -- Step by instructions, over calls."),
    word(
        "origin",
        &[],
        Verb::Inquire(Inquiry::Origin),
        "EXPRESSION -- Where a value comes from, back through copies, arguments and results. Takes replays.",
    ),
    word("output", &["o", "ou", "out"], Verb::Output, "[/FMT] EXPRESSION -- As print, without number and newline."),
    word(
        "print",
        &["p", "inspect"],
        Verb::Print,
        "[-pretty|-object [on|off]] [-elements N] [--] [/FMT] [EXPRESSION] -- The value of a C expression, in the value history as $N.",
    ),
    word("printf", &[], Verb::Printf, "\"FORMAT\", ARGUMENTS… -- Print values as C's printf does."),
    word(
        "ptype",
        &[],
        Verb::Ptype,
        "[/o|/m|/t|/r] [EXPRESSION | TYPE] -- A type with its members; /r: names of templates in full.",
    ),
    word("pwd", &[], Verb::Pwd, "The directory that file names begin in."),
    word("quit", &["q", "exit"], Verb::Quit, "Leave."),
    word(
        "races",
        &[],
        Verb::Inquire(Inquiry::Races),
        "EXPRESSION -- Accesses to a variable by different threads without a common lock. Takes a replay.",
    ),
    word("rbreak", &["rb"], Verb::Rbreak, "REGEX -- Set a breakpoint on each function whose name matches."),
    word("seek-ticks", &[], Verb::SeekTicks, "N -- Go to where the current thread comes by tick N first."),
    word("restart", &[], Verb::Restart, "N -- Go to checkpoint N."),
    word("reverse-continue", &["rc"], Verb::ReverseContinue, "[N] -- Run backward to the previous stop."),
    word("reverse-finish", &[], Verb::ReverseFinish, "Run back to the call of the selected frame's function."),
    word("reverse-next", &["rn"], Verb::ReverseNext, "[N] -- Step back by lines, over calls."),
    word("reverse-nexti", &["rni"], Verb::ReverseNexti, "[N] -- Step back by instructions, over calls."),
    word("reverse-step", &["rs"], Verb::ReverseStep, "[N] -- Step back by lines, into calls."),
    word("reverse-stepi", &["rsi"], Verb::ReverseStepi, "[N] -- Step back by instructions."),
    word("run", &["r"], Verb::Run, "[EVENT] -- Go to where the session began, or to an event of the recording."),
    word("rwatch", &[], Verb::Rwatch, "[-location] EXPRESSION [if CONDITION] -- Stop where a value is read."),
    word(
        "save",
        &[],
        Verb::Save,
        "breakpoints FILE -- Write lines to a file that set the breakpoints again; source reads them.",
    ),
    word(
        "set",
        &[],
        Verb::Set,
        "$NAME = EXPRESSION, or a setting: listsize, print pretty, print elements, logging … (see `complete set `).",
    ),
    word("shell", &[], Verb::Shell, "[COMMAND] -- Have a shell carry out a command; also !COMMAND."),
    word("show", &[], Verb::Show, "NAME -- A setting."),
    word(
        "skip",
        &[],
        Verb::Skip,
        "[function NAME | file FILE | -gfi GLOB | -rfu REGEX] -- Step over these functions; skip delete|enable|disable [N…].",
    ),
    word("source", &[], Verb::Source, "FILE -- Carry out the commands of a file."),
    word("start", &["sta", "star"], Verb::Start, "Go to the beginning of main."),
    word("starti", &[], Verb::Starti, "Go to the first instruction of the process."),
    word("step", &["s"], Verb::Step, "[N] -- Step by lines, into calls."),
    word("stepi", &["si"], Verb::Stepi, "[N] -- Step by instructions."),
    word(
        "tbreak",
        &["tb", "tbr"],
        Verb::Tbreak,
        "[LOCATION] [if CONDITION] -- Set a breakpoint that is deleted at its first stop.",
    ),
    word("tcatch", &[], Verb::Tcatch, "EVENT… -- As catch, once."),
    word("thbreak", &["thb"], Verb::Thbreak, "[LOCATION] [if CONDITION] -- As tbreak."),
    word("thread", &["t"], Verb::Thread, "[N] -- Select a thread; thread apply all|N… COMMAND."),
    word("undisplay", &[], Verb::Undisplay, "[N…] -- Cancel displays."),
    word("unset", &[], Verb::Unset, "substitute-path [FROM] -- Undo set substitute-path."),
    word("until", &["u"], Verb::Until, "[LOCATION] -- As next, but out of loops; with a location, as advance."),
    word("up", &[], Verb::Up, "[N] -- Select a frame further out."),
    word("watch", &[], Verb::Watch, "[-location] EXPRESSION [if CONDITION] -- Stop where a value changes."),
    word("whatis", &[], Verb::Whatis, "[EXPRESSION | TYPE] -- The name of a type."),
    word("when", &[], Verb::When, "The event of the recording that was completed last."),
    word("when-end", &[], Verb::WhenEnd, "The last event of the recording."),
    word("when-position", &[], Verb::WhenPosition, "The moment by a name that goto takes, in each session."),
    word("when-tid", &[], Verb::WhenThread, "The thread id of the moment."),
    word("when-ticks", &[], Verb::WhenTicks, "The tick of the moment."),
    word(
        "why",
        &[],
        Verb::Inquire(Inquiry::Why),
        "LOCATION -- Why code ran, or why it never did: the branch that decided, and its values. Takes replays.",
    ),
];

/// Looks up the command that a word means.
pub(super) fn command(word: &str) -> Result<Verb, Error> {
    look_up(COMMANDS, word)
        .map(|found| found.means)
        .map_err(|candidates| unknown(word, candidates, COMMANDS.iter().map(|w| w.name), ABSENT, "", "help"))
}

/// Looks up the entry that a word means: by name, by alias, or as the beginning of one name only. Otherwise the names
/// that it may mean.
pub(super) fn look_up<'t, V>(table: &'t [Word<V>], given: &str) -> Result<&'t Word<V>, Vec<&'static str>> {
    let exact = |w: &&Word<V>| w.name == given || w.aliases.contains(&given);
    if let Some(found) = table.iter().find(exact) {
        return Ok(found);
    }
    let mut begun = table.iter().filter(|w| !given.is_empty() && w.name.starts_with(given));
    match (begun.next(), begun.next()) {
        (Some(only), None) => Ok(only),
        (first, second) => Err(first.into_iter().chain(second).chain(begun).map(|w| w.name).collect()),
    }
}

/// Returns whether a word is a command, or another name of one.
pub(super) fn is_command(word: &str) -> bool {
    COMMANDS.iter().any(|command| command.name == word || command.aliases.contains(&word))
}

/// Returns what to say of a word that means nothing in a table, or several things.
pub(super) fn unknown(
    word: &str,
    candidates: Vec<&'static str>,
    names: impl Iterator<Item = &'static str>,
    absent: &[(&str, Instead)],
    prefix: &str,
    help: &str,
) -> Error {
    if !candidates.is_empty() {
        return Error::said(format!("Ambiguous {prefix}command \"{word}\": {}.", candidates.join(", ")));
    }
    let mut begun = absent.iter().filter(|(name, _)| name.starts_with(word) && word.len() >= 2);
    if let Some((name, instead)) = absent.iter().find(|(name, _)| *name == word).or_else(|| begun.next()) {
        let command = format!("{prefix}{name}");
        return match instead {
            Instead::Do(instead) => Error::said(format!("\"{command}\" does not exist here: {instead}.")),
            Instead::Other(elsewhere) => Error::Absent { command, elsewhere: *elsewhere },
        };
    }
    let mut words = format!("Undefined {prefix}command: \"{word}\".  Try \"{help}\".");
    let nearest = names.map(|name| (distance(word, name), name)).min();
    // Of a short word, two letters are most.
    if let Some((distance @ 0..=2, name)) = nearest
        && 2 * distance < word.len()
    {
        words.push_str(&format!("  Nearest: \"{prefix}{name}\"."));
    }
    Error::said(words)
}

/// Counts the letters to insert, remove or exchange to make one word of the other (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    /// Nobody mistypes longer words.
    const LONGEST: usize = 40;
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(LONGEST).collect(), b.chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let exchanged = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations() {
        for (word, verb) in [
            ("b", Verb::Break),
            ("br", Verb::Break),
            ("break", Verb::Break),
            ("tb", Verb::Tbreak),
            ("c", Verb::Continue),
            ("cont", Verb::Continue),
            ("check", Verb::Checkpoint),
            ("cond", Verb::Condition),
            ("d", Verb::Delete),
            ("dis", Verb::Disable),
            ("disas", Verb::Disassemble),
            ("disp", Verb::Display),
            ("f", Verb::Frame),
            ("fin", Verb::Finish),
            ("i", Verb::Info),
            ("l", Verb::List),
            ("n", Verb::Next),
            ("ni", Verb::Nexti),
            ("p", Verb::Print),
            ("q", Verb::Quit),
            ("r", Verb::Run),
            ("rc", Verb::ReverseContinue),
            ("reverse-cont", Verb::ReverseContinue),
            ("rn", Verb::ReverseNext),
            ("rs", Verb::ReverseStep),
            ("rsi", Verb::ReverseStepi),
            ("rni", Verb::ReverseNexti),
            ("s", Verb::Step),
            ("si", Verb::Stepi),
            ("t", Verb::Thread),
            ("u", Verb::Until),
            ("unt", Verb::Until),
            ("wat", Verb::Watch),
            ("when", Verb::When),
            ("where", Verb::Backtrace),
            ("x", Verb::Examine),
            ("bt", Verb::Backtrace),
        ] {
            assert_eq!(command(word).map_err(|e| e.to_string()), Ok(verb), "{word}");
        }
    }

    #[test]
    fn what_is_not_here_is_told() {
        for (word, said) in [
            ("foo", "Undefined command: \"foo\".  Try \"help\"."),
            ("brake", "Undefined command: \"brake\".  Try \"help\".  Nearest: \"break\"."),
            ("jump", "\"jump\" does not exist here: a recording cannot change: execution goes where it went."),
            ("pyth", "\"python\" does not exist here"),
            (
                "re",
                "Ambiguous command \"re\": restart, reverse-continue, reverse-finish, reverse-next, reverse-nexti, reverse-step, reverse-stepi.",
            ),
            ("wh", "Ambiguous command \"wh\": whatis, when, when-end, when-position, when-tid, when-ticks, why."),
        ] {
            assert_eq!(command(word).unwrap_err().to_string(), said);
        }
        for (word, instead) in
            [("trace", "`dprintf"), ("tstart", "`dprintf"), ("maintenance", "inside"), ("file", "by themselves")]
        {
            let said = command(word).unwrap_err().to_string();
            assert!(said.starts_with(&format!("\"{word}\" does not exist here: ")) && said.contains(instead), "{said}");
        }
    }

    #[test]
    fn every_alias_means_one_command() {
        let mut known = std::collections::BTreeSet::new();
        for word in COMMANDS {
            for name in word.aliases.iter().chain([&word.name]) {
                assert!(known.insert(*name), "{name} means two commands");
            }
        }
        for (name, _) in ABSENT {
            assert!(!known.contains(name), "{name} is absent and present");
        }
    }

    #[test]
    fn distances() {
        assert_eq!(distance("brake", "break"), 2);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
    }
}
