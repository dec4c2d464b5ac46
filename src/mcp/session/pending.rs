//! The answer of a call on its way.

use super::batch::Batch;
use super::status::Status;
use base::cancel::Cancel;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;

/// How often a thread that waits for an answer looks whether that is cancelled.
const GLANCE: Duration = Duration::from_millis(10);

/// A job's answer on its way, and how to give up on it.
pub(crate) struct Pending<T> {
    pub(crate) reply: oneshot::Receiver<T>,
    pub(crate) call: Underway,
}

/// A job that was asked for, whatever it gives.
pub(crate) struct Underway {
    pub(crate) cancel: Cancel,
    /// The thread has taken the job up.
    pub(crate) begun: Arc<AtomicBool>,
    /// What it was sent together with, if it has to wait for its turn.
    pub(crate) batch: Option<Arc<Batch>>,
    /// What is known of the session that does it.
    pub(crate) status: Option<Arc<Mutex<Status>>>,
}

impl<T> Pending<T> {
    /// Waits for it on a thread that has nothing else to do, and gives up on it when `cancel` is cancelled. `None`: it
    /// was dropped unrun, or its thread has ended.
    pub(crate) fn wait(mut self, cancel: &Cancel) -> Option<T> {
        loop {
            match self.reply.try_recv() {
                Ok(answer) => return Some(answer),
                Err(TryRecvError::Closed) => return None,
                Err(TryRecvError::Empty) => {
                    if cancel.is_cancelled() {
                        self.call.cancel.cancel();
                    }
                    std::thread::sleep(GLANCE);
                }
            }
        }
    }
}
