//! What a place is about besides its frame.

use super::frame::FrameView;
use super::source::source_text;
use engine::model::{KernelWait, Surroundings};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;

/// What a place is about besides its frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SurroundingsView {
    /// What a faulting instruction did.
    pub(crate) fault: Option<String>,
    /// The system call that a thread has not come back from, and what that is about.
    pub(crate) waits_in: Option<String>,
    /// The innermost frame whose source can be read, if that is not the innermost of all.
    pub(crate) user_frame: Option<FrameView>,
    /// Its lines.
    pub(crate) user_source: Option<String>,
}

impl From<Surroundings> for SurroundingsView {
    fn from(surroundings: Surroundings) -> Self {
        let Surroundings { user_frame, wait, fault } = surroundings;
        let (frame, source) = user_frame.map(|found| (found.frame, found.source)).unzip();
        Self {
            fault,
            waits_in: wait.map(|wait| words(&wait)),
            user_frame: frame.map(FrameView::from),
            user_source: source.and_then(|lines| source_text(&lines)),
        }
    }
}

/// Returns the system call, and what it is about: `futex for cache.lru_lock`, `read (fd 3)`.
fn words(wait: &KernelWait) -> String {
    match &wait.what {
        Some(what) if wait.call == "futex" => format!("futex for {what}"),
        Some(what) => format!("{} ({what})", wait.call),
        None => wait.call.clone(),
    }
}
