//! What can go wrong between this client and rr.

use super::Break;
use arch::ThreadId;
use std::io;
use std::time::Duration;

/// Why a request to rr failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The connection could not be made.
    #[error("cannot connect to rr at {address}: {source}")]
    Connect {
        /// Where rr was thought to listen.
        address: std::net::SocketAddr,
        /// What the operating system says.
        source: io::Error,
    },
    /// The socket failed.
    #[error("the connection to rr failed at `{request}`: {source}")]
    Io {
        /// The request in flight, shortened.
        request: String,
        /// What the operating system says.
        source: io::Error,
    },
    /// rr closed the connection: it has exited or crashed.
    #[error("rr closed the connection at `{request}`")]
    Closed {
        /// The request in flight, shortened.
        request: String,
    },
    /// No answer in time. The connection is of no use after this, because a late answer would be taken for another.
    #[error("rr did not answer `{request}` within {after:?}")]
    Timeout {
        /// The request in flight, shortened.
        request: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// The call was cancelled before the answer came. The connection is of no use after this, either.
    #[error("cancelled before rr answered `{request}`")]
    Cancelled {
        /// The request, shortened.
        request: String,
    },
    /// An answer that is not the protocol.
    #[error("rr answered `{request}` with {what}")]
    Malformed {
        /// The request, shortened.
        request: String,
        /// What is wrong with the answer.
        what: String,
    },
    /// rr answered `Exx`.
    #[error("rr refused `{request}` with error {code:02x}")]
    Remote {
        /// The request, shortened.
        request: String,
        /// rr's number, which carries no further meaning.
        code: u8,
    },
    /// rr's command interpreter (`qRRCmd`) answered with a complaint.
    #[error("rr refused `{command}`: {answer}")]
    Command {
        /// The command as a user of GDB would type it.
        command: String,
        /// rr's words.
        answer: String,
    },
    /// This server does not know the request.
    #[error("this rr does not support `{request}`: rr 5.6 or later with a full replay is needed")]
    Unsupported {
        /// The request, shortened.
        request: String,
    },
    /// rr has no room or no place for a breakpoint or watchpoint.
    #[error("rr cannot set {}: {why}", describe(.refused))]
    Rejected {
        /// The entry of the wanted list that was refused.
        refused: Break,
        /// What is known about the reason.
        why: &'static str,
    },
    /// The debuggee has exited; only a restart leads anywhere.
    #[error("the debuggee has exited here: only a restart at an event or checkpoint leads on")]
    Gone,
    /// An earlier failure has made the connection unusable.
    #[error("the connection to rr is unusable: {reason}")]
    Unusable {
        /// The earlier failure.
        reason: String,
    },
    /// The thread belongs to another process than the one that is debugged.
    #[error("thread {thread} is not of the debugged process {pid}")]
    ForeignThread {
        /// The thread asked for.
        thread: ThreadId,
        /// The only process of this connection.
        pid: u32,
    },
    /// There is no such thread at this point of the recording.
    #[error("thread {thread} does not exist at this point of the recording")]
    NoThread {
        /// The thread asked for.
        thread: ThreadId,
    },
    /// There is no such checkpoint.
    #[error("there is no checkpoint {id}; there are {known:?}")]
    NoCheckpoint {
        /// rr's number for it.
        id: u64,
        /// The checkpoints that exist.
        known: Vec<u64>,
    },
    /// rr has lost sight of the later part of the recording.
    #[error(
        "rr cannot go to event {event} any more, after a backward step before a thread's first instruction and with an exec in between; a checkpoint works"
    )]
    CutOff {
        /// The event asked for.
        event: u64,
    },
    /// No event of the recording contains that tick of the current thread.
    #[error("the current thread never reaches tick {ticks}")]
    NoSuchTick {
        /// The tick asked for.
        ticks: u64,
    },
    /// More memory than one call reads.
    #[error("cannot read {asked} bytes at once: the most is {most}")]
    TooLong {
        /// Bytes asked for.
        asked: usize,
        /// The bound.
        most: usize,
    },
    /// The register description cannot be used.
    #[error("cannot use rr's description of the registers: {what}")]
    Registers {
        /// What is wrong with it.
        what: String,
    },
}

impl Error {
    /// Returns whether nothing can be asked of this server any more.
    pub fn is_fatal(&self) -> bool {
        matches!(
            self,
            Self::Io { .. }
                | Self::Closed { .. }
                | Self::Timeout { .. }
                | Self::Cancelled { .. }
                | Self::Unusable { .. }
                | Self::Connect { .. }
        )
    }
}

fn describe(entry: &Break) -> String {
    use super::BreakKind::{Hardware, Software, WatchAccess, WatchRead, WatchWrite};
    match entry.kind {
        Software => format!("a breakpoint at {}", entry.address),
        Hardware => format!("a hardware breakpoint at {}", entry.address),
        WatchWrite => format!("a write watchpoint on {} bytes at {}", entry.length, entry.address),
        WatchRead | WatchAccess => format!("an access watchpoint on {} bytes at {}", entry.length, entry.address),
    }
}
