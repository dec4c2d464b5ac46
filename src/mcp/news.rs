//! What clients are told without having asked each time: that a resource has changed, and what happens.
//!
//! Whoever knows of something puts it into the feed, on any thread. A client of the older protocol says once what it
//! wants to hear (`logging/setLevel`, `resources/subscribe`), and has a task that tells it so. A client of the newer
//! one listens (`subscriptions/listen`) to changes, and hears with a call what happens meanwhile, if the call names a
//! level. A client that says nothing is told nothing.
#![expect(deprecated, reason = "messages and subscriptions of the older protocol, which clients speak")]

use super::redact::Redaction;
use super::sessions::locked;
use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam, ResourceUpdatedNotificationParam};
use rmcp::service::{Peer, SubscriptionContext};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::broadcast::{self, Receiver};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, sleep_until};

/// `logging/setLevel`
pub(crate) type SetLevel = rmcp::model::SetLevelRequestParams;

/// News that may wait for a client to be told; if there are more, it is told that everything has changed.
const WAITING: usize = 256;
/// What changes within this time is told once.
const TOGETHER: Duration = Duration::from_millis(50);
/// How often it is looked whether the client is still there.
const LOOKING: Duration = Duration::from_secs(30);
/// Most addresses that one client subscribes to, or that are listened to at once; and most who listen.
pub(super) const MOST: usize = 100;

/// How important it is that something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Each call.
    Debug,
    /// Sessions begin and end, jobs end.
    Info,
    /// What makes an answer poorer.
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
    fn spelled(self) -> LoggingLevel {
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

/// One piece of news.
#[derive(Clone, Debug)]
enum News {
    /// The resource at this address.
    Changed(String),
    Said(Said),
}

/// Something that happens.
#[derive(Clone, Debug)]
struct Said {
    level: Level,
    /// What it is about: `session s1`, `job j2`, a tool.
    about: String,
    text: String,
}

/// Where news go in. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Feed {
    news: broadcast::Sender<Arc<News>>,
    /// For those who listen to changes.
    seats: Arc<Semaphore>,
}

impl Default for Feed {
    fn default() -> Self {
        Self { news: broadcast::channel(WAITING).0, seats: Arc::new(Semaphore::new(MOST)) }
    }
}

impl Feed {
    /// The resource at this address is not what it was.
    pub(crate) fn changed(&self, uri: impl Into<String>) {
        self.put(News::Changed(uri.into()));
    }

    /// Something has happened with a session: what of it is another now, as the last parts of addresses.
    pub(crate) fn session_changed(&self, id: &str, parts: &[&str]) {
        self.changed("rr://sessions");
        self.changed(format!("rr://sessions/{id}"));
        parts.iter().for_each(|part| self.changed(format!("rr://sessions/{id}/{part}")));
    }

    /// Something happens.
    pub(crate) fn say(&self, level: Level, about: impl Into<String>, text: impl Into<String>) {
        self.put(News::Said(Said { level, about: about.into(), text: text.into() }));
    }

    /// Nobody need listen.
    fn put(&self, news: News) {
        let _ = self.news.send(Arc::new(news));
    }

    /// What comes from now on.
    pub(crate) fn listen(&self) -> Heard {
        Heard(self.news.subscribe())
    }

    /// Room for one who listens to changes, until it goes. Err: there is none.
    pub(crate) fn seat(&self) -> Result<OwnedSemaphorePermit, String> {
        self.seats.clone().try_acquire_owned().map_err(|_| format!("{MOST} clients listen already, and no more may"))
    }
}

/// News on their way to somebody.
pub(crate) struct Heard(Receiver<Arc<News>>);

impl Heard {
    /// Tells a client what was said meanwhile, from this level on.
    pub(crate) async fn tell_said(mut self, peer: &Peer<RoleServer>, least: Level, redaction: &Redaction) {
        loop {
            match self.0.try_recv() {
                Ok(news) => {
                    if let News::Said(said) = &*news {
                        tell(peer, said, least, redaction).await;
                    }
                }
                // The oldest are lost to a flood; what is left is worth telling.
                Err(TryRecvError::Lagged(_)) => {}
                Err(TryRecvError::Empty | TryRecvError::Closed) => return,
            }
        }
    }

    /// Tells a client what changes of what it listens to, until it does no more.
    pub(crate) async fn tell_changes(mut self, to: SubscriptionContext) {
        let wanted: BTreeSet<String> = to.accepted().resource_subscriptions.iter().flatten().cloned().collect();
        let mut changed = Changed::default();
        loop {
            tokio::select! {
                () = to.cancelled() => return,
                news = self.0.recv() => match news {
                    Ok(news) => changed.hear(&news, &wanted),
                    Err(RecvError::Lagged(_)) => changed.all(&wanted),
                    Err(RecvError::Closed) => return,
                },
                () = sleep_until(changed.due), if !changed.uris.is_empty() => {
                    for uri in std::mem::take(&mut changed.uris) {
                        if to.sink().notify_resource_updated(uri).await.is_err() {
                            return;
                        }
                    }
                }
            }
        }
    }
}

async fn tell(peer: &Peer<RoleServer>, said: &Said, least: Level, redaction: &Redaction) {
    if said.level < least {
        return;
    }
    let message = LoggingMessageNotificationParam::new(said.level.spelled(), json!(redaction.mask_text(&said.text)));
    if let Err(error) = peer.notify_logging_message(message.with_logger(said.about.clone())).await {
        tracing::debug!("a message was not sent: {error}");
    }
}

/// What has changed and was not told yet.
struct Changed {
    uris: BTreeSet<String>,
    /// When it is to be told.
    due: Instant,
}

impl Default for Changed {
    fn default() -> Self {
        Self { uris: BTreeSet::new(), due: Instant::now() }
    }
}

impl Changed {
    fn hear(&mut self, news: &News, wanted: &BTreeSet<String>) {
        if let News::Changed(uri) = news
            && wanted.contains(uri)
        {
            if self.uris.is_empty() {
                self.due = Instant::now() + TOGETHER;
            }
            self.uris.insert(uri.clone());
        }
    }

    fn all(&mut self, wanted: &BTreeSet<String>) {
        (self.uris, self.due) = (wanted.clone(), Instant::now());
    }
}

/// What one client wants to hear.
#[derive(Debug, Default)]
pub(crate) struct Client(Mutex<Wishes>);

#[derive(Debug, Default)]
struct Wishes {
    /// It has a task that tells it.
    is_told: bool,
    least: Option<Level>,
    uris: BTreeSet<String>,
}

impl Client {
    /// Messages from this level on.
    pub(crate) fn wants_messages(self: &Arc<Self>, least: &SetLevel, told: Told) {
        locked(&self.0).least = Some(least.level.into());
        self.begin(told);
    }

    /// To hear of each change of this resource. `exists`: what may still change. Err: it already listens to as many as
    /// it may.
    pub(crate) fn wants_changes(
        self: &Arc<Self>,
        uri: String,
        exists: impl Fn(&str) -> bool,
        told: Told,
    ) -> Result<(), String> {
        {
            let mut wishes = locked(&self.0);
            wishes.uris.retain(|known| exists(known));
            if wishes.uris.len() >= MOST && !wishes.uris.contains(&uri) {
                return Err(format!("a client subscribes to {MOST} resources at most"));
            }
            wishes.uris.insert(uri);
        }
        self.begin(told);
        Ok(())
    }

    /// No more of that.
    pub(crate) fn wants_no_changes(&self, uri: &str) {
        locked(&self.0).uris.remove(uri);
    }

    fn begin(self: &Arc<Self>, told: Told) {
        if !std::mem::replace(&mut locked(&self.0).is_told, true) {
            tokio::spawn(told.run(Arc::downgrade(self)));
        }
    }
}

/// How a client is told.
pub(crate) struct Told {
    pub(crate) peer: Peer<RoleServer>,
    pub(crate) news: Heard,
    pub(crate) redaction: Redaction,
}

impl Told {
    async fn run(mut self, client: Weak<Client>) {
        let mut changed = Changed::default();
        loop {
            let news = tokio::select! {
                news = self.news.0.recv() => Some(news),
                () = sleep_until(changed.due), if !changed.uris.is_empty() => None,
                () = sleep(LOOKING) => None,
            };
            let Some(client) = client.upgrade().filter(|_| !self.peer.is_transport_closed()) else { return };
            let (least, wanted) = {
                let wishes = locked(&client.0);
                (wishes.least, wishes.uris.clone())
            };
            match news {
                None => {}
                Some(Err(RecvError::Closed)) => return,
                Some(Err(RecvError::Lagged(_))) => changed.all(&wanted),
                Some(Ok(news)) => match (&*news, least) {
                    (News::Said(said), Some(least)) => tell(&self.peer, said, least, &self.redaction).await,
                    (news, _) => changed.hear(news, &wanted),
                },
            }
            if Instant::now() >= changed.due {
                for uri in std::mem::take(&mut changed.uris) {
                    // Meanwhile it may have said that it does not want to hear of it any more.
                    if wanted.contains(&uri) {
                        let update = ResourceUpdatedNotificationParam::new(uri);
                        if let Err(error) = self.peer.notify_resource_updated(update).await {
                            tracing::debug!("a change was not told: {error}");
                        }
                    }
                }
            }
        }
    }
}

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
