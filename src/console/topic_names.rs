//! The subcommands of `info`: their abbreviations, and what to say about those that do not exist here.

use super::absent::ABSENT_TOPICS;
use super::command_names::{Word, look_up, unknown, word};
use super::error::Error;

/// What `info` may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    Address,
    AllRegisters,
    Args,
    Auxv,
    Breakpoints,
    Checkpoints,
    Display,
    Float,
    Frame,
    Functions,
    Inferiors,
    Line,
    Locals,
    Macro,
    Proc,
    Program,
    Recording,
    Registers,
    Scope,
    Sharedlibrary,
    Signals,
    Skip,
    Source,
    Stack,
    Symbol,
    Threads,
    Types,
    Variables,
    Vector,
    Vtbl,
    Watchpoints,
}

/// The subcommands of `info`, by name.
pub(super) const TOPICS: &[Word<Topic>] = &[
    word("address", &["addr"], Topic::Address, "NAME -- Where a symbol is."),
    word("all-registers", &[], Topic::AllRegisters, "[NAME…] -- Registers, those of floating point and vectors, too."),
    word("args", &[], Topic::Args, "The arguments of the selected frame."),
    word("auxv", &[], Topic::Auxv, "The auxiliary vector: values that the kernel passed to the program."),
    word("breakpoints", &["b", "br"], Topic::Breakpoints, "[N…] -- Breakpoints and watchpoints with their hits."),
    word("checkpoints", &[], Topic::Checkpoints, "The checkpoints."),
    word("display", &[], Topic::Display, "What is displayed at each stop."),
    word("float", &[], Topic::Float, "The registers of floating point."),
    word("frame", &["f"], Topic::Frame, "[N] -- Where a frame is on the stack."),
    word("functions", &["fu", "fun"], Topic::Functions, "[REGEX] -- Functions with their declarations."),
    word("inferiors", &[], Topic::Inferiors, "The process that is replayed."),
    word("line", &[], Topic::Line, "[LOCATION] -- The code of a line."),
    word("locals", &["lo"], Topic::Locals, "The local variables of the selected frame."),
    word("macro", &[], Topic::Macro, "[-a] NAME -- The definition of a macro; with -a, all in the unit."),
    word("proc", &[], Topic::Proc, "[mappings|cmdline|exe|cwd|all] -- The process and its mappings."),
    word("program", &[], Topic::Program, "Where execution is."),
    word("recording", &[], Topic::Recording, "Where the recording is."),
    word("registers", &["r"], Topic::Registers, "[NAME…] -- Registers of the selected frame."),
    word("scope", &["sc"], Topic::Scope, "LOCATION -- The variables that are visible there."),
    word("sharedlibrary", &["dll"], Topic::Sharedlibrary, "The shared libraries that are loaded."),
    word("signals", &["handle"], Topic::Signals, "[SIGNAL] -- What happens at signals."),
    word("skip", &[], Topic::Skip, "The functions that are stepped over."),
    word("source", &[], Topic::Source, "The source file of the selected frame."),
    word("stack", &["s"], Topic::Stack, "[full] [COUNT] -- As backtrace."),
    word("symbol", &[], Topic::Symbol, "ADDRESS -- The symbol at an address."),
    word("threads", &["th"], Topic::Threads, "[N…] -- The threads with their innermost frames."),
    word("types", &["ty"], Topic::Types, "[REGEX] -- Types of the program."),
    word("variables", &["va", "var"], Topic::Variables, "[REGEX] -- Variables of the program that are not local."),
    word("vector", &[], Topic::Vector, "The vector registers."),
    word(
        "vtbl",
        &[],
        Topic::Vtbl,
        "EXPRESSION -- The virtual functions of a C++ object, or of one that is pointed to.",
    ),
    word("watchpoints", &["wat"], Topic::Watchpoints, "[N…] -- The watchpoints."),
];

/// Looks up what `info WORD` means.
pub(super) fn topic(word: &str) -> Result<Topic, Error> {
    look_up(TOPICS, word).map(|found| found.means).map_err(|candidates| {
        unknown(word, candidates, TOPICS.iter().map(|w| w.name), ABSENT_TOPICS, "info ", "help info")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations() {
        for (word, expected) in [
            ("b", Topic::Breakpoints),
            ("brea", Topic::Breakpoints),
            ("lo", Topic::Locals),
            ("loc", Topic::Locals),
            ("ar", Topic::Args),
            ("r", Topic::Registers),
            ("s", Topic::Stack),
            ("sh", Topic::Sharedlibrary),
            ("th", Topic::Threads),
            ("checkpoint", Topic::Checkpoints),
            ("sym", Topic::Symbol),
        ] {
            assert_eq!(topic(word).map_err(|e| e.to_string()), Ok(expected), "{word}");
        }
    }

    #[test]
    fn what_is_not_here_is_named() {
        assert_eq!(topic("nosuch").unwrap_err().to_string(), "Undefined info command: \"nosuch\".  Try \"help info\".");
        assert!(topic("files").unwrap_err().to_string().starts_with("\"info files\" does not exist here"));
    }
}
