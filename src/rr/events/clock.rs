//! When the events of a recording were, and which is the last.

use super::steps::{ASKED, Steps, tasks};
use super::task::Change;
use crate::error::Error;
use crate::trace;
use base::cancel::Cancel;
use std::collections::HashMap;
use std::path::Path;

/// When an event was recorded, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventTime {
    /// Since the first event.
    pub elapsed: f64,
    /// By the monotonic clock of the machine that recorded it.
    pub clock: f64,
}

/// Reads when an event was recorded; behind the last one, when that was. `None`: there are no events.
pub fn event_time(recording: &Path, event: u64, cancel: &Cancel) -> Result<Option<EventTime>, Error> {
    let directory = trace::resolve(Some(recording))?;
    trace::check(&directory)?;
    let mut steps = Steps::open(&directory)?;
    let (mut first, mut found) = (None, None);
    while let Some((number, frame)) = steps.next()? {
        if number.is_multiple_of(ASKED) && cancel.is_cancelled() {
            return Err(Error::Cancelled { command: "elapsed-time" });
        }
        let first = *first.get_or_insert(frame.seconds);
        found = Some(EventTime { elapsed: frame.seconds - first, clock: frame.seconds });
        if number >= event {
            break;
        }
    }
    Ok(found)
}

/// Reads the number of the last event at which something happened to a thread as a whole, most often its end: what
/// rr's `when-end` tells. `None`: there is none.
pub fn last_event(recording: &Path) -> Result<Option<u64>, Error> {
    let directory = trace::resolve(Some(recording))?;
    trace::check(&directory)?;
    Ok(tasks(&directory)?.last().map(|task| task.event))
}

/// Reads whose turn it is behind an event: the process of the thread that the next event happens to. `None`: there is
/// no such event, or the trace does not tell its process.
pub fn process_at(recording: Option<&Path>, event: u64, cancel: &Cancel) -> Result<Option<u32>, Error> {
    let directory = trace::resolve(recording)?;
    trace::check(&directory)?;
    let mut steps = Steps::open(&directory)?;
    while let Some((number, frame)) = steps.next()? {
        if number.is_multiple_of(ASKED) && cancel.is_cancelled() {
            return Err(Error::Cancelled { command: "replay" });
        }
        if number <= event {
            continue;
        }
        let mut processes = HashMap::new();
        for task in tasks(&directory)?.into_iter().take_while(|task| task.event <= number) {
            match task.what {
                Change::Made { by, is_thread: true, .. } => {
                    let process = processes.get(&by).copied().unwrap_or(by);
                    processes.insert(task.tid, process);
                }
                Change::Made { is_thread: false, .. } | Change::Exec { .. } => {
                    processes.insert(task.tid, task.tid);
                }
                Change::Exit { .. } | Change::Detached => {}
            }
        }
        return Ok(processes.get(&frame.tid).copied());
    }
    Ok(None)
}
