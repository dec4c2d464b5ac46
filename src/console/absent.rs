//! What GDB has and this does not: what to do instead.

use super::error::Elsewhere;

/// What to say of a command of GDB's that does not exist here.
#[derive(Clone, Copy)]
pub(super) enum Instead {
    /// What to do instead.
    Do(&'static str),
    /// What the program around the console has for it.
    Other(Elsewhere),
}

use Instead::{Do, Other};

const TRACEPOINTS: &str =
    "`dprintf LOCATION,\"FORMAT\",EXPR` prints without stopping; and a recording can be replayed as often as needed";
const TUI: &str = "there is no TUI; use `list` and `disassemble /s`";
const FOUND: &str = "the program's files are found by themselves";

/// Commands of GDB's that change what a recording cannot change, or need what is not here; and what to do instead.
pub(super) const ABSENT: &[(&str, Instead)] = &[
    ("actions", Do(TRACEPOINTS)),
    ("add-inferior", Do("one process of the recording is debugged in a session")),
    ("add-symbol-file", Do(FOUND)),
    ("append", Other(Elsewhere::Memory)),
    ("apropos", Do("`help` lists the commands")),
    ("attach", Do("a recording is replayed here, not a live process")),
    ("collect", Do(TRACEPOINTS)),
    ("compile", Do("`call f(x)` calls functions of the program, in a copy")),
    ("core-file", Do("a recording is replayed here; it can do what a core file can")),
    ("detach", Other(Elsewhere::Leaving)),
    ("dump", Other(Elsewhere::Memory)),
    ("explore", Do("`print` and `ptype` show its members")),
    ("file", Do(FOUND)),
    ("focus", Do(TUI)),
    ("forward-search", Other(Elsewhere::SourceSearch)),
    ("ftrace", Do(TRACEPOINTS)),
    ("gcore", Do("the recording has everything that a core file would have")),
    ("generate-core-file", Do("the recording has everything that a core file would have")),
    ("interrupt", Do("Ctrl-C stops what runs")),
    ("jump", Do("a recording cannot change: execution goes where it went")),
    ("kill", Other(Elsewhere::Leaving)),
    ("layout", Do(TUI)),
    ("load", Do("a recording cannot change")),
    ("maintenance", Do("it shows what is inside of GDB")),
    ("monitor", Do("rr is driven by this program alone")),
    ("overlay", Do("there are none on this target")),
    ("passcount", Do(TRACEPOINTS)),
    ("pipe", Do("`set logging on` copies what is printed to a file")),
    ("python", Other(Elsewhere::Script)),
    ("python-interactive", Other(Elsewhere::Script)),
    ("record", Other(Elsewhere::Recording)),
    ("refresh", Do(TUI)),
    ("remove-inferiors", Do("one process of the recording is debugged in a session")),
    ("restore", Do("a recording cannot change")),
    ("return", Do("a recording cannot change; `finish` runs to the return, `reverse-finish` to the call")),
    ("reverse-search", Other(Elsewhere::SourceSearch)),
    ("search", Other(Elsewhere::SourceSearch)),
    ("signal", Do("a recording cannot change: signals arrive when they arrived")),
    ("strace", Do(TRACEPOINTS)),
    ("symbol-file", Do(FOUND)),
    ("target", Do("the replay is connected already")),
    ("tdump", Do(TRACEPOINTS)),
    ("tfind", Do(TRACEPOINTS)),
    ("trace", Do(TRACEPOINTS)),
    ("tsave", Do(TRACEPOINTS)),
    ("tstart", Do(TRACEPOINTS)),
    ("tstatus", Do(TRACEPOINTS)),
    ("tstop", Do(TRACEPOINTS)),
    ("tui", Do(TUI)),
    ("winheight", Do(TUI)),
];

/// Subcommands of GDB's `info` that do not exist here.
pub(super) const ABSENT_TOPICS: &[(&str, Instead)] = &[
    ("all", Do("give a name")),
    ("auto-load", Do("nothing is loaded by itself")),
    ("exceptions", Do("`catch throw` and `catch catch` stop at them")),
    ("extensions", Do("a file's language is what its debug info says: `info source`")),
    ("files", Do("use `info sharedlibrary` for the loaded modules")),
    ("macros", Do("give its name: `info macro NAME`")),
    ("modules", Do("`info sharedlibrary` lists the loaded modules")),
    ("os", Do("a recording has one program; `info threads` and `info proc mappings` show it")),
    ("probes", Do("`break FUNCTION` and `catch` stop where they would")),
    ("selectors", Do("`info functions REGEX` lists functions")),
    ("sources", Do("`list FILE:LINE` finds files by their last components")),
    ("tasks", Do("`info threads` lists threads")),
    ("target", Do("use `info sharedlibrary` for the loaded modules")),
    ("tracepoints", Do(TRACEPOINTS)),
    ("tvariables", Do(TRACEPOINTS)),
    ("win", Do(TUI)),
];

/// What GDB has settings for that no recording can have changed.
pub(super) const ABSENT_SETTINGS: &[(&str, &str)] = &[
    ("args", "the program has run already; `show args` prints what it was started with"),
    ("cwd", "the program has run already"),
    ("detach-on-fork", "each process of a recording is debugged in a session of its own"),
    ("disable-randomization", "addresses are those of the recording"),
    ("environment", "the program has run already"),
    ("exec-wrapper", "the program has run already"),
    ("follow-exec-mode", "the session stays with its process"),
    ("follow-fork-mode", "each process of a recording is debugged in a session of its own"),
    ("language", "a name is read in the language of the frame"),
    ("non-stop", "all threads stop together: a recording has one order of things"),
    ("schedule-multiple", "one process of the recording is debugged in a session"),
    ("step-mode", "`stepi` steps into functions without lines"),
    ("stop-on-solib-events", "`break FUNCTION` waits for libraries that are loaded later"),
    ("unwind-on-signal", "a function that is called runs in a copy of the program, which is thrown away"),
];
