//! Waiting for the ends of threads.

use tokio::sync::watch;

/// The threads of a server: tells when all that hold one of its tokens are gone.
#[derive(Debug)]
pub(crate) struct Threads(watch::Sender<()>);

/// Held by a thread while it runs.
#[derive(Debug)]
pub(crate) struct Token(#[expect(dead_code, reason = "held for its drop")] watch::Receiver<()>);

impl Threads {
    /// Creates the `Threads` of a server that has no thread yet.
    pub(crate) fn new() -> Self {
        Self(watch::channel(()).0)
    }

    /// Returns a token for one thread.
    pub(crate) fn token(&self) -> Token {
        Token(self.0.subscribe())
    }

    /// Waits until no token is left.
    pub(crate) async fn gone(&self) {
        self.0.closed().await;
    }
}
