//! What a trace says of its threads: where they begin, what they execute, how they end (`rr_trace.capnp`, `TaskEvent`).

use crate::message::Message;
use base::untrusted::one_line;

/// The flag of a clone that makes a thread of the same process.
const CLONE_THREAD: u32 = libc::CLONE_THREAD as u32;
/// Those of one that has its maker wait in the memory that both share.
const WAITS: u32 = (libc::CLONE_VFORK | libc::CLONE_VM) as u32;

/// Something that happened to a thread as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Task {
    /// The event with which it happened.
    pub(crate) event: u64,
    pub(crate) tid: u32,
    pub(crate) what: Change,
}

/// What can happen to a thread as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Another thread made it, which may wait meanwhile, so that both use the same memory.
    Made { by: u32, is_thread: bool, is_waited_for: bool },
    /// It executes another program.
    Exec { program: String, command: Vec<String> },
    /// It ends, and its process too if it is the last. A status as of `wait`.
    Exit { status: i32 },
    /// rr lets it run by itself.
    Detached,
}

impl Task {
    /// Reads what a message says. `None`: it says nothing that is known.
    pub(super) fn read(message: &Message) -> Option<Self> {
        let root = message.root()?;
        let text = |bytes: &[u8]| one_line(&String::from_utf8_lossy(bytes)).into_owned();
        let what = match root.number(24, 2) {
            0 => {
                let flags = root.number(16, 4) as u32;
                let (is_thread, is_waited_for) = (flags & CLONE_THREAD != 0, flags & WAITS == WAITS);
                Change::Made { by: root.number(12, 4) as u32, is_thread, is_waited_for }
            }
            1 => Change::Exec {
                program: text(root.bytes(0)),
                command: root.lists_of_bytes(1).into_iter().map(text).collect(),
            },
            2 => Change::Exit { status: root.number(12, 4) as i32 },
            3 => Change::Detached,
            _ => return None,
        };
        Some(Self { event: root.number(0, 8), tid: root.number(8, 4) as u32, what })
    }
}
