//! The program images that a process has had, one after each `exec`.

use crate::api::error::Error;
use crate::modules::auxv::random_bytes;
use crate::target::process::Process;
use arch::{RunAddr, ThreadId};

/// What tells an image of a process from its others.
pub(crate) type Identity = Vec<u8>;

/// An image that an `exec` has made.
pub(crate) struct ExecImage {
    pub(crate) identity: Identity,
    /// The event that it starts at.
    pub(crate) event: u64,
    /// Whether rr has kept its start.
    pub(crate) is_kept: bool,
}

/// The images that a session knows of.
pub(crate) struct Images {
    /// The one that the replay begins with: all that it has been seen to look like.
    pub(crate) first: Vec<Identity>,
    /// The event that the replay begins at.
    pub(crate) first_event: u64,
    pub(crate) later: Vec<ExecImage>,
    /// From which event on the next `exec` was looked for, and how far, if that took too long.
    pub(crate) searched: Option<(u64, u64)>,
}

impl Images {
    /// Creates the `Images` of a process that has just been connected to.
    pub(crate) fn new(process: &mut Process, thread: ThreadId) -> Result<Self, Error> {
        let (mut first, mut first_event) = (Vec::new(), 0);
        if process.abilities().time {
            first.push(identity(process)?);
            first_event = process.moment(thread)?.event;
        }
        Ok(Self { first, first_event, later: Vec::new(), searched: None })
    }

    /// Learns of an image.
    pub(crate) fn add(&mut self, identity: Identity, event: u64) {
        if self.later.iter().all(|known| known.identity != identity) {
            self.later.push(ExecImage { identity, event, is_kept: false });
        }
    }

    /// Forgets what rr has kept: in another replay, that is nothing.
    pub(crate) fn forget_kept(&mut self) {
        self.later.iter_mut().for_each(|known| known.is_kept = false);
    }
}

/// Reads what tells the present image from others.
pub(crate) fn identity(process: &mut Process) -> Result<Identity, Error> {
    let mut identity = process.auxv()?;
    let random = random_bytes(&identity, process);
    identity.extend(random);
    Ok(identity)
}

/// The present image, if an `exec` has made it.
#[derive(Clone, Copy)]
pub(crate) struct Executed {
    /// The event that it starts at.
    pub(crate) event: u64,
    /// Its first instruction.
    pub(crate) start: RunAddr,
}
