//! The replays that are open, by id.
//!
//! A session is listed from the moment its start was asked for, so that calls sent behind the start queue up for it
//! instead of failing. It leaves the list when it ends, for whatever reason; the reason is kept for whoever asks for it
//! later.

use super::worker::{After, Cancel, STOPPED, Worker};
use crate::engine::Traffic;
use crate::engine::model::{Checkpoint, Observer, Stop};
use std::collections::VecDeque;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::oneshot;

/// How many ended sessions are remembered.
const REMEMBERED: usize = 16;
/// How long a stop waits for the calls before it until it interrupts them.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long an interrupted session has to end rr.
const LAST_PATIENCE: Duration = Duration::from_secs(5);

/// What a session is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Activity {
    /// Its replay is being started.
    #[default]
    Starting,
    /// It waits for a call.
    Idle,
    /// It runs a call of this tool.
    Running(&'static str),
}

/// What is known about a session without asking its thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Status {
    pub(crate) activity: Activity,
    /// The trace as asked for, then as rr named it.
    pub(crate) trace: Option<PathBuf>,
    pub(crate) pid: Option<u32>,
    pub(crate) port: Option<u16>,
    /// Where its last movement ended, with the word for why.
    pub(crate) stop: Option<(Stop, &'static str)>,
    pub(crate) checkpoints: Vec<Checkpoint>,
    pub(crate) breakpoints: usize,
    /// What the packets to rr have cost so far.
    pub(crate) traffic: Option<Traffic>,
}

/// An open replay.
pub(crate) struct Session<E> {
    id: String,
    worker: Worker<E>,
    status: Arc<Mutex<Status>>,
}

/// A job's answer on its way, and how to give up on it.
pub(crate) struct Pending<T> {
    pub(crate) reply: oneshot::Receiver<T>,
    pub(crate) cancel: Cancel,
    /// The thread has taken the job up.
    pub(crate) begun: Arc<AtomicBool>,
}

impl<E: 'static> Session<E> {
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// A copy of what is known.
    pub(crate) fn status(&self) -> Status {
        locked(&self.status).clone()
    }

    /// Queues `job` as a call of `tool`. The job may write down what it learnt in the status.
    pub(crate) fn submit<T: Send + 'static>(
        &self,
        tool: &'static str,
        job: impl FnOnce(&mut E, &mut dyn Observer, &Mutex<Status>) -> (T, After) + Send + 'static,
    ) -> Pending<T> {
        let (sender, reply) = oneshot::channel();
        let (cancel, begun) = (self.worker.cancel(), Arc::<AtomicBool>::default());
        let (status, taken) = (self.status.clone(), begun.clone());
        self.worker.submit(
            cancel.clone(),
            Box::new(move |debugger, observer| {
                taken.store(true, Ordering::Relaxed);
                locked(&status).activity = Activity::Running(tool);
                let (answer, after) = job(debugger, observer, &status);
                locked(&status).activity = Activity::Idle;
                if sender.send(answer).is_err() {
                    tracing::debug!("nobody waited for {tool}");
                }
                after
            }),
        );
        Pending { reply, cancel, begun }
    }

    /// Ends the replay after the calls that came before, which are interrupted if they take long.
    ///
    /// False if it has not ended in time even so; its thread is then left to itself.
    pub(crate) async fn end(&self) -> bool {
        self.worker.end();
        if tokio::time::timeout(PATIENCE, self.worker.gone()).await.is_ok() {
            return true;
        }
        self.worker.abort();
        tokio::time::timeout(LAST_PATIENCE, self.worker.gone()).await.is_ok()
    }

    /// Waits for the end of the thread.
    pub(crate) async fn gone(&self) {
        self.worker.gone().await;
    }
}

/// All open replays.
pub(crate) struct Sessions<E> {
    table: Mutex<Table<E>>,
}

struct Table<E> {
    /// The most recently used is last.
    open: Vec<Arc<Session<E>>>,
    ended: VecDeque<Ended>,
    started: u32,
    closing: bool,
}

/// A session that is no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) id: String,
    pub(crate) reason: String,
    /// False: its replay could not be started, so that it never was one to the client.
    pub(crate) started: bool,
}

impl Ended {
    /// It was there, and nobody asked for its end.
    fn is_loss(&self) -> bool {
        self.started && self.reason != STOPPED
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.started {
            write!(f, "session {} has ended: ", self.id)?;
        }
        f.write_str(&self.reason)
    }
}

impl<E: 'static> Sessions<E> {
    pub(crate) fn new() -> Self {
        let table = Table { open: Vec::new(), ended: VecDeque::new(), started: 0, closing: false };
        Self { table: Mutex::new(table) }
    }

    /// Opens a session whose thread makes its debugger with `start`. Later calls may name it at once.
    pub(crate) fn open(
        self: &Arc<Self>,
        trace: Option<PathBuf>,
        start: impl FnOnce() -> Result<E, String> + Send + 'static,
    ) -> Result<Arc<Session<E>>, String> {
        let mut table = locked(&self.table);
        if table.closing {
            return Err("the server is shutting down".to_owned());
        }
        let id = format!("s{}", table.started + 1);
        let (sessions, ending) = (Arc::downgrade(self), id.clone());
        let ended = move |reason| Self::forget(&sessions, &ending, reason);
        let worker = Worker::spawn(&format!("replay {id}"), start, ended)
            .map_err(|e| format!("no thread for the session could be started: {e}"))?;
        table.started += 1;
        let status = Status { trace, ..Status::default() };
        let session = Arc::new(Session { id, worker, status: Arc::new(Mutex::new(status)) });
        table.open.push(session.clone());
        Ok(session)
    }

    fn forget(sessions: &Weak<Self>, id: &str, reason: String) {
        if let Some(sessions) = sessions.upgrade() {
            let mut table = locked(&sessions.table);
            let session = table.open.extract_if(.., |session| session.id == id).next();
            let started = session.is_some_and(|session| locked(&session.status).activity != Activity::Starting);
            table.remember(id, reason, started);
        }
    }

    /// The session of this id, or the most recently used one. It is the most recently used one from now on.
    pub(crate) fn find(&self, id: Option<&str>) -> Result<Arc<Session<E>>, String> {
        let mut table = locked(&self.table);
        let session = table.remove(id)?;
        table.open.push(session.clone());
        Ok(session)
    }

    /// Takes a session off the list: no later call finds it. `None` if none is open and none was named.
    pub(crate) fn take(&self, id: Option<&str>) -> Result<Option<Arc<Session<E>>>, String> {
        let mut table = locked(&self.table);
        if id.is_none() && table.open.is_empty() {
            return Ok(None);
        }
        let session = table.remove(id)?;
        table.remember(&session.id, STOPPED.to_owned(), true);
        Ok(Some(session))
    }

    /// Ends a session that nobody will ask for.
    pub(crate) fn discard(&self, session: &Session<E>) {
        let mut table = locked(&self.table);
        table.open.retain(|open| open.id != session.id);
        session.worker.abort();
    }

    /// What to say about a session that is not open any more.
    pub(crate) fn end_of(&self, id: &str) -> String {
        match locked(&self.table).ended(id) {
            Some(ended) => ended.to_string(),
            None => format!("session {id} has ended"),
        }
    }

    /// The open sessions, the most recently used last, and those that ended by themselves, the latest last.
    pub(crate) fn list(&self) -> (Vec<Arc<Session<E>>>, Vec<Ended>) {
        let table = locked(&self.table);
        (table.open.clone(), table.ended.iter().filter(|ended| ended.is_loss()).cloned().collect())
    }

    /// The open session that replays this trace.
    pub(crate) fn replaying(&self, trace: &Path) -> Option<String> {
        let wanted = trace.canonicalize().ok()?;
        let (open, _) = self.list();
        open.iter()
            .find(|session| {
                let trace = locked(&session.status).trace.clone();
                trace.and_then(|trace| trace.canonicalize().ok()).is_some_and(|trace| trace == wanted)
            })
            .map(|session| session.id.clone())
    }

    /// Ends all sessions now and opens no more.
    pub(crate) async fn close(&self) {
        let open = {
            let mut table = locked(&self.table);
            table.closing = true;
            table.open.clone()
        };
        open.iter().for_each(|session| session.worker.abort());
        let all_gone = async {
            for session in &open {
                session.gone().await;
            }
        };
        if tokio::time::timeout(LAST_PATIENCE, all_gone).await.is_err() {
            tracing::warn!("a replay did not end in time; it ends with this process");
        }
    }
}

impl<E> Table<E> {
    fn remove(&mut self, id: Option<&str>) -> Result<Arc<Session<E>>, String> {
        let index = match id {
            None => self.open.len().checked_sub(1),
            Some(id) => self.open.iter().position(|session| session.id == id),
        };
        match index {
            Some(index) => Ok(self.open.remove(index)),
            None => Err(self.missing(id)),
        }
    }

    fn remember(&mut self, id: &str, reason: String, started: bool) {
        if self.ended(id).is_some() {
            return;
        }
        if self.ended.len() == REMEMBERED {
            self.ended.pop_front();
        }
        self.ended.push_back(Ended { id: id.to_owned(), reason, started });
    }

    fn ended(&self, id: &str) -> Option<&Ended> {
        self.ended.iter().find(|ended| ended.id == id)
    }

    /// What to say about a session that is not open.
    fn missing(&self, id: Option<&str>) -> String {
        let Some(id) = id else {
            let none = "no replay session: call rr_replay_start first";
            return match self.ended.back() {
                Some(last) if last.is_loss() => format!("{none} ({last})"),
                _ => none.to_owned(),
            };
        };
        let mut ids: Vec<&str> = self.open.iter().map(|session| session.id.as_str()).collect();
        ids.sort_unstable_by_key(|id| (id.len(), *id));
        let open = if ids.is_empty() {
            "no session is open: call rr_replay_start first".to_owned()
        } else {
            format!("open sessions: {}", ids.join(", "))
        };
        match self.ended(id) {
            Some(ended) => format!("{ended}; {open}"),
            None => format!("unknown session {id:?}; {open}"),
        }
    }
}

/// Locks; a panic elsewhere does not make the data wrong, since every change of it is a single assignment.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
