//! What a line means.

use super::format_letters::{Letters, UnitLetters};
use super::inquiry::Inquiry;
use super::number_list::Numbers;
use super::print_options::PrintOptions;
use arch::Direction;
use engine::model::{Access, CatchEvent, Contents};

/// A command with its arguments, as far as they can be understood without a program.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    /// An empty line or a comment.
    Nothing,
    /// `break`, `tbreak`, `hbreak`, `thbreak`
    Break { temporary: bool, hardware: bool, at: BreakpointArguments },
    /// `catch`, `tcatch`
    Catch { temporary: bool, event: CatchEvent, names: Vec<String> },
    /// `rbreak`
    Rbreak(String),
    /// `watch`, `rwatch`, `awatch`; `pinned`: with `-location`.
    Watch { access: Access, pinned: bool, expression: String, condition: Option<String> },
    /// `delete`, `delete breakpoints`; nothing: all.
    Delete(Numbers),
    /// `clear`
    Clear(Option<String>),
    /// `enable`, `disable`
    Switch { on: bool, numbers: Numbers },
    /// `enable display`, `disable display`
    SwitchDisplay { on: bool, numbers: Numbers },
    /// `ignore N COUNT`
    Ignore { number: u32, count: String },
    /// `condition N [EXPRESSION]`
    Condition { number: u32, condition: Option<String> },
    /// `commands [N]`; nothing: the last breakpoint that was set.
    Commands(Option<u32>),
    /// `continue [COUNT]`, `reverse-continue [COUNT]`
    Continue { direction: Direction, count: Option<String> },
    /// `step`, `next`, `stepi`, `nexti` and their reverses.
    Step { unit: Unit, over: bool, direction: Direction, count: Option<String> },
    /// `finish`, `reverse-finish`
    Finish(Direction),
    /// `until` without a place.
    Until,
    /// `until PLACE`, `advance PLACE`
    Advance(String),
    /// `run [EVENT]`
    Run(Option<String>),
    /// `start`
    Start,
    /// `starti`
    Starti,
    /// `alias NAME = COMMAND`; nothing: all are listed.
    Alias(String),
    /// `pwd`
    WorkingDirectory,
    /// `cd [DIRECTORY]`
    ChangeDirectory(String),
    /// `backtrace [full] [COUNT]`; a negative count means outermost frames.
    Backtrace { full: bool, count: Option<i64> },
    /// `frame`
    Frame(FrameSpec),
    /// `up [N]`, `down [N]`
    Move { up: bool, count: Option<String> },
    /// `thread [ID]`
    Thread(Option<String>),
    /// `thread apply all|IDS [-q] COMMAND`; nothing: all.
    ThreadApply { threads: Option<Numbers>, ascending: bool, quiet: bool, command: String },
    /// `print[/F] [EXPRESSION]`; nothing: the last value again.
    Print { options: PrintOptions, letters: Letters, expression: Option<String> },
    /// `call[/F] EXPRESSION`: as `print`, silent about `void`.
    Call { options: PrintOptions, letters: Letters, expression: String },
    /// `output[/F] EXPRESSION`
    Output { letters: Letters, expression: String },
    /// `printf "FORMAT", ARGUMENTS`
    Printf(String),
    /// `echo TEXT`
    Echo(String),
    /// `x[/NFU] [EXPRESSION]`
    Examine { letters: UnitLetters, expression: Option<String> },
    /// `ptype[/FLAGS] [X]`, and `whatis [X]`, which lists nothing. `raw`: names as debug info has them.
    Type { listed: Option<Contents>, raw: bool, of: Option<String> },
    /// `list`
    List(ListSpec),
    /// `macro expand EXPRESSION`
    Macro(String),
    /// `disassemble[/MODES] [PLACE]`
    Disassemble { modes: Modes, at: CodeSpec },
    /// `when`, `when-ticks`, `when-tid`
    When(Moment),
    /// `back`, `forward`
    Revisit { back: bool },
    /// `find START, +LENGTH|END, VALUE…`
    Find(String),
    /// `origin EXPRESSION`, `races EXPRESSION`, `heap EXPRESSION`
    Inquire(Inquiry, String),
    /// `shell [COMMAND]`, `!COMMAND`
    Shell(String),
    /// `source FILE`
    Source(String),
    /// `save breakpoints FILE`
    Save(String),
    /// `complete TEXT`
    Complete(String),
    /// `skip …`
    Skip(Skipping),
    /// `dprintf LOCATION, "FORMAT", ARGUMENTS…`
    Dprintf { location: String, text: String },
    /// `inferior`
    Inferior,
    /// `frame apply all|COUNT|level LEVELS COMMAND`
    FrameApply { frames: Frames, command: NestedCommand },
    /// `checkpoint`
    Checkpoint,
    /// `restart N`
    Restart(String),
    /// `goto POSITION`, `goto start`, `goto end`
    Goto(String),
    /// `seek-ticks N`
    SeekTicks(String),
    /// `delete checkpoint [N]`
    DeleteCheckpoint(Option<String>),
    /// `display[/F] [EXPRESSION]`
    Display { letters: UnitLetters, expression: Option<String> },
    /// `undisplay [N…]`, `delete display [N…]`
    Undisplay(Numbers),
    /// `info …`
    Info(Info),
    /// `set …`
    Set(Setting),
    /// `unset substitute-path [FROM]`
    UnsetSubstitutePath(String),
    /// `directory [DIRECTORIES]`
    Directory(String),
    /// `show NAME`
    Show(String),
    /// `handle SIGNALS ACTIONS`
    Handle(String),
    /// `help [COMMAND]`
    Help(Option<String>),
    /// `quit`
    Quit,
}

impl Command {
    /// Returns whether it moves, or takes a replay.
    pub(super) fn moves(&self) -> bool {
        matches!(
            self,
            Self::Continue { .. }
                | Self::Step { .. }
                | Self::Finish(_)
                | Self::Until
                | Self::Advance(_)
                | Self::Run(_)
                | Self::Start
                | Self::Starti
                | Self::Revisit { .. }
                | Self::Goto(_)
                | Self::SeekTicks(_)
                | Self::Restart(_)
                | Self::Inquire(..)
        )
    }
}

/// Where a breakpoint is to be; no location: where execution is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct BreakpointArguments {
    pub(super) location: Option<String>,
    /// The only thread that stops, as given.
    pub(super) thread: Option<String>,
    pub(super) condition: Option<String>,
}

/// What is stepped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Line,
    Instruction,
}

/// Which frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FrameSpec {
    /// The selected one.
    Selected,
    /// A level, as an expression.
    Level(String),
    /// The innermost of a function.
    Function(String),
}

/// What `skip` does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Skipping {
    /// Adds functions to those that are stepped over; nothing: that of the selected frame.
    Function(Option<Matcher>),
    /// Adds the functions of files; nothing: those of the file of the selected frame.
    File(Option<Matcher>),
    /// `skip delete`
    Delete(Numbers),
    /// `skip enable`, `skip disable`
    Switch { on: bool, numbers: Numbers },
}

/// How a name is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Matcher {
    /// This one.
    Name(String),
    /// As a shell's pattern says.
    Glob(String),
    /// As a regular expression says.
    Regex(String),
}

/// Which frames a command is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Frames {
    /// All of them.
    All,
    /// So many of the innermost, or if it is negative, of the outermost.
    Count(i64),
    /// Those with these levels.
    Levels(Numbers),
}

/// A command that is carried out for one thing after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NestedCommand {
    pub(super) line: String,
    /// What it is carried out for is not told before it.
    pub(super) quiet: bool,
    /// Where it fails, that is told, and it goes on.
    pub(super) goes_on: bool,
    /// Where it fails, nothing is told, and it goes on.
    pub(super) silent: bool,
}

/// Which lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ListSpec {
    /// The next ones; around the current line at first.
    More,
    /// Those before.
    Back,
    /// Around a place.
    Around(String),
    /// From a place on.
    From(String),
    /// Up to a place.
    UpTo(String),
    /// From a place to another.
    Between(String, String),
}

/// How code is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Modes {
    /// `/r`: with its bytes.
    pub(super) raw: bool,
    /// `/s`: with its source, in the order of addresses.
    pub(super) source: bool,
    /// `/m`: with its source, in the order of lines.
    pub(super) by_line: bool,
}

/// Which code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CodeSpec {
    /// The function of the selected frame.
    Here,
    /// The function around an address.
    Around(String),
    /// From one address to another.
    Between(String, String),
    /// From an address, so many bytes.
    Bytes(String, String),
}

/// What `when` tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    Event,
    Ticks,
    Position,
    Thread,
    /// The last event.
    End,
    /// Seconds since the recording began.
    Elapsed,
    /// Seconds by the clock of the machine that recorded.
    Absolute,
}

/// What `info` tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Info {
    /// All of them, or these; `watchpoints`: only those.
    Breakpoints {
        numbers: Numbers,
        watchpoints: bool,
    },
    Locals,
    /// `all`: of the whole unit.
    Macro {
        name: String,
        all: bool,
    },
    Args,
    /// Names; none: the general ones. `all`: also those of floating point and vectors.
    Registers {
        names: Vec<String>,
        all: bool,
    },
    Threads(Numbers),
    Frame(FrameSpec),
    Stack {
        full: bool,
        count: Option<i64>,
    },
    Sharedlibrary,
    Line(Option<String>),
    Symbol(String),
    Address(String),
    Source,
    Display,
    Checkpoints,
    /// `info proc`
    Process(ProcessFacts),
    /// `info vtbl EXPRESSION`
    VirtualTables(String),
    Signals(Option<String>),
    Inferiors,
    Program,
    /// `info recording`
    Recording,
    Skip,
    /// Those that a regular expression matches.
    Functions(Option<String>),
    Variables(Option<String>),
    Types(Option<String>),
    Scope(String),
    Auxv,
}

/// What `info proc` tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessFacts {
    /// Its number, and each of the following but the mappings.
    Summary,
    CommandLine,
    Directory,
    Program,
    Mappings,
    All,
}

/// What `set` sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// `set $name = EXPRESSION`
    Convenience(String, String),
    /// `set var x = 3`, `set x = 3`: what would change the program.
    Program(String),
    /// `set NAME VALUE`
    Named(String, String),
}
