//! Sessions that are no more.

use std::fmt;
use std::time::Duration;

/// Why a session ended that was told to.
pub(super) const STOPPED: &str = "it was stopped";
/// Why a session ended whose thread unwound.
pub(super) const PANICKED: &str = "an internal error (a panic; see the server's standard error)";

/// Returns why a session ended of which nothing was asked for so long.
pub(super) fn idle_for(long: Duration) -> String {
    format!("it was idle for {}, so it was closed (RR_MCP_SESSION_IDLE)", in_words(long))
}

/// Formats a time in words: `30 min`, `90 s`.
pub(super) fn in_words(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0 => format!("{} s", time.as_secs_f64()),
        _ if seconds.is_multiple_of(3600) => format!("{} h", seconds / 3600),
        _ if seconds.is_multiple_of(60) => format!("{} min", seconds / 60),
        _ => format!("{seconds} s"),
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
    /// Returns whether the session was there, and nobody asked for its end.
    pub(super) fn is_loss(&self) -> bool {
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
