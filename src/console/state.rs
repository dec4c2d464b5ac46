//! What a conversation remembers.

use super::alias::Aliases;
use super::display::Display;
use super::examine::Examined;
use super::history::Visited;
use super::list::Listed;
use super::script::{Collected, Definitions};
use super::settings::{Settings, Signals};
use super::skip::Skip;
use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

/// What is known of a breakpoint beyond what the engine knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hint {
    /// It was set with `-location`.
    pub(super) pinned: bool,
    /// It was asked for in hardware.
    pub(super) hardware: bool,
    /// What it prints instead of stopping: the arguments of `printf`.
    pub(super) prints: Option<String>,
    /// Lines to be carried out when it stops.
    pub(super) commands: Vec<String>,
}

/// Whether functions of the program are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Calls {
    /// They are not.
    #[default]
    Off,
    /// They are not, and this says how to have them called.
    Refused(&'static str),
    /// They are, in a copy of the program.
    Allowed,
}

/// What a conversation remembers between two commands.
#[derive(Debug, Default)]
pub(super) struct ConversationState {
    /// The process has been seen to end: the next command is told that nothing is being run.
    pub(super) exited: bool,
    /// `$bpnum`
    pub(super) last_breakpoint: Option<u32>,
    pub(super) hints: BTreeMap<u32, Hint>,
    pub(super) collecting: Option<Collected>,
    /// Lines of breakpoints that have stopped.
    pub(super) queue: VecDeque<String>,
    pub(super) displays: Vec<Display>,
    pub(super) last_display: u32,
    pub(super) settings: Settings,
    pub(super) signals: Signals,
    pub(super) listed: Option<Listed>,
    pub(super) examined: Examined,
    /// The source file that could not be read last.
    pub(super) unreadable: Option<String>,
    /// What `run` goes back to: the argument of the last one, or of `restart`.
    pub(super) origin: Option<super::time_travel::Origin>,
    /// Where checkpoints are, in GDB's words.
    pub(super) checkpoints: BTreeMap<u32, String>,
    /// Whether functions of the program are called.
    pub(super) calls: Calls,
    /// Nothing that moves is carried out.
    pub(super) stays: bool,
    /// What an empty line repeats.
    pub(super) repeated: String,
    /// How deep commands carry out commands.
    pub(super) depth: u32,
    /// The user's other names of commands.
    pub(super) aliases: Aliases,
    /// The user's commands.
    pub(super) defined: Definitions,
    /// How deep those carry out each other.
    pub(super) call_depth: u32,
    /// How deep blocks of commands are nested in each other, through those, too.
    pub(super) block_depth: u32,
    /// How many rounds are left to the loops that are in one another; none while there is no loop.
    pub(super) rounds_left: Option<u32>,
    /// How long the commands of a line have been carried out without a movement.
    pub(super) idle: Option<Idle>,
    /// How many files of commands are being read.
    pub(super) files: u32,
    /// Functions that are stepped over.
    pub(super) skips: Vec<Skip>,
    pub(super) last_skip: u32,
    /// What may have been meant by what has failed.
    pub(super) hint: Option<String>,
    /// The moments of the stops.
    pub(super) visited: Visited,
}

/// How long commands have been carried out without a movement.
#[derive(Debug)]
pub(super) struct Idle {
    /// Where the replay was.
    pub(super) epoch: u64,
    /// Since when.
    pub(super) since: Instant,
    /// How many lines there have been, movements or not.
    pub(super) statements: u32,
}
