//! The rr program: finding it, recording with it, starting its replay, and looking after its recordings.
//!
//! Layer 1. Nothing here knows the remote protocol that a replay speaks, nor anything about the recorded program: a
//! [`Replay`] is a process and an address. Below is only `softcounters`, the object that is preloaded into rr on
//! machines without a usable performance counter.
//!
//! * [`Rr`] is a program that was found and asked for its version. Whatever it is asked to do can be cancelled from
//!   elsewhere ([`Rr::with_cancel`]), and a running replay can be killed from elsewhere ([`Killer`]).
//! * [`Counters`] says what counts rr's ticks. A recording gets a small file that remembers the kind (`manifest`), and
//!   is replayed with it, or with another one that counts the same where that is what there is (`replay_counters`).
//!   What else stands against a replay on this machine is read from the header of the trace (`message`,
//!   `trace_header`) and told before rr starts (`cpu_features`, `compatibility`).
//! * What happened in a recording can be read from its trace without a replay (`events`).
//! * All children have a null stdin unless a recorded program is given some, their output is always read and kept only
//!   in part, and they die with us.

mod child_output;
mod command_line;
#[expect(unsafe_code, reason = "a page is mapped to see whether addresses go so far")]
mod compatibility;
mod count_pass;
mod counters;
#[expect(unsafe_code, reason = "XGETBV has no safe function")]
mod cpu_features;
mod deadlock;
mod distribution;
#[expect(unsafe_code, reason = "a child that is traced, to see whether it may be")]
mod doctor;
mod echo;
mod error;
mod events;
mod fatal;
#[expect(unsafe_code, reason = "signal actions and process groups of the terminal")]
mod foreground;
mod interpreter;
mod leftovers;
#[expect(unsafe_code, reason = "flock")]
mod lock;
mod manifest;
mod message;
mod options;
#[expect(unsafe_code, reason = "processes that were inherited are reaped by their numbers")]
mod orphans;
mod output;
mod own_pages;
mod passthrough;
mod paths;
#[expect(unsafe_code, reason = "perf_event_open has no safe function")]
mod perf;
mod probe_pass;
#[expect(unsafe_code, reason = "process groups, pidfds and what a child does before its exec")]
mod process;
#[cfg_attr(test, expect(unsafe_code, reason = "a test kills what it has started"))]
mod process_activity;
mod program;
mod program_environment;
mod progress;
mod ps;
#[expect(unsafe_code, reason = "memfd_create")]
mod record;
mod record_limits;
mod record_notes;
mod recordings;
mod removal;
mod repeat;
mod replay;
mod replay_counters;
mod self_test;
mod signals;
#[expect(unsafe_code, reason = "flock")]
mod trace;
mod trace_header;
mod underway;
mod write_lengths;

#[cfg(test)]
#[expect(clippy::print_stdout, reason = "what came of a longer run")]
#[allow(dead_code, reason = "each crate uses a part of it")]
#[path = "../../tests/support/fuzz.rs"]
mod fuzz;

pub use command_line::{CommandLine, command_line};
pub use count_pass::CountPass;
pub use counters::{Counters, Selection};
pub use distribution::packaged;
pub use doctor::{Check, Verdict, doctor};
pub use echo::Echo;
pub use error::Error;
pub use events::{
    Called, Delivery, Disposition, EventTime, Happening, Mapped, Mappings, Row, SharedMemory, Signal, Timeline,
    TimelineQuery, Topic, UpTo, deliveries, event_time, executed_files, happenings, last_event, mappings, original_of,
    process_at, programs_until, shared_memory, timeline,
};
pub use fatal::{divergence, diverges_at};
pub use lock::Lock;
pub use output::{Output, Written};
pub use own_pages::is_own_page;
pub use passthrough::Passed;
pub use paths::at_home;
pub use probe_pass::{Glimpses, HitAt, Memory, PassEvent, ProbeHit, ProbePass, ProbeRecord};
pub use process::Killer;
pub use process::Stream;
pub use process_activity::Pulse;
pub use program::Rr;
pub use ps::{Process, process_named, processes, spelled, tree, worth_debugging};
pub use record::{Listener, RecordOptions, Recorded};
pub use record_limits::CutShort;
pub use recordings::{Recording, Recordings, recordings};
pub use removal::removable;
pub use repeat::{RUNS, Repeated, Until};
pub use replay::{Patience, Replay};
pub use signals::signal_name;
pub use trace::{resolve as resolve_trace, trace_base};
pub use write_lengths::Unheard;
