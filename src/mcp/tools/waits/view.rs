//! Who waits for whom, as JSON and as text.

use crate::arch::{RunAddr, ThreadId};
use crate::engine::model::{Owner, Wait, WaitKind, Waiting, Waits, circles};
use crate::mcp::reply::{FrameView, address};
use crate::questions::{Author, HeldLock, LockQuery, Locks, Moment, Source, Taking};
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

impl PlaceView {
    fn of_call(taking: &Taking) -> Self {
        let Source { function, file, line, .. } = taking.caller.clone();
        Self { position: spelled(&taking.at), function, file, line }
    }

    fn of_write((at, author): &(Moment, Author)) -> Self {
        let (function, place) = match author {
            Author::Code { function, line } => (function.clone(), line.clone()),
            Author::Buffered => (None, None),
            Author::System(call) => (call.clone(), None),
        };
        let (file, line) = place.unzip();
        Self { position: spelled(at), function, file, line }
    }
}

impl fmt::Display for PlaceView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.function.as_deref().unwrap_or("?"))?;
        if let (Some(file), Some(line)) = (&self.file, self.line) {
            write!(f, " at {file}:{line}")?;
        }
        self.position.as_ref().map_or(Ok(()), |position| write!(f, "  {position}"))
    }
}

fn spelled(at: &Moment) -> Option<String> {
    at.position().map(|position| position.to_string())
}

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct WaitView {
    /// `mutex`, `condition`, `rwlock`, `semaphore`, `barrier`, `join`, `rust-mutex`, `rust-rwlock`, `rust-condvar`,
    /// `rust-park`, `futex`.
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
    pub(crate) notes: Vec<String>,
}

impl ThreadsReportView {
    /// Creates the view of what threads wait for. `locks`: what was asked about, and `found` of it.
    pub(crate) fn new(waits: &Waits, locks: &[LockQuery], found: &Locks) -> Self {
        let known: Vec<Known<'_>> = locks.iter().zip(&found.held).collect();
        let mut notes = found.notes.clone();
        let for_good = |waiting: &Waiting| {
            let wait = waiting.wait.as_ref().filter(|wait| !wait.is_timed)?;
            owner(wait, lock_of(wait, waiting.thread.id, &known)).ok().flatten()
        };
        let owners: Vec<_> = waits.threads.iter().map(|waiting| (waiting.thread.id, for_good(waiting))).collect();
        if waits.more > 0 {
            notes.push(format!("{} more threads: rr_thread_list", waits.more));
        }
        Self {
            threads: waits.threads.iter().map(|waiting| thread(waiting, &known)).collect(),
            deadlocks: circles(&owners).iter().map(|circle| circle.iter().map(ToString::to_string).collect()).collect(),
            notes,
        }
    }
}

/// A lock, and what was found of it.
type Known<'a> = (&'a LockQuery, &'a HeldLock);

fn lock_of<'a>(wait: &Wait, id: ThreadId, locks: &[Known<'a>]) -> Option<Known<'a>> {
    let is_it =
        |lock: &LockQuery| lock.waiting.contains(&id.tid) && [wait.lock, Some(wait.word)].contains(&Some(lock.lock));
    locks.iter().find(|(lock, _)| is_it(lock)).copied()
}

/// Returns who has what is waited for; in words why that is not known.
fn owner(wait: &Wait, lock: Option<Known<'_>>) -> Result<Option<ThreadId>, String> {
    match (&wait.owner, lock.and_then(|(_, held)| held.taken.as_ref())) {
        (Owner::Thread(owner), _) => Ok(Some(*owner)),
        // Of what does not say itself, the one that took it has it.
        (Owner::Unknown(_), Some((at, _))) if wait.kind == WaitKind::RustMutex => {
            Ok(Some(ThreadId { pid: at.pid, tid: at.tid }))
        }
        (Owner::Unknown(why), _) => Err(why.clone()),
        (Owner::None, _) => Ok(None),
    }
}

fn thread(waiting: &Waiting, locks: &[Known<'_>]) -> WaitingView {
    let id = waiting.thread.id;
    let view = |wait: &Wait| {
        let asked = lock_of(wait, id, locks);
        let place = asked.and_then(|(lock, held)| {
            let number = lock.waiting.iter().position(|tid| *tid == id.tid)?;
            held.waiting.get(number)?.as_ref()
        });
        let held = asked.map(|(_, held)| held);
        let (owner, owner_unknown) = match owner(wait, asked) {
            Ok(owner) => (owner, None),
            Err(why) => (None, Some(why)),
        };
        // Another thread than the owner has not taken it: then something else is wrong, and nothing is said.
        let is_owners = |tid: u32| owner.is_some_and(|owner| owner.tid == tid);
        let owned_since = held.and_then(|held| match (&held.call, &held.taken) {
            (Some(call), _) if is_owners(call.at.tid) => Some(PlaceView::of_call(call)),
            (None, Some(taken)) if is_owners(taken.0.tid) => Some(PlaceView::of_write(taken)),
            _ => None,
        });
        WaitView {
            kind: wait.kind.word(),
            function: wait.function.clone(),
            name: wait.name.clone(),
            ty: wait.ty.clone(),
            address: address(RunAddr(wait.lock.unwrap_or(wait.word))),
            owner: owner.map(|owner| owner.to_string()),
            owner_unknown,
            owned_since,
            asked_at: place.map(PlaceView::of_call),
            timed: wait.is_timed,
        }
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

impl fmt::Display for WaitView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
        if let Some(why) = &self.owner_unknown {
            write!(f, "\n    owner not known: {why}")?;
        }
        self.asked_at.as_ref().map_or(Ok(()), |asked| write!(f, "\n    asked for by {asked}"))
    }
}

impl fmt::Display for ThreadsReportView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for circle in &self.deadlocks {
            let first = circle.first().map_or("", String::as_str);
            writeln!(f, "deadlock: {} waits for {first}", circle.join(" waits for "))?;
        }
        for (number, thread) in self.threads.iter().enumerate() {
            let line = if number == 0 { "" } else { "\n" };
            write!(f, "{line}{} {}", thread.number, thread.thread)?;
            if let Some(name) = &thread.name {
                write!(f, " \"{name}\"")?;
            }
            match &thread.call {
                Some(call) => write!(f, " in {call}")?,
                None => f.write_str(" in no system call")?,
            }
            if let Some(frame) = &thread.frame {
                write!(f, ", {}", frame.place())?;
            }
            if let Some(wait) = &thread.waits_for {
                write!(f, "\n    {wait}")?;
            }
        }
        self.notes.iter().try_for_each(|note| write!(f, "\n{note}"))
    }
}
