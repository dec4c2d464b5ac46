//! What each client has of its own: sessions, jobs, answers.

use crate::mcp::call::Shared;
use crate::mcp::lock::locked;
use crate::mcp::serve::server::Server;
use std::sync::{Arc, Mutex, Weak};
use tokio::task::JoinSet;

/// Most clients at a time: each may have as many sessions as one may.
const MOST: usize = 64;

/// The clients that have begun a conversation.
pub(super) struct Clients {
    /// The server of requests that belong to no conversation, as those of newer revisions of the protocol.
    common: Server,
    /// All clients use what `common` has.
    shared: bool,
    begun: Mutex<Vec<Weak<Shared>>>,
}

impl Clients {
    pub(super) fn new(common: Server, shared: bool) -> Self {
        Self { common, shared, begun: Mutex::default() }
    }

    /// Returns the server for a request within a conversation, or without one.
    pub(super) fn common(&self) -> Server {
        self.common.for_another()
    }

    /// Returns the server for a client that begins a conversation. `None` if there are too many.
    pub(super) fn begin(&self) -> Option<Server> {
        if self.shared {
            return Some(self.common.for_another());
        }
        let mut begun = locked(&self.begun);
        begun.retain(|client| client.strong_count() > 0);
        if begun.len() >= MOST {
            return None;
        }
        let server = self.common.with_its_own();
        begun.push(Arc::downgrade(&server.shared));
        Some(server)
    }

    /// Ends what all of them have.
    pub(super) async fn close(&self) {
        let mut closing = JoinSet::new();
        let begun = std::mem::take(&mut *locked(&self.begun));
        for client in begun.iter().filter_map(Weak::upgrade) {
            closing.spawn(async move { client.close().await });
        }
        self.common.close().await;
        closing.join_all().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::policy::Settings;

    #[test]
    fn clients_have_their_own_until_they_go() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let clients = Clients::new(Server::new(Settings::default()), false);
            let mut servers: Vec<_> = (0..MOST).map(|_| clients.begin().unwrap()).collect();
            assert!(!Arc::ptr_eq(&servers[0].shared, &servers[1].shared));
            assert!(clients.begin().is_none());
            servers.pop();
            // What it had is closed first.
            while clients.begin().is_none() {
                tokio::task::yield_now().await;
            }
            let same = Clients::new(Server::new(Settings::default()), true);
            let (one, other) = (same.begin().unwrap(), same.begin().unwrap());
            assert!(Arc::ptr_eq(&one.shared, &other.shared));
        });
    }
}
