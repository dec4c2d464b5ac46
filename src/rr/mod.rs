//! The rr program: finding it, recording with it, starting its replay, and looking after its recordings.
//!
//! Floor 1. Nothing here knows the remote protocol that a replay speaks, nor anything about the recorded program: a
//! [`Replay`] is a process and an address. Below is only `softcounters`, the object that is preloaded into rr on
//! machines without a usable performance counter.
//!
//! * [`Rr`] is a program that was found and asked for its version. Whatever it is asked to do can be given up from
//!   elsewhere ([`Rr::while_wanted`]), and a running replay can be killed from elsewhere ([`Killer`]).
//! * [`Counters`] says what counts rr's ticks. A recording gets a small file that remembers the kind (`manifest`), and
//!   is replayed with it, or with another one that counts the same where that is what there is (`means`). What else
//!   stands against a replay on this machine is read from the header of the trace (`message`, `header`) and told before
//!   rr starts (`features`, `fitness`).
//! * All children have a null stdin unless a recorded program is given some, their output is always read and kept only
//!   in part, and they die with us.

mod bounds;
mod counters;
mod doctor;
mod drain;
mod error;
mod features;
mod fitness;
mod foreground;
mod header;
mod lock;
mod manifest;
mod means;
mod message;
mod options;
mod orphans;
mod output;
mod passthrough;
mod perf;
mod process;
mod program;
mod ps;
mod pulse;
mod record;
mod recordings;
mod removal;
mod replay;
mod signals;
mod trace;
mod trial;
mod wanted;
mod writes;

pub use bounds::CutShort;
pub use counters::{Counters, Selection};
pub use doctor::{Check, Verdict, doctor};
pub use error::Error;
pub use lock::Lock;
pub use output::{Output, Written};
pub use passthrough::Passed;
pub use process::Killer;
pub use process::Stream;
pub use program::Rr;
pub use ps::{Process, spelled, tree, worth_debugging};
pub use record::{Listener, RecordOptions, Recorded};
pub use recordings::{Recording, Recordings, recordings};
pub use removal::removable;
pub use replay::{Patience, Replay};
pub use signals::signal_name;
pub use trace::{resolve as resolve_trace, trace_base};
pub use writes::Unheard;
