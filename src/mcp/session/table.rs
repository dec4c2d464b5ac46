//! The replays that are open, by id.
//!
//! A session is listed from the moment its start was asked for, so that calls sent behind the start queue up for it
//! instead of failing. It leaves the list when it ends, for whatever reason; the reason is kept for whoever asks for it
//! later.

use super::ended_sessions::{Ended, STOPPED, in_words};
use super::status::Activity;
use super::thread::{Kill, Opening, Session};
use crate::mcp::lock::locked;
use crate::mcp::notify::{Feed, Level};
use crate::mcp::policy::Limits;
use base::untrusted::PathText as _;
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tokio::task::JoinSet;

/// How many ended sessions are remembered.
pub(super) const REMEMBERED: usize = 16;
/// How long threads have to notice that their replays are gone, when the server closes.
const LAST_PATIENCE: Duration = Duration::from_millis(500);

/// All open replays.
pub(crate) struct Sessions<E> {
    table: Mutex<Table<E>>,
    limits: Limits,
    feed: Feed,
}

/// What is known of a session by its id.
pub(crate) enum SessionById<E> {
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
    /// The most recently used one that was lost, if nothing was opened or named since.
    lost: Option<Lost>,
    numbers: Numbers,
    opened: u64,
    closing: bool,
}

/// The most recently used session, when it has ended without being told to. Who names no session meant that one: the
/// others are no answer to it.
struct Lost {
    ended: Ended,
    /// The sessions that were open then and were not named since, by their serials.
    unnamed: BTreeSet<u64>,
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

    /// Takes back a number that no client has learnt. It is used again if no later one has been.
    fn give_back(&mut self, number: u32) {
        self.given_back.insert(number);
        while self.given_back.remove(&self.last) {
            self.last -= 1;
        }
    }
}

impl<E: 'static> Sessions<E> {
    pub(crate) fn new(limits: Limits) -> Self {
        let table = Table {
            open: Vec::new(),
            ended: VecDeque::new(),
            lost: None,
            numbers: Numbers::default(),
            opened: 0,
            closing: false,
        };
        Self { table: Mutex::new(table), limits, feed: Feed::default() }
    }

    /// Returns the feed to which what happens with sessions is reported.
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
        let (id, serial, idle) = (format!("s{number}"), table.opened, self.limits.idle);
        let opening = Opening { id, serial, trace, kill, idle, feed: self.feed.clone() };
        let sessions = Arc::downgrade(self);
        let session = match Session::spawn(opening, start, move || Self::forget(&sessions, serial)) {
            Ok(session) => Arc::new(session),
            Err(error) => {
                table.numbers.give_back(number);
                return Err(format!("no thread for the session could be started: {error}"));
            }
        };
        table.opened += 1;
        table.open.push(session.clone());
        self.feed.session_changed(&session.id, &[]);
        Ok(session)
    }

    /// Forgets a session whose thread has ended.
    fn forget(sessions: &Weak<Self>, serial: u64) {
        if let Some(sessions) = sessions.upgrade() {
            let mut table = locked(&sessions.table);
            let is_current = table.current().is_some_and(|session| session.serial == serial);
            let session = table.open.extract_if(.., |session| session.serial == serial).next();
            if let Some(session) = session {
                let ended = session.end_reason();
                if is_current && ended.is_loss() {
                    table.lose(ended.clone());
                }
                let level = if ended.is_loss() { Level::Error } else { Level::Info };
                sessions.feed.say(level, format!("session {}", session.id), ended.to_string());
                table.remember(ended);
                sessions.feed.session_changed(&session.id, &[]);
            }
        }
    }

    /// Finds the session of this id, or the most recently used one. It is the most recently used one from now on.
    pub(crate) fn find(&self, id: Option<&str>) -> Result<Arc<Session<E>>, String> {
        let mut table = locked(&self.table);
        let session = table.remove(id)?;
        if let Some(lost) = &mut table.lost {
            lost.unnamed.remove(&session.serial);
        }
        table.open.push(session.clone());
        Ok(session)
    }

    /// Looks up what is known of the session of this id, or of the most recently used one. Does not count as using it.
    pub(crate) fn look(&self, id: Option<&str>) -> Result<SessionById<E>, String> {
        let table = locked(&self.table);
        let current = table.current();
        let found = match id {
            None => current,
            Some(id) => table.open.iter().find(|session| session.id == id),
        };
        if let Some(session) = found {
            let current = current.is_some_and(|current| current.serial == session.serial);
            return Ok(SessionById::Open { session: session.clone(), current });
        }
        let ended = table.ended.iter().rfind(|ended| Some(ended.id.as_str()) == id);
        ended.cloned().map(SessionById::Ended).ok_or_else(|| table.missing(id))
    }

    /// Returns how long a session may be idle.
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

    /// Lists the open sessions, the most recently used last, and those that ended by themselves, the latest last.
    pub(crate) fn list(&self) -> (Vec<Arc<Session<E>>>, Vec<Ended>) {
        let table = locked(&self.table);
        (table.open.clone(), table.ended.iter().filter(|ended| ended.is_loss()).cloned().collect())
    }

    /// Returns the open session that replays this trace.
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
            session.abort();
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
    /// Returns the session that calls without an id mean.
    fn current(&self) -> Option<&Arc<Session<E>>> {
        let is_meant = |session: &&Arc<Session<E>>| match &self.lost {
            Some(lost) => !lost.unnamed.contains(&session.serial),
            None => true,
        };
        self.open.last().filter(is_meant)
    }

    /// Remembers that the session is no more that calls without an id mean.
    fn lose(&mut self, ended: Ended) {
        self.lost = Some(Lost { ended, unnamed: self.open.iter().map(|session| session.serial).collect() });
    }

    fn remove(&mut self, id: Option<&str>) -> Result<Arc<Session<E>>, String> {
        let index = match id {
            None => self.current().and(self.open.len().checked_sub(1)),
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

    /// Returns what to say to a start when as many are open as there may be.
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
            about.extend(status.trace.as_ref().map(|trace| format!("of {}", trace.in_text())));
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

    /// Returns what to say about a session that is not open.
    fn missing(&self, id: Option<&str>) -> String {
        let mut ids: Vec<&str> = self.open.iter().map(|session| session.id.as_str()).collect();
        ids.sort_unstable_by_key(|id| (id.len(), *id));
        let Some(id) = id else {
            if let (Some(lost), false) = (&self.lost, ids.is_empty()) {
                let ids = ids.join(", ");
                return format!("{}; it was the one used last, so name another one: open sessions: {ids}", lost.ended);
            }
            let none = "no replay session: call rr_replay_start first";
            return match self.ended.back() {
                Some(last) if last.is_loss() => format!("{none} ({last})"),
                _ => none.to_owned(),
            };
        };
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
