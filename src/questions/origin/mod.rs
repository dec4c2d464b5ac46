//! Where a value comes from: followed back through its copies.
//!
//! From where a value is, the last write to it is looked for, by a pass that watches the memory; at the instruction
//! that wrote it, what was written was in a register, which the function's code tells where it was set: it was loaded
//! from other memory, whose last write is looked for then, or given as an argument, or returned. Each step is checked:
//! what is found must be the value that is followed.
//!
//! ```text
//! trace         follows a value from hop to hop
//! instructions  what the instruction did that wrote it
//! calls         values that are passed to functions, and returned
//! sent          what another call has written to a file, a pipe or a socket
//! sharers       what another process has stored in memory that is shared
//! ends          what is not copied: inputs, initial values, allocations, what libraries have returned
//! look          passes that look for the last time that something happened before a moment
//! code          a function's instructions, and where a register was written
//! activation    the same where no frame information tells the activations of a function apart
//! snapshot      the state of a thread before an instruction
//! names         what memory is called, and values are shown as
//! ```

mod activation;
mod calls;
mod code;
mod ends;
mod instructions;
mod look;
mod names;
mod sent;
mod sharers;
mod snapshot;
mod trace;

use super::error::Error;
use super::hits::Moment;
use super::program::Program;
use base::cancel::Cancel;
use ctype::{Target, TypeRef};
use engine::{Held, HeldIn};
use rr::Rr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The longest value that is followed, in bytes.
pub const LONGEST_VALUE: u64 = 16;

/// What is asked.
#[derive(Clone, Debug)]
pub struct OriginQuery {
    /// The value, and the moment at which it is there.
    pub held: Held,
    /// The expression that names it.
    pub expression: String,
    /// Whether what was computed of one value is followed to that.
    pub through_arithmetic: bool,
    /// Most hops.
    pub max_hops: usize,
    /// The longest that it may take.
    pub patience: Duration,
}

/// How a value came to be where it is. It shows as a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HopKind {
    /// Copied.
    Copy,
    /// Passed to a function.
    Argument,
    /// Returned by a function.
    Return,
    /// Computed of other values.
    Computed,
    /// It is a constant of the program.
    Constant,
    /// It is the address of something.
    Address,
    /// It is the address of memory that was allocated then.
    Allocation,
    /// A function without source has made it.
    Library,
    /// Another call wrote it to a file, a pipe or a socket, perhaps in another process.
    Sent,
    /// It was stored in memory that is shared, in another process or by another mapping.
    Shared,
    /// It came from outside, by a system call.
    Input,
    /// It was there from the beginning.
    Initial,
    /// It cannot be followed.
    Stopped,
}

impl HopKind {
    /// Returns one word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Copy => "copy",
            Self::Argument => "argument",
            Self::Return => "return",
            Self::Computed => "computed",
            Self::Constant => "constant",
            Self::Address => "address",
            Self::Allocation => "allocation",
            Self::Library => "library",
            Self::Sent => "sent",
            Self::Shared => "shared",
            Self::Input => "input",
            Self::Initial => "initial",
            Self::Stopped => "stopped",
        }
    }
}

impl fmt::Display for HopKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A step on a value's way, the last one first.
#[derive(Clone, Debug, PartialEq)]
pub struct Hop {
    /// Before the instruction that made it.
    pub at: Option<Moment>,
    /// In this function.
    pub function: Option<String>,
    /// Of this line: the file's path, its name, the line.
    pub line: Option<(PathBuf, String, u32)>,
    /// How.
    pub kind: HopKind,
    /// Where the value came to be.
    pub to: String,
    /// Where it came from, or what it is; in words why it cannot be followed.
    pub from: String,
    /// The value.
    pub value: String,
    /// What else is to be known.
    pub notes: Vec<String>,
}

impl Hop {
    /// Returns whether it is in code of the program's own sources, not of a compiler's, a package's or the system's.
    pub fn is_of_own_source(&self) -> bool {
        self.line.as_ref().is_some_and(|(path, _, _)| dwarf::is_own_source(&path.to_string_lossy()))
    }
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// From the value back to where it was made.
    pub hops: Vec<Hop>,
    /// How many replays that took.
    pub passes: u32,
    /// How long.
    pub took: Duration,
    /// It was ended as the time was up.
    pub is_late: bool,
}

impl Origin {
    /// Asks a recording.
    ///
    /// # Errors
    /// If the value is nowhere, or too large; if it cannot be replayed; if it is cancelled.
    pub fn ask(rr: &Rr, recording: &Path, query: &OriginQuery, cancel: &Cancel) -> Result<Self, Error> {
        let begun = Instant::now();
        let held = &query.held;
        let refused = |why: String| Error::question(format!("`{}`: {why}", query.expression));
        if let HeldIn::Nowhere(why) = &held.place {
            return Err(refused(why.clone()));
        }
        if held.size == 0 || held.size > LONGEST_VALUE {
            let what = format!(
                "it has {} bytes; name a part of it that has 1 to {LONGEST_VALUE}: a member, an element",
                held.size
            );
            return Err(refused(what));
        }
        if held.content.len() as u64 != held.size {
            return Err(refused("its memory cannot be read".to_owned()));
        }
        let Some(moment) = held.position.moment else {
            return Err(refused("the session does not know where in the recording it is".to_owned()));
        };
        let trace = rr::resolve_trace(Some(recording))?;
        let pid = held.position.thread.pid;
        let programs = rr::programs_until(&trace, pid, moment.event)?;
        let program = Program::open(&trace, cancel)?;
        let mut origin = Self { hops: Vec::new(), passes: 0, took: Duration::ZERO, is_late: false };
        let (mut process, mut from, mut channels) = ((pid, programs), None, None);
        loop {
            let looker = look::Looker::new(rr, trace.clone(), &program, process, cancel, begun + query.patience);
            let mut tracer = trace::Tracer::new(&looker, query);
            (tracer.hops, tracer.channels) = (std::mem::take(&mut origin.hops), channels);
            let next = tracer.run(from)?;
            (origin.hops, origin.is_late, channels) = (tracer.hops, tracer.is_late, tracer.channels);
            origin.passes += looker.passes.get();
            let Some(next) = next else { break };
            let event = next.before.event.unwrap_or(u64::MAX);
            process = (next.before.pid, rr::programs_until(&trace, next.before.pid, event)?);
            from = Some(next);
        }
        if let (Some(count), Some(first)) = (held.text, origin.hops.first_mut()) {
            let note = match usize::try_from(count).is_ok_and(|count| count <= held.content.len()) {
                true => "all characters of the text are followed together".to_owned(),
                false => format!("the first characters are followed, of the text's {count}"),
            };
            first.notes.push(note);
        }
        origin.took = begun.elapsed();
        Ok(origin)
    }

    /// Returns whether the value's origin was found.
    pub fn is_found(&self) -> bool {
        self.hops.last().is_some_and(|hop| hop.kind != HopKind::Stopped)
    }
}

/// The type that a value is shown with while it keeps its length.
#[derive(Clone, Debug)]
struct Shown {
    ty: TypeRef,
    bits: Option<ctype::Bits>,
    target: Target,
    length: usize,
}
