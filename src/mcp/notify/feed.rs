//! The feed of events: that a resource has changed, and what happens. Anybody puts one in, on any thread.
#![expect(deprecated, reason = "the levels of messages of the older protocol, which clients speak")]

use rmcp::model::LoggingLevel;
use std::sync::Arc;
use tokio::sync::broadcast::{self, Receiver};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Events that may wait for a client to be told; if there are more, it is told that everything has changed.
const QUEUED: usize = 256;
/// Most addresses that one client subscribes to, or that are listened to at once; and most who listen.
pub(crate) const MOST: usize = 100;

/// How important it is that something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Each call.
    Debug,
    /// Sessions begin and end, jobs end.
    Info,
    /// What degrades an answer.
    Notice,
    /// rr was started again, a job has failed.
    Warning,
    /// A session is lost.
    Error,
    /// Nothing is.
    Beyond,
}

impl From<LoggingLevel> for Level {
    fn from(level: LoggingLevel) -> Self {
        match level {
            LoggingLevel::Debug => Self::Debug,
            LoggingLevel::Info => Self::Info,
            LoggingLevel::Notice => Self::Notice,
            LoggingLevel::Warning => Self::Warning,
            LoggingLevel::Error => Self::Error,
            LoggingLevel::Critical | LoggingLevel::Alert | LoggingLevel::Emergency => Self::Beyond,
        }
    }
}

impl Level {
    pub(super) fn spelled(self) -> LoggingLevel {
        match self {
            Self::Debug => LoggingLevel::Debug,
            Self::Info => LoggingLevel::Info,
            Self::Notice => LoggingLevel::Notice,
            Self::Warning => LoggingLevel::Warning,
            Self::Error => LoggingLevel::Error,
            Self::Beyond => LoggingLevel::Critical,
        }
    }
}

/// One event.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// The resource at this address.
    Changed(String),
    Message(Message),
}

/// Something that happens.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) level: Level,
    /// What it is about: `session s1`, `job j2`, a tool.
    pub(super) about: String,
    pub(super) text: String,
}

/// Where what happens with one thing is told.
#[derive(Clone, Debug)]
pub(crate) struct Reporter {
    feed: Feed,
    about: String,
}

impl Reporter {
    /// Reports that something happens.
    pub(crate) fn say(&self, level: Level, text: impl Into<String>) {
        self.feed.say(level, &*self.about, text);
    }
}

/// Where events go in. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Feed {
    events: broadcast::Sender<Arc<Event>>,
    /// For those who listen to changes.
    seats: Arc<Semaphore>,
}

impl Default for Feed {
    fn default() -> Self {
        Self { events: broadcast::channel(QUEUED).0, seats: Arc::new(Semaphore::new(MOST)) }
    }
}

impl Feed {
    /// Reports that the resource at this address has changed.
    pub(crate) fn changed(&self, uri: impl Into<String>) {
        self.put(Event::Changed(uri.into()));
    }

    /// Reports a change of a session: what of it is another now, as the last parts of addresses.
    pub(crate) fn session_changed(&self, id: &str, parts: &[&str]) {
        self.changed("rr://sessions");
        self.changed(format!("rr://sessions/{id}"));
        parts.iter().for_each(|part| self.changed(format!("rr://sessions/{id}/{part}")));
    }

    /// Reports that something happens.
    pub(crate) fn say(&self, level: Level, about: impl Into<String>, text: impl Into<String>) {
        self.put(Event::Message(Message { level, about: about.into(), text: text.into() }));
    }

    /// Returns a reporter of what happens with `about`.
    pub(crate) fn reporter(&self, about: String) -> Reporter {
        Reporter { feed: self.clone(), about }
    }

    /// Sends an event to who listens. Nobody need listen.
    fn put(&self, event: Event) {
        let _ = self.events.send(Arc::new(event));
    }

    /// Returns a listener to what comes from now on.
    pub(crate) fn listen(&self) -> Listener {
        Listener(self.events.subscribe())
    }

    /// Takes a seat for one who listens to changes, until it goes. Fails if there is none.
    pub(crate) fn seat(&self) -> Result<OwnedSemaphorePermit, String> {
        self.seats.clone().try_acquire_owned().map_err(|_| format!("{MOST} clients listen already, and no more may"))
    }
}

/// Events on their way to somebody.
pub(crate) struct Listener(pub(super) Receiver<Arc<Event>>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_many_listen_at_a_time() {
        let feed = Feed::default();
        let mut seats: Vec<_> = (0..MOST).map(|_| feed.seat().unwrap()).collect();
        assert_eq!(feed.seat().unwrap_err(), "100 clients listen already, and no more may");
        seats.pop();
        assert!(feed.seat().is_ok());
    }
}
