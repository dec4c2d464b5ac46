//! Who waits for whom, as JSON and as text.

use crate::mcp::reply::{FrameView, address};
use crate::story::Blocked;
use arch::{RunAddr, ThreadId};
use engine::model::{Owner, Wait, WaitKind, Waiting, circles};
use questions::{Holder, Moment, Source, Taking, Wakes};
use rmcp::schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use std::fmt;

/// A call, or a write.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct PlaceView {
    /// For rr_goto.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

impl From<&Taking> for PlaceView {
    fn from(taking: &Taking) -> Self {
        let Source { function, file, line, .. } = taking.caller.clone();
        Self { position: taking.at.position().map(|position| position.to_string()), function, file, line }
    }
}

impl fmt::Display for PlaceView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.function.as_deref().unwrap_or("?"))?;
        if let (Some(file), Some(line)) = (&self.file, self.line) {
            write!(f, " at {file}:{line}")?;
        }
        self.position.as_ref().map_or(Ok(()), |position| write!(f, ", position {position}"))
    }
}

/// A thread that has a lock for reading.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ReaderView {
    /// pid.tid
    thread: String,
    since: PlaceView,
}

/// How often a condition was signalled, at its address, by this process.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct WakesView {
    count: u64,
    /// It may have been more often.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    at_least: bool,
    /// pid.tid of the thread that did so last, and where.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<PlaceView>,
    /// The last time was before this thread began to wait.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    before_this_wait: bool,
}

impl WakesView {
    fn new(wakes: &Wakes, waits_since: Option<&Moment>) -> Self {
        let is_before = |last: &Taking| {
            let ended = last.at.latest.or(last.at.event);
            ended.zip(waits_since.and_then(|since| since.event)).is_some_and(|(last, since)| last < since)
        };
        Self {
            count: wakes.count,
            at_least: wakes.is_at_least,
            last_by: wakes.last.as_ref().map(|last| thread_of(&last.at).to_string()),
            last: wakes.last.as_ref().map(Into::into),
            before_this_wait: wakes.last.as_ref().is_some_and(is_before),
        }
    }
}

impl fmt::Display for WakesView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = match self.count {
            0 => return f.write_str("nobody in this process has signalled it"),
            count if self.at_least => format!("at least {count} times"),
            1 => "once".to_owned(),
            count => format!("{count} times"),
        };
        let too_early = if self.before_this_wait { " before this wait" } else { "" };
        write!(f, "signalled {times}{too_early}")?;
        if let (Some(by), Some(last)) = (&self.last_by, &self.last) {
            let label = if self.count == 1 { "" } else { ", last" };
            write!(f, "{label} by {by} in {last}")?;
        }
        Ok(())
    }
}

fn thread_of(at: &Moment) -> ThreadId {
    ThreadId { pid: at.pid, tid: at.tid }
}

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct WaitView {
    /// `mutex`, `condition`, `rwlock`, `semaphore`, `barrier`, `join`, `rust-mutex`, `rust-rwlock`, `rust-condvar`,
    /// `rust-park`, `rust-channel`, `future`, `futex`.
    kind: &'static str,
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    ty: Option<String>,
    /// Of the lock, else of the word that is waited for.
    address: String,
    /// pid.tid
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner_unknown: Option<String>,
    /// Where the owner took it.
    #[serde(skip_serializing_if = "Option::is_none")]
    owned_since: Option<PlaceView>,
    /// The threads that have it for reading.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    readers: Vec<ReaderView>,
    /// Of a condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    wakes: Option<WakesView>,
    /// Where this thread asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked_at: Option<PlaceView>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    timed: bool,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct WaitingView {
    /// pid.tid
    thread: String,
    number: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The system call that it is in. Left out: it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    waits_for: Option<WaitView>,
    /// The innermost of the program's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    frame: Option<FrameView>,
}

/// Returns the schema of threads: what is in one, their text says.
fn threads(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "array", "items": { "type": "object" } })
}

/// Result of `rr_threads_report`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ThreadsReportView {
    #[schemars(schema_with = "threads")]
    pub(crate) threads: Vec<WaitingView>,
    /// Each waits for the next, the last for the first.
    pub(crate) deadlocks: Vec<Vec<String>>,
    /// The same in a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) sentences: Vec<String>,
    pub(crate) notes: Vec<String>,
}

impl ThreadsReportView {
    /// Creates the view of what threads wait for.
    pub(crate) fn new(blocked: &Blocked) -> Self {
        let mut notes = blocked.locks.notes.clone();
        let threads = &blocked.waits.threads;
        let for_good = |waiting: &Waiting| match &waiting.wait {
            Some(wait) if !wait.is_timed => Has::of(wait, waiting, blocked).threads(),
            _ => Vec::new(),
        };
        let owners: Vec<_> = threads.iter().map(|waiting| (waiting.thread.id, for_good(waiting))).collect();
        if blocked.waits.more > 0 {
            notes.push(format!("{} more threads: rr_thread_list", blocked.waits.more));
        }
        let circles = circles(&owners);
        let threads: Vec<WaitingView> = threads.iter().map(|waiting| thread(waiting, blocked)).collect();
        let deadlocks: Vec<Vec<String>> =
            circles.iter().map(|circle| circle.iter().map(ToString::to_string).collect()).collect();
        let sentences = deadlocks.iter().map(|circle| sentence(circle, &threads)).collect();
        Self { threads, deadlocks, sentences, notes }
    }

    /// Returns the lines about the threads.
    pub(crate) fn threads_text(&self) -> String {
        self.threads.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }
}

/// Says how threads wait for each other.
fn sentence(circle: &[String], threads: &[WaitingView]) -> String {
    let step = |(id, next): (&String, &String)| {
        let waiting = threads.iter().find(|waiting| waiting.thread == *id);
        let place = waiting.and_then(|waiting| waiting.frame.as_ref()).map(|frame| format!(" ({})", short(frame)));
        let wait = waiting.and_then(|waiting| waiting.waits_for.as_ref());
        let what = wait.map(|wait| wait.held_by(next)).unwrap_or_else(|| next.clone());
        format!("{id}{} waits for {what}", place.unwrap_or_default())
    };
    let next = circle.iter().cycle().skip(1);
    let steps: Vec<String> = circle.iter().zip(next).map(step).collect();
    format!("deadlock: {}", steps.join("; "))
}

/// Returns the function of a frame, and its line without the directories of the file.
fn short(frame: &FrameView) -> String {
    let function = frame.function.as_deref().unwrap_or("?");
    match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!("{function} at {}:{line}", file.rsplit('/').next().unwrap_or(file)),
        _ => function.to_owned(),
    }
}

/// Who has what is waited for.
enum Has<'a> {
    /// This thread.
    Owner(ThreadId, Option<&'a Holder>),
    /// These threads, for reading.
    Readers(&'a [Holder]),
    /// Nobody.
    Nobody,
    /// That is not known, in words.
    Unknown(String),
}

impl<'a> Has<'a> {
    fn of(wait: &Wait, waiting: &Waiting, blocked: &'a Blocked) -> Self {
        let held = blocked.lock_of(waiting);
        let holders = held.map(|(_, held)| held.holders.as_slice()).unwrap_or_default();
        let has_ended = |id: ThreadId| {
            blocked.waits.more == 0 && !blocked.waits.threads.iter().any(|waiting| waiting.thread.id == id)
        };
        let of = |id: ThreadId| holders.iter().find(|holder| thread_of(&holder.taking.at) == id);
        match (&wait.owner, holders) {
            // Another thread than the owner has not taken it: then something else is wrong, and nothing is said.
            (Owner::Thread(owner), _) => Self::Owner(*owner, of(*owner)),
            (Owner::None, _) => Self::Nobody,
            // Of what does not say itself, those have it that took it.
            (Owner::Unknown(_), [one]) if !one.is_shared && wait.kind != WaitKind::Mutex => {
                match thread_of(&one.taking.at) {
                    owner if has_ended(owner) => Self::Unknown(format!("{owner} took it, and has ended")),
                    owner => Self::Owner(owner, Some(one)),
                }
            }
            (Owner::Unknown(_), [_, ..]) if holders.iter().all(|holder| holder.is_shared) => Self::Readers(holders),
            (Owner::Unknown(why), _) => Self::Unknown(why.clone()),
        }
    }

    fn threads(&self) -> Vec<ThreadId> {
        match self {
            Self::Owner(owner, _) => vec![*owner],
            Self::Readers(holders) => holders.iter().map(|holder| thread_of(&holder.taking.at)).collect(),
            Self::Nobody | Self::Unknown(_) => Vec::new(),
        }
    }
}

fn thread(waiting: &Waiting, blocked: &Blocked) -> WaitingView {
    let id = waiting.thread.id;
    let view = |wait: &Wait| {
        let asked = blocked.lock_of(waiting);
        let since = asked.and_then(|(lock, held)| {
            let number = lock.waiting.iter().position(|tid| *tid == id.tid)?;
            held.waiting.get(number)?.as_ref()
        });
        let held = asked.map(|(_, held)| held);
        let mut view = WaitView {
            kind: wait.kind.word(),
            function: wait.function.clone(),
            name: wait.name.clone(),
            ty: wait.ty.clone(),
            address: address(RunAddr(wait.lock.unwrap_or(wait.word))),
            owner: None,
            owner_unknown: None,
            owned_since: None,
            readers: Vec::new(),
            wakes: held.and_then(|held| Some(WakesView::new(held.wakes.as_ref()?, since.map(|since| &since.at)))),
            asked_at: since.map(Into::into),
            timed: wait.is_timed,
        };
        match Has::of(wait, waiting, blocked) {
            Has::Owner(owner, holder) => {
                view.owner = Some(owner.to_string());
                view.owned_since = holder.map(|holder| (&holder.taking).into());
            }
            Has::Readers(holders) => {
                let reader = |holder: &Holder| ReaderView {
                    thread: thread_of(&holder.taking.at).to_string(),
                    since: (&holder.taking).into(),
                };
                view.readers = holders.iter().map(reader).collect();
            }
            Has::Nobody => {}
            Has::Unknown(why) => view.owner_unknown = Some(why),
        }
        view
    };
    WaitingView {
        thread: id.to_string(),
        number: waiting.thread.number,
        name: waiting.thread.name.clone(),
        call: waiting.call.clone(),
        waits_for: waiting.wait.as_ref().map(view),
        frame: waiting.frame.clone().map(Into::into),
    }
}

impl WaitView {
    /// Returns what is waited for, by its name if it has one.
    fn what(&self) -> String {
        match (&self.name, self.kind) {
            (Some(name), kind) => format!("{kind} {name}"),
            (None, kind) => format!("{kind} at {}", self.address),
        }
    }

    /// Returns what is waited for, and how a thread has it: `mutex a, which 1.2 took in f at a.c:3`.
    fn held_by(&self, thread: &str) -> String {
        if self.kind == WaitKind::Join.word() {
            return format!("the end of {thread}");
        }
        let reader = self.readers.iter().find(|reader| reader.thread == thread);
        let (since, how) = match reader {
            Some(reader) => (Some(&reader.since), " for reading"),
            None => (self.owned_since.as_ref(), ""),
        };
        match since {
            Some(since) => format!("{}, which {thread} took{how} in {since}", self.what()),
            None => format!("{}, which {thread} has", self.what()),
        }
    }
}

impl fmt::Display for WaitView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (true, Some(owner)) = (self.kind == WaitKind::Join.word(), &self.owner) {
            return write!(f, "waits for the end of {owner}");
        }
        write!(f, "waits for {}", self.kind)?;
        if let Some(name) = &self.name {
            write!(f, " {name}")?;
        }
        if let Some(ty) = &self.ty {
            write!(f, " ({ty})")?;
        }
        write!(f, " at {}", self.address)?;
        if let Some(function) = &self.function {
            write!(f, " in {function}")?;
        }
        if self.timed {
            f.write_str(", for a time")?;
        }
        if let Some(owner) = &self.owner {
            write!(f, "\n    owned by {owner}")?;
            if let Some(since) = &self.owned_since {
                write!(f, " since {since}")?;
            }
        }
        for reader in &self.readers {
            write!(f, "\n    read by {} since {}", reader.thread, reader.since)?;
        }
        if let Some(why) = &self.owner_unknown {
            write!(f, "\n    owner not known: {why}")?;
        }
        if let Some(wakes) = &self.wakes {
            write!(f, "\n    {wakes}")?;
        }
        self.asked_at.as_ref().map_or(Ok(()), |asked| write!(f, "\n    asked for by {asked}"))
    }
}

impl fmt::Display for WaitingView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number, self.thread)?;
        if let Some(name) = &self.name {
            write!(f, " \"{name}\"")?;
        }
        match &self.call {
            Some(call) => write!(f, " in {call}")?,
            None => f.write_str(" in no system call")?,
        }
        if let Some(frame) = &self.frame {
            write!(f, ", {}", frame.place())?;
        }
        self.waits_for.as_ref().map_or(Ok(()), |wait| write!(f, "\n    {wait}"))
    }
}

impl fmt::Display for ThreadsReportView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sentences.iter().try_for_each(|sentence| writeln!(f, "{sentence}"))?;
        f.write_str(&self.threads_text())?;
        self.notes.iter().try_for_each(|note| write!(f, "\n{note}"))
    }
}
