//! Processes that share the memory of the one that made them, until they execute a program or end: children of `vfork`.

use super::frame::Kind;
use super::steps::{ASKED, Steps, tasks};
use super::task::Change;
use crate::error::Error;
use crate::trace;
use base::cancel::Cancel;
use std::collections::HashMap;
use std::path::Path;

/// Most children of one process that are remembered.
const MOST: usize = 1 << 16;

/// The time in which a child shares the memory of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedMemory {
    /// The child.
    pub child: u32,
    /// The thread that makes it, and that waits until the child is gone.
    pub parent: u32,
    /// From the completion of this event on.
    pub from: u64,
    /// Until the completion of this one, with which the child executes a program or ends.
    pub to: u64,
    /// The instruction at which both of them go on.
    pub resumes_at: u64,
    /// What the system call returns to the parent.
    pub result: i64,
    /// The thread pointer of both of them.
    pub thread_pointer: u64,
}

/// Reads which children share the memory of a process while the thread waits that has made them, in the order of their
/// beginnings.
///
/// # Errors
/// What is wrong with the trace, and that the call was cancelled.
pub fn shared_memory(recording: &Path, pid: u32, cancel: &Cancel) -> Result<Vec<SharedMemory>, Error> {
    let directory = trace::resolve(Some(recording))?;
    trace::check(&directory)?;
    let (mut processes, mut made) = (HashMap::new(), Vec::new());
    for task in tasks(&directory)? {
        match task.what {
            Change::Made { by, is_thread, is_waited_for } => {
                let process = processes.get(&by).copied().unwrap_or(by);
                processes.insert(task.tid, if is_thread { process } else { task.tid });
                if is_waited_for && !is_thread && process == pid && made.len() < MOST {
                    made.push((task.tid, by, task.event, u64::MAX));
                }
            }
            Change::Exec { .. } | Change::Exit { .. } => {
                let open = made.iter_mut().rev().find(|(child, _, _, to)| *child == task.tid && *to == u64::MAX);
                if let Some((_, _, _, to)) = open {
                    *to = task.event;
                }
                processes.insert(task.tid, task.tid);
            }
            Change::Detached => {}
        }
    }
    if made.is_empty() { Ok(Vec::new()) } else { behind_calls(&directory, &made, cancel) }
}

/// Completes children, each with the thread that made it and the events of its time, by what their parents were at.
fn behind_calls(directory: &Path, made: &[(u32, u32, u64, u64)], cancel: &Cancel) -> Result<Vec<SharedMemory>, Error> {
    let mut steps = Steps::open(directory)?;
    let (mut found, mut waiting) = (Vec::new(), HashMap::new());
    let mut to_come = made.iter().peekable();
    while let Some((event, frame)) = steps.next()? {
        if event.is_multiple_of(ASKED) && cancel.is_cancelled() {
            return Err(Error::Cancelled { command: "replay" });
        }
        if let Kind::Call(call) = &frame.kind {
            if let Some(&(child, parent, from, to)) = to_come.next_if(|(_, _, from, _)| *from == event) {
                if let (Some(resumes_at), Some(thread_pointer)) = (call.resumes_at, call.thread_pointer) {
                    let share = SharedMemory { child, parent, from, to, resumes_at, result: 0, thread_pointer };
                    waiting.insert(parent, found.len());
                    found.push(share);
                }
            } else if let Some(result) = call.result
                && let Some(share) = waiting.remove(&frame.tid).and_then(|index| found.get_mut(index))
            {
                share.result = result;
            }
        }
        while to_come.next_if(|(_, _, from, _)| *from <= event).is_some() {}
        if to_come.peek().is_none() && waiting.is_empty() {
            break;
        }
    }
    Ok(found)
}
