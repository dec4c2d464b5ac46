//! How clients are told of events: what each wants to hear, and the tasks that tell it.
#![expect(deprecated, reason = "messages and subscriptions of the older protocol, which clients speak")]

use super::feed::{Event, Level, Listener, MOST, Message};
use crate::mcp::lock::locked;
use crate::mcp::policy::Redaction;
use base::untrusted::shown;
use rmcp::RoleServer;
use rmcp::model::{LoggingMessageNotificationParam, ResourceUpdatedNotificationParam, SetLevelRequestParams};
use rmcp::service::{Peer, SubscriptionContext};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::time::{Instant, sleep, sleep_until};

/// `logging/setLevel`
pub(crate) type SetLevel = SetLevelRequestParams;

/// What changes within this time is told once.
const TOGETHER: Duration = Duration::from_millis(50);
/// How often it is looked whether the client is still there.
const LOOKING: Duration = Duration::from_secs(30);

impl Listener {
    /// Tells a client of what happened meanwhile, from this level on.
    pub(crate) async fn tell_messages(mut self, peer: &Peer<RoleServer>, least: Level, redaction: &Redaction) {
        loop {
            match self.0.try_recv() {
                Ok(event) => {
                    if let Event::Message(message) = &*event {
                        tell(peer, message, least, redaction).await;
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
                event = self.0.recv() => match event {
                    Ok(event) => changed.hear(&event, &wanted),
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

async fn tell(peer: &Peer<RoleServer>, message: &Message, least: Level, redaction: &Redaction) {
    if message.level < least {
        return;
    }
    let param = LoggingMessageNotificationParam::new(
        message.level.spelled(),
        json!(shown(&redaction.mask_text(&message.text))),
    );
    if let Err(error) = peer.notify_logging_message(param.with_logger(message.about.clone())).await {
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
    fn hear(&mut self, event: &Event, wanted: &BTreeSet<String>) {
        if let Event::Changed(uri) = event
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
pub(crate) struct Subscriber(Mutex<Wishes>);

#[derive(Debug, Default)]
struct Wishes {
    /// It has a task that tells it.
    is_told: bool,
    least: Option<Level>,
    uris: BTreeSet<String>,
}

impl Subscriber {
    /// Subscribes to messages from this level on.
    pub(crate) fn wants_messages(self: &Arc<Self>, least: &SetLevel, delivery: Delivery) {
        locked(&self.0).least = Some(least.level.into());
        self.begin(delivery);
    }

    /// Subscribes to each change of this resource. `exists`: what may still change. Fails if it already listens to as
    /// many as it may.
    pub(crate) fn wants_changes(
        self: &Arc<Self>,
        uri: String,
        exists: impl Fn(&str) -> bool,
        delivery: Delivery,
    ) -> Result<(), String> {
        {
            let mut wishes = locked(&self.0);
            wishes.uris.retain(|known| exists(known));
            if wishes.uris.len() >= MOST && !wishes.uris.contains(&uri) {
                return Err(format!("a client subscribes to {MOST} resources at most"));
            }
            wishes.uris.insert(uri);
        }
        self.begin(delivery);
        Ok(())
    }

    /// Unsubscribes from the changes of this resource.
    pub(crate) fn wants_no_changes(&self, uri: &str) {
        locked(&self.0).uris.remove(uri);
    }

    fn begin(self: &Arc<Self>, delivery: Delivery) {
        if !std::mem::replace(&mut locked(&self.0).is_told, true) {
            tokio::spawn(delivery.run(Arc::downgrade(self)));
        }
    }
}

/// How a client is told.
pub(crate) struct Delivery {
    pub(crate) peer: Peer<RoleServer>,
    pub(crate) events: Listener,
    pub(crate) redaction: Redaction,
}

impl Delivery {
    async fn run(mut self, client: Weak<Subscriber>) {
        let mut changed = Changed::default();
        loop {
            let event = tokio::select! {
                event = self.events.0.recv() => Some(event),
                () = sleep_until(changed.due), if !changed.uris.is_empty() => None,
                () = sleep(LOOKING) => None,
            };
            let Some(client) = client.upgrade().filter(|_| !self.peer.is_transport_closed()) else { return };
            let (least, wanted) = {
                let wishes = locked(&client.0);
                (wishes.least, wishes.uris.clone())
            };
            match event {
                None => {}
                Some(Err(RecvError::Closed)) => return,
                Some(Err(RecvError::Lagged(_))) => changed.all(&wanted),
                Some(Ok(event)) => match (&*event, least) {
                    (Event::Message(message), Some(least)) => tell(&self.peer, message, least, &self.redaction).await,
                    (event, _) => changed.hear(event, &wanted),
                },
            }
            if Instant::now() >= changed.due {
                for uri in std::mem::take(&mut changed.uris) {
                    // Meanwhile it may have said that it does not want to hear of it any more.
                    if wanted.contains(&uri) {
                        let update = ResourceUpdatedNotificationParam::new(uri);
                        if let Err(error) = self.peer.notify_resource_updated(update).await {
                            tracing::debug!("a notification was not sent: {error}");
                        }
                    }
                }
            }
        }
    }
}
