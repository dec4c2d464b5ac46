//! The replays that are open, by id.
//!
//! A session is listed from the moment its start was asked for, so that calls sent behind the start queue up for it
//! instead of failing. It leaves the list when it ends, for whatever reason; the reason is kept for whoever asks for it
//! later.

mod pending;
mod status;

pub(crate) use self::pending::Pending;
pub(crate) use self::status::{Activity, Running, Status};
use super::news::{Feed, Level};
use super::turn::Turns;
use super::worker::{After, STOPPED, Token, Worker, in_words};
use crate::engine::model::Observer;
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinSet;

/// How many ended sessions are remembered.
const REMEMBERED: usize = 16;
/// How long a stop waits for the calls before it.
const PATIENCE: Duration = Duration::from_millis(250);
/// How long threads have to notice that their replays are gone, when the server closes.
const LAST_PATIENCE: Duration = Duration::from_millis(500);

/// How many sessions there may be, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Most that are open at the same time.
    pub(crate) most: usize,
    /// How long a session may be idle until it is closed. `None`: for ever.
    pub(crate) idle: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { most: 8, idle: Some(Duration::from_secs(30 * 60)) }
    }
}

/// Ends what a session's debugger debugs, from any thread. False: it did not work.
pub(crate) type Kill = Arc<dyn Fn() -> bool + Send + Sync>;

/// An open replay.
pub(crate) struct Session<E> {
    id: String,
    /// Never used again, unlike the id of a session that was never started.
    serial: u64,
    worker: Worker<E>,
    kill: Kill,
    status: Arc<Mutex<Status>>,
    turns: Turns,
    calls: Arc<AtomicU64>,
    /// The number of the last call that was carried out.
    done: watch::Sender<u64>,
    /// Why it ended.
    end: Arc<OnceLock<String>>,
    feed: Feed,
}

impl<E: 'static> Session<E> {
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Where what happens with it is told.
    pub(crate) fn feed(&self) -> &Feed {
        &self.feed
    }

    /// A copy of what is known.
    pub(crate) fn status(&self) -> Status {
        let mut status = locked(&self.status).clone();
        let served = usize::from(!matches!(status.activity, Activity::Idle));
        status.waiting = self.turns.unfinished().saturating_sub(served);
        status
    }

    /// For a thread that works for the session besides its own: the session is [gone](Self::gone) when that has ended,
    /// too.
    pub(crate) fn token(&self) -> Token {
        self.worker.token()
    }

    /// Its replay is no more.
    pub(crate) fn has_ended(&self) -> bool {
        self.end.get().is_some()
    }

    /// The number of the recording's last event is this one.
    pub(crate) fn counted(&self, events: u64) {
        locked(&self.status).events = Some(events);
    }

    /// Queues `job` as a call of `tool`. The job may write down what it learnt in the status.
    pub(crate) fn submit<T: Send + 'static>(
        &self,
        tool: &'static str,
        job: impl FnOnce(&mut E, &mut dyn Observer, &Mutex<Status>) -> (T, After) + Send + 'static,
    ) -> Pending<T> {
        let (sender, reply) = oneshot::channel();
        let (cancel, begun) = (self.worker.cancel(), Arc::<AtomicBool>::default());
        let (status, taken, own_cancel, seen) = (self.status.clone(), begun.clone(), cancel.clone(), cancel.clone());
        let (turn, calls, done) = (self.turns.take(), self.calls.clone(), self.done.clone());
        let batch = Some(turn.batch());
        let (feed, id) = (self.feed.clone(), self.id.clone());
        self.worker.submit(
            cancel.clone(),
            Box::new(move |debugger, observer| {
                if !turn.begin() {
                    return After::Stay;
                }
                taken.store(true, Ordering::Relaxed);
                let number = calls.fetch_add(1, Ordering::Relaxed) + 1;
                let since = Instant::now();
                let running = Running { tool, since, number, cancel: own_cancel };
                let before = {
                    let mut status = locked(&status);
                    status.activity = Activity::Running(running);
                    status.shown()
                };
                feed.session_changed(&id, &[]);
                let (answer, after) = job(debugger, observer, &status);
                let shown = {
                    let mut status = locked(&status);
                    status.is_idle_now();
                    status.shown()
                };
                feed.session_changed(&id, &before.parts_changed(&shown, tool));
                let took = format!("{tool} took {:.3} s", since.elapsed().as_secs_f64());
                feed.say(Level::Debug, format!("session {id}"), took);
                done.send_replace(number);
                drop(turn);
                if seen.belongs_to_an_end() {
                    // What it says depends on whether it was asked to come to an end or lost its rr first.
                    return After::End(STOPPED.to_owned());
                }
                if sender.send(answer).is_err() {
                    tracing::debug!("nobody waited for {tool}");
                }
                after
            }),
        );
        Pending { reply, cancel, begun, batch, status: Some(self.status.clone()) }
    }

    /// What to say to a call of `tool` that was refused because of what the session is doing.
    pub(crate) fn busy(&self, tool: &str) -> String {
        let id = &self.id;
        let seconds = |since: Instant| since.elapsed().as_secs();
        let (doing, remedy) = match locked(&self.status).activity.clone() {
            Activity::Starting(since) => (
                format!("its replay has been starting for {} s", seconds(since)),
                "wait for it, or give it up with rr_replay_stop",
            ),
            Activity::Running(Running { tool, since, .. }) => (
                format!("{tool} has been running for {} s", seconds(since)),
                "wait for it, stop it where it is with rr_interrupt, or end the session with rr_replay_stop",
            ),
            Activity::Idle => ("other calls came first".to_owned(), "try again"),
        };
        format!("session {id} is busy: {doing}; {remedy}. This {tool} was not carried out")
    }

    /// Asks the call that runs now to come to an end.
    pub(crate) fn interrupt(&self) -> Activity {
        let activity = locked(&self.status).activity.clone();
        if let Activity::Running(running) = &activity {
            running.cancel.set();
        }
        activity
    }

    /// Waits until this call is over.
    pub(crate) async fn over(&self, running: &Running) {
        let mut done = self.done.subscribe();
        // An error means that the session is gone, and its calls with it.
        let _ = done.wait_for(|number| *number >= running.number).await;
    }

    /// Ends the replay. The calls that came before get a moment to finish, then they are ended too.
    ///
    /// Returns within a second. False: its rr could not be killed.
    pub(crate) async fn end(&self) -> bool {
        self.worker.end();
        if tokio::time::timeout(PATIENCE, self.worker.gone()).await.is_ok() {
            return true;
        }
        let killed = self.kill().await;
        // An rr that is just being started is ended by the thread itself, which looks every few dozen milliseconds. A
        // thread that is busy computing is not waited for.
        let _ = tokio::time::timeout(PATIENCE, self.worker.gone()).await;
        killed
    }

    /// Ends the replay at once, whatever its thread is doing. The thread ends when it notices.
    async fn kill(&self) -> bool {
        self.worker.abort();
        let kill = self.kill.clone();
        tokio::task::spawn_blocking(move || kill()).await.unwrap_or(false)
    }

    /// Waits for the end of the thread.
    pub(crate) async fn gone(&self) {
        self.worker.gone().await;
    }

    /// Why it has ended, once its thread is gone.
    pub(crate) fn end_reason(&self) -> Ended {
        let started = !matches!(locked(&self.status).activity, Activity::Starting(_));
        let reason = self.end.get().cloned().unwrap_or_else(|| STOPPED.to_owned());
        Ended { id: self.id.clone(), reason, started }
    }
}

/// All open replays.
pub(crate) struct Sessions<E> {
    table: Mutex<Table<E>>,
    limits: Limits,
    feed: Feed,
}

/// What is known of a session by its id.
pub(crate) enum Known<E> {
    Open {
        session: Arc<Session<E>>,
        /// It is the one that calls without an id mean.
        current: bool,
    },
    Ended(Ended),
}

struct Table<E> {
    /// The most recently used is last.
    open: Vec<Arc<Session<E>>>,
    ended: VecDeque<Ended>,
    numbers: Numbers,
    opened: u64,
    closing: bool,
}

/// The numbers in the ids of sessions.
#[derive(Debug, Default)]
struct Numbers {
    last: u32,
    given_back: BTreeSet<u32>,
}

impl Numbers {
    fn next(&mut self) -> u32 {
        self.last += 1;
        self.last
    }

    /// A number that no client has learnt. It is used again if no later one has been.
    fn give_back(&mut self, number: u32) {
        self.given_back.insert(number);
        while self.given_back.remove(&self.last) {
            self.last -= 1;
        }
    }
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
    pub(crate) fn new(limits: Limits) -> Self {
        let table =
            Table { open: Vec::new(), ended: VecDeque::new(), numbers: Numbers::default(), opened: 0, closing: false };
        Self { table: Mutex::new(table), limits, feed: Feed::default() }
    }

    /// Where what happens with sessions is told.
    pub(crate) fn feed(&self) -> &Feed {
        &self.feed
    }

    /// Opens a session whose thread makes its debugger with `start`, and whose replay `kill` ends. Later calls may name
    /// it at once.
    pub(crate) fn open(
        self: &Arc<Self>,
        trace: Option<PathBuf>,
        kill: Kill,
        start: impl FnOnce() -> Result<E, String> + Send + 'static,
    ) -> Result<Arc<Session<E>>, String> {
        let mut table = locked(&self.table);
        if table.closing {
            return Err("the server is shutting down".to_owned());
        }
        if table.open.len() >= self.limits.most {
            return Err(table.full(self.limits.most));
        }
        let number = table.numbers.next();
        let (id, serial) = (format!("s{number}"), table.opened);
        let (sessions, end) = (Arc::downgrade(self), Arc::<OnceLock<String>>::default());
        let reason_of_end = end.clone();
        let ended = move |reason: String| {
            reason_of_end.get_or_init(|| reason);
            Self::forget(&sessions, serial);
        };
        let created = Some(SystemTime::now());
        let status = Status { created, trace, activity: Activity::Starting(Instant::now()), ..Status::default() };
        let status = Arc::new(Mutex::new(status));
        let starting = status.clone();
        let start = move || {
            let debugger = start()?;
            locked(&starting).is_idle_now();
            Ok(debugger)
        };
        let worker = match Worker::spawn(&format!("replay {id}"), self.limits.idle, start, ended) {
            Ok(worker) => worker,
            Err(error) => {
                table.numbers.give_back(number);
                return Err(format!("no thread for the session could be started: {error}"));
            }
        };
        table.opened += 1;
        let session = Arc::new(Session {
            id,
            serial,
            worker,
            kill,
            status,
            turns: Turns::default(),
            calls: Arc::default(),
            done: watch::Sender::new(0),
            end,
            feed: self.feed.clone(),
        });
        table.open.push(session.clone());
        self.feed.session_changed(&session.id, &[]);
        Ok(session)
    }

    /// A session's thread has ended.
    fn forget(sessions: &Weak<Self>, serial: u64) {
        if let Some(sessions) = sessions.upgrade() {
            let mut table = locked(&sessions.table);
            let session = table.open.extract_if(.., |session| session.serial == serial).next();
            if let Some(session) = session {
                let ended = session.end_reason();
                let level = if ended.is_loss() { Level::Error } else { Level::Info };
                sessions.feed.say(level, format!("session {}", session.id), ended.to_string());
                table.remember(ended);
                sessions.feed.session_changed(&session.id, &[]);
            }
        }
    }

    /// The session of this id, or the most recently used one. It is the most recently used one from now on.
    pub(crate) fn find(&self, id: Option<&str>) -> Result<Arc<Session<E>>, String> {
        let mut table = locked(&self.table);
        let session = table.remove(id)?;
        table.open.push(session.clone());
        Ok(session)
    }

    /// What is known of the session of this id, or of the most recently used one. Does not count as using it.
    pub(crate) fn look(&self, id: Option<&str>) -> Result<Known<E>, String> {
        let table = locked(&self.table);
        let last = table.open.last();
        let found = match id {
            None => last,
            Some(id) => table.open.iter().find(|session| session.id == id),
        };
        if let Some(session) = found {
            let current = last.is_some_and(|last| last.serial == session.serial);
            return Ok(Known::Open { session: session.clone(), current });
        }
        let ended = table.ended.iter().rfind(|ended| Some(ended.id.as_str()) == id);
        ended.cloned().map(Known::Ended).ok_or_else(|| table.missing(id))
    }

    /// How long a session may be idle.
    pub(crate) fn idle_limit(&self) -> Option<Duration> {
        self.limits.idle
    }

    /// Takes a session off the list: no later call finds it. `None` if none is open and none was named.
    pub(crate) fn take(&self, id: Option<&str>) -> Result<Option<Arc<Session<E>>>, String> {
        let mut table = locked(&self.table);
        if id.is_none() && table.open.is_empty() {
            return Ok(None);
        }
        let session = table.remove(id)?;
        let started = session.end_reason().started;
        let ended = Ended { id: session.id.clone(), reason: STOPPED.to_owned(), started };
        self.feed.say(Level::Info, format!("session {}", session.id), ended.to_string());
        table.remember(ended);
        self.feed.session_changed(&session.id, &[]);
        Ok(Some(session))
    }

    /// Ends a session that nobody will ask for, and whose id nobody has learnt.
    pub(crate) async fn discard(&self, session: &Session<E>) {
        {
            let mut table = locked(&self.table);
            let listed = table.open.extract_if(.., |open| open.serial == session.serial).next().is_some();
            if listed {
                table.give_back(&session.id);
            }
        }
        session.kill().await;
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
        let mut killing = JoinSet::new();
        for session in &open {
            session.worker.abort();
            let kill = session.kill.clone();
            killing.spawn_blocking(move || kill());
        }
        if killing.join_all().await.contains(&false) {
            tracing::warn!("an rr could not be killed");
        }
        let all_gone = async {
            for session in &open {
                session.gone().await;
            }
        };
        if tokio::time::timeout(LAST_PATIENCE, all_gone).await.is_err() {
            tracing::warn!("the thread of a replay did not end in time; it ends with this process");
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

    fn remember(&mut self, ended: Ended) {
        if !ended.started {
            self.give_back(&ended.id);
            return;
        }
        if self.ended.len() == REMEMBERED {
            self.ended.pop_front();
        }
        self.ended.push_back(ended);
    }

    fn give_back(&mut self, id: &str) {
        if let Some(number) = id.strip_prefix('s').and_then(|number| number.parse().ok()) {
            self.numbers.give_back(number);
        }
    }

    /// What to say to a start when as many are open as there may be.
    fn full(&self, most: usize) -> String {
        let mut open: Vec<&Arc<Session<E>>> = self.open.iter().collect();
        open.sort_unstable_by_key(|session| (session.id.len(), session.id.as_str()));
        let about = |session: &Arc<Session<E>>| {
            let status = locked(&session.status);
            let mut about = vec![match &status.activity {
                Activity::Starting(_) => "starting".to_owned(),
                Activity::Running(running) => format!("running {}", running.tool),
                Activity::Idle => {
                    let idle = status.idle().unwrap_or_default().as_secs();
                    format!("idle for {}", in_words(Duration::from_secs(idle)))
                }
            }];
            about.extend(status.pid.map(|pid| format!("process {pid}")));
            about.extend(status.trace.as_ref().map(|trace| format!("of {}", trace.display())));
            format!("{} ({})", session.id, about.join(", "))
        };
        let list: Vec<String> = open.into_iter().map(about).collect();
        let count = list.len();
        format!(
            "{count} sessions are open, and no more than {most} may be (RR_MCP_MAX_SESSIONS): {}; close one that is not \
             needed any more with rr_replay_stop",
            list.join(", ")
        )
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
        match self.ended.iter().find(|ended| ended.id == id) {
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
