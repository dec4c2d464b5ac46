//! What happened in a recording, in its order, from what rr wrote down: no replay is needed for that.

use super::buffered::{Data, records};
use super::frame::{Call, Frame, Kind, Set, Signal};
use super::steps::{ASKED, Steps};
use super::task::{Change, Task};
use crate::error::Error;
use crate::trace;
use crate::trace_header::Header;
use base::cancel::Cancel;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The highest error number that a system call returns, negative.
const MAX_ERRNO: i64 = 4095;
/// The system call of Linux that asks for the rest of an interrupted one.
const RESTART: &str = "restart_syscall";

/// The kinds of happenings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// Processes and threads: beginnings, programs, ends.
    Process,
    /// Signals.
    Signal,
    /// System calls.
    Call,
    /// Ends of time slices.
    Schedule,
}

/// What is asked of a timeline. Everything that is given must hold.
#[derive(Clone, Debug)]
pub struct TimelineQuery {
    /// Events from this one on.
    pub from: u64,
    /// And up to this one.
    pub to: u64,
    /// Of these kinds.
    pub topics: HashSet<Topic>,
    /// Of this process.
    pub pid: Option<u32>,
    /// Of this thread.
    pub tid: Option<u32>,
    /// System calls of these names only. None: of all.
    pub calls: Vec<String>,
    /// System calls that failed only.
    pub failed: bool,
    /// So many rows are skipped.
    pub skip: u64,
    /// Most rows.
    pub limit: usize,
}

impl TimelineQuery {
    /// Asks for all that happened of these kinds, of all threads, from one event to another.
    pub fn between(from: u64, to: u64, topics: impl Into<HashSet<Topic>>) -> Self {
        let (topics, calls) = (topics.into(), Vec::new());
        Self { from, to, topics, pid: None, tid: None, calls, failed: false, skip: 0, limit: 0 }
    }
}

/// What happened in a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// What was asked for, in the order of events. A system call stands where it returns.
    pub rows: Vec<Row>,
    /// How many rows there are that match.
    pub matching: u64,
    /// The number of the last event.
    pub events: u64,
    /// Seconds from the first event to the last.
    pub seconds: f64,
    /// How many happenings there are of each kind, matching or not.
    pub totals: HashMap<Topic, u64>,
    /// System calls that failed.
    pub failed: u64,
    /// Processes and threads.
    pub processes: u64,
    /// Threads besides the first of each process.
    pub threads: u64,
    /// Why it is not all, if it is not.
    pub incomplete: Option<String>,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The event's number: where a replay can go to.
    pub event: u64,
    /// Seconds since the first event.
    pub seconds: f64,
    /// The process; that of its thread, as far as that is known.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// Ticks of the thread until then. `None`: the trace does not say.
    pub ticks: Option<u64>,
    /// What it was.
    pub what: Happening,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// A process or a thread was made.
    Made {
        /// Its number.
        child: u32,
        /// It is a thread of the same process.
        is_thread: bool,
    },
    /// Another program was executed.
    Exec {
        /// Its path.
        program: String,
        /// The words of its command line.
        command: Vec<String>,
    },
    /// A thread ended, and if it was the last one, its process.
    Exited {
        /// Exit code, or minus the number of the signal that ended it.
        code: i32,
    },
    /// rr let it run by itself from here on.
    Detached,
    /// A signal came.
    Signal(Signal),
    /// A system call.
    Call(Called),
    /// Its time slice was at its end.
    Slice,
}

/// A system call from its begin to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Called {
    /// Its name; `syscall N` if there is none.
    pub name: String,
    /// Its arguments. `None`: the trace does not have them.
    pub arguments: Option<[u64; 6]>,
    /// What it returned, an error as its negative number. `None`: it did not return, or that is not known.
    pub result: Option<i64>,
    /// The event at which it began. `None`: rr's buffer answered it, somewhere before this event.
    pub begun: Option<u64>,
    /// Seconds from begin to end, which others may have used.
    pub took: Option<f64>,
    /// Descriptors that it opened for files in which rr has an interest, and these.
    pub opened: Vec<(i32, String)>,
}

impl Called {
    /// Returns the number of the error that it returned.
    pub fn error(&self) -> Option<i32> {
        self.result.filter(|result| (-MAX_ERRNO..0).contains(result)).map(|result| -result as i32)
    }
}

impl Happening {
    /// Returns the topic that it belongs to.
    pub fn topic(&self) -> Topic {
        match self {
            Self::Made { .. } | Self::Exec { .. } | Self::Exited { .. } | Self::Detached => Topic::Process,
            Self::Signal(_) => Topic::Signal,
            Self::Call(_) => Topic::Call,
            Self::Slice => Topic::Schedule,
        }
    }
}

/// Returns the name of a system call.
fn name(set: Set, number: i32) -> String {
    let id = number as usize;
    let known = match set {
        Set::X86_64 => syscalls::x86_64::Sysno::new(id).map(|call| call.name()),
        Set::X86 => syscalls::x86::Sysno::new(id).map(|call| call.name()),
        Set::Aarch64 => syscalls::aarch64::Sysno::new(id).map(|call| call.name()),
        Set::Unknown => None,
    };
    known.filter(|_| number >= 0).map_or_else(|| format!("syscall {number}"), str::to_owned)
}

/// Reads the timeline of a recording: its trace directory, or what [`resolve_trace`](crate::resolve_trace) makes
/// one of.
///
/// # Errors
/// What is wrong with the trace, and that the call was cancelled. A trace that is damaged farther on is told as far as
/// it can be read.
pub fn timeline(recording: &Path, query: &TimelineQuery, cancel: &Cancel) -> Result<Timeline, Error> {
    let (mut rows, mut matching) = (Vec::new(), 0);
    let mut timeline = read(recording, (query, true), cancel, u64::MAX, &mut |row| {
        matching += 1;
        if matching > query.skip && rows.len() < query.limit {
            rows.push(row);
        }
    })?;
    (timeline.rows, timeline.matching) = (rows, matching);
    Ok(timeline)
}

/// Tells all that a timeline has, one after the other, whatever its limit is, and reads no farther than its last event.
///
/// # Errors
/// As [`timeline`].
pub fn happenings(
    recording: &Path,
    query: &TimelineQuery,
    cancel: &Cancel,
    tell: &mut dyn FnMut(Row),
) -> Result<(), Error> {
    read(recording, (query, query.topics.contains(&Topic::Call)), cancel, query.to, tell).map(drop)
}

/// Reads a timeline up to an event, and tells what matches. `with_buffered`: whether the system calls that rr's buffer
/// has answered are among it, which the data of the recording have.
fn read(
    recording: &Path,
    (query, with_buffered): (&TimelineQuery, bool),
    cancel: &Cancel,
    end: u64,
    tell: &mut dyn FnMut(Row),
) -> Result<Timeline, Error> {
    let directory = trace::resolve(Some(recording))?;
    trace::check(&directory)?;
    let mut steps = Steps::open(&directory)?;
    let header = Header::read(&directory).map(|header| header.buffer_header);
    let mut reader = Reader {
        query,
        tell,
        timeline: Timeline::default(),
        first: None,
        now: 0.0,
        processes: HashMap::new(),
        calls: HashMap::new(),
    };
    let mut data = if with_buffered { Some(Data::open(&directory)?) } else { None };
    while reader.timeline.events < end {
        if reader.timeline.events.is_multiple_of(ASKED) && cancel.is_cancelled() {
            return Err(Error::Cancelled { command: "timeline" });
        }
        let (event, frame) = match steps.next() {
            Ok(Some(step)) => step,
            Ok(None) => break,
            Err(error) => {
                reader.timeline.incomplete = Some(error.to_string());
                break;
            }
        };
        let mut buffered = Vec::new();
        let is_in_step = match &mut data {
            None => true,
            Some(data) => {
                let mut writes = frame.writes.iter().map(|write| write.stored);
                let buffer = match (&frame.kind, header) {
                    (Kind::Flush, Some(header)) => writes.next().map(|length| (header, data.take(length))),
                    _ => None,
                };
                writes.for_each(|length| data.skip(length));
                match buffer {
                    Some((header, Ok(buffer))) => buffered = records(&buffer, header),
                    Some((_, Err(error))) => reader.timeline.incomplete = Some(error.to_string()),
                    None => {}
                }
                reader.timeline.incomplete.is_none()
            }
        };
        if !is_in_step {
            // Where the next buffer begins is not known any more.
            data = None;
        }
        reader.begin(event, &frame);
        reader.frame(event, &frame, buffered);
        steps.changes().for_each(|change| reader.change(change, &frame));
    }
    if reader.timeline.events >= end {
        // What is under way there is not at its end.
        return Ok(reader.timeline);
    }
    reader.finish(steps.later_changes())
}

/// A timeline as far as it was read.
struct Reader<'a> {
    query: &'a TimelineQuery,
    /// Takes what matches.
    tell: &'a mut dyn FnMut(Row),
    timeline: Timeline,
    /// When the first event was.
    first: Option<f64>,
    /// When the present one was, since then.
    now: f64,
    /// The process of each thread.
    processes: HashMap<u32, u32>,
    /// The call in which a thread is: its event, when that was, and ticks.
    calls: HashMap<u32, (u64, f64, u64, Call)>,
}

impl Reader<'_> {
    fn begin(&mut self, event: u64, frame: &Frame) {
        let first = *self.first.get_or_insert(frame.seconds);
        self.now = frame.seconds - first;
        (self.timeline.events, self.timeline.seconds) = (event, self.now);
    }

    fn frame(&mut self, event: u64, frame: &Frame, buffered: Vec<(i32, i64)>) {
        // What rr's own child does before it executes the program is not the program's.
        if self.processes.is_empty() {
            return;
        }
        let (tid, ticks) = (frame.tid, Some(frame.ticks));
        for (number, result) in buffered {
            let called = Called {
                name: name(Set::X86_64, number),
                arguments: None,
                result: Some(result),
                begun: None,
                took: None,
                opened: Vec::new(),
            };
            self.row(event, tid, ticks, Happening::Call(called));
        }
        match &frame.kind {
            Kind::Slice => self.row(event, tid, ticks, Happening::Slice),
            Kind::Signal(signal) => self.row(event, tid, ticks, Happening::Signal(*signal)),
            Kind::Call(call) if !call.returns => {
                self.calls.insert(tid, (event, self.now, frame.ticks, call.clone()));
            }
            Kind::Call(call) => {
                // The rest of an interrupted call is a part of it: it began where that did.
                let begun = self.calls.remove(&tid);
                let called = Called {
                    name: match &begun {
                        Some((.., before)) if name(call.set, call.number) == RESTART => name(before.set, before.number),
                        _ => name(call.set, call.number),
                    },
                    arguments: begun.as_ref().map_or(call.arguments, |(.., before)| before.arguments),
                    result: call.result,
                    begun: Some(begun.as_ref().map_or(event, |(event, ..)| *event)),
                    took: begun.map(|(_, when, ..)| self.now - when),
                    opened: call.opened.clone(),
                };
                self.row(event, tid, ticks, Happening::Call(called));
            }
            Kind::Exit => self.unreturned(event, tid),
            Kind::Flush | Kind::Handler | Kind::Other => {}
        }
    }

    /// Adds the call in which a thread is and which will not return.
    fn unreturned(&mut self, event: u64, tid: u32) {
        if let Some((begun, when, ticks, call)) = self.calls.remove(&tid) {
            let called = Called {
                name: name(call.set, call.number),
                arguments: call.arguments,
                result: None,
                begun: Some(begun),
                took: Some(self.now - when),
                opened: Vec::new(),
            };
            self.row(event, tid, Some(ticks), Happening::Call(called));
        }
    }

    fn change(&mut self, task: Task, frame: &Frame) {
        let ticks = (task.tid == frame.tid).then_some(frame.ticks);
        let (tid, what) = match task.what {
            Change::Made { by, is_thread, .. } => {
                let pid = if is_thread { self.pid(by) } else { task.tid };
                self.processes.insert(task.tid, pid);
                *(if is_thread { &mut self.timeline.threads } else { &mut self.timeline.processes }) += 1;
                (by, Happening::Made { child: task.tid, is_thread })
            }
            Change::Exec { program, command } => {
                // The first process was made by rr. And a thread that executes becomes its process.
                self.processes.entry(task.tid).or_insert_with(|| {
                    self.timeline.processes += 1;
                    task.tid
                });
                (task.tid, Happening::Exec { program, command })
            }
            Change::Exit { status } => {
                let code = if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { -libc::WTERMSIG(status) };
                (task.tid, Happening::Exited { code })
            }
            Change::Detached => (task.tid, Happening::Detached),
        };
        self.row(task.event, tid, ticks.filter(|_| tid == frame.tid), what);
    }

    fn pid(&self, tid: u32) -> u32 {
        self.processes.get(&tid).copied().unwrap_or(tid)
    }

    fn row(&mut self, event: u64, tid: u32, ticks: Option<u64>, what: Happening) {
        let topic = what.topic();
        *self.timeline.totals.entry(topic).or_default() += 1;
        let (is_failure, is_named) = match &what {
            Happening::Call(called) => {
                let asked = &self.query.calls;
                (called.error().is_some(), asked.is_empty() || asked.contains(&called.name))
            }
            _ => (false, true),
        };
        self.timeline.failed += u64::from(is_failure);
        let (pid, query) = (self.pid(tid), self.query);
        let is_selected = query.topics.contains(&topic)
            && (query.from..=query.to).contains(&event)
            && query.pid.is_none_or(|asked| asked == pid)
            && query.tid.is_none_or(|asked| asked == tid)
            && is_named
            && (is_failure || !query.failed || topic != Topic::Call);
        if !is_selected {
            return;
        }
        (self.tell)(Row { event, seconds: self.now, pid, tid, ticks, what });
    }

    /// Adds what is left at the end of the recording.
    fn finish(mut self, changes: impl Iterator<Item = Task>) -> Result<Timeline, Error> {
        let event = self.timeline.events;
        let mut inside: Vec<u32> = self.calls.keys().copied().collect();
        inside.sort_by_key(|tid| self.calls.get(tid).map(|(event, ..)| *event));
        for tid in inside {
            self.unreturned(event, tid);
        }
        let last = Frame { tid: 0, ticks: 0, seconds: 0.0, kind: Kind::Other, stands: None, writes: Vec::new() };
        for change in changes {
            self.change(change, &last);
        }
        Ok(self.timeline)
    }
}
