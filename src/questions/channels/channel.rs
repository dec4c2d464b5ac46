//! What two descriptors are ends of, perhaps of two processes.

use super::streams::Flow;

/// What a channel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Pipe,
    Socket,
}

/// What two descriptors are ends of, perhaps of two processes.
#[derive(Debug)]
pub(super) struct Channel {
    pub(super) kind: Kind,
    /// The path of a pipe that has a name.
    pub(super) path: Option<Vec<u8>>,
    /// What was written at each end, and read at each end.
    pub(super) written: [Flow; 2],
    pub(super) read: [Flow; 2],
    /// What goes by it is not all seen, for this reason.
    pub(super) obscured: Option<String>,
}

impl Channel {
    pub(super) fn new(kind: Kind, keeps_messages: bool) -> Self {
        let flow = || Flow::new(keeps_messages);
        Self { kind, path: None, written: [flow(), flow()], read: [flow(), flow()], obscured: None }
    }

    /// Returns whether nothing has gone by it.
    pub(super) fn is_unused(&self) -> bool {
        self.written.iter().chain(&self.read).all(Flow::is_empty)
    }
}
