//! Connections that have not sent a request yet which may be answered: few may wait, and the oldest goes first.

use crate::mcp::lock::locked;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tokio::task::AbortHandle;

/// How many may wait at a time.
const MOST: usize = 64;

/// The connections that wait, the oldest first. Clones are the same.
#[derive(Clone, Default)]
pub(super) struct HalfOpen(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    next: u64,
    connections: VecDeque<(u64, AbortHandle)>,
}

/// What makes a connection one of them, until it is dropped.
pub(super) struct Place {
    all: HalfOpen,
    number: u64,
}

impl HalfOpen {
    /// Has a connection served by a task of its own. If too many wait, the oldest is closed: somebody who connects and
    /// says nothing, however often, is in nobody's way.
    pub(super) fn spawn<F: Future<Output = ()> + Send + 'static>(&self, serve: impl FnOnce(Place) -> F) {
        let mut waiting = locked(&self.0);
        let number = waiting.next;
        waiting.next += 1;
        // On this thread the task begins when the lock is free again.
        let task = tokio::spawn(serve(Place { all: self.clone(), number }));
        waiting.connections.push_back((number, task.abort_handle()));
        let oldest = if waiting.connections.len() > MOST { waiting.connections.pop_front() } else { None };
        drop(waiting);
        if let Some((_, oldest)) = oldest {
            oldest.abort();
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        locked(&self.all.0).connections.retain(|(number, _)| *number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::oneshot;

    #[test]
    fn the_oldest_goes_when_too_many_wait() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let all = HalfOpen::default();
            let begin = |all: &HalfOpen| {
                let (end, ended) = oneshot::channel::<()>();
                all.spawn(|place| async move {
                    let _ = (ended.await, place);
                });
                end
            };
            let mut open: Vec<_> = (0..MOST).map(|_| begin(&all)).collect();
            tokio::task::yield_now().await;
            assert!(open.iter().all(|end| !end.is_closed()));
            open.push(begin(&all));
            open[0].closed().await;
            assert!(open[1..].iter().all(|end| !end.is_closed()));
            // Who is no more half open keeps nobody out.
            drop(open);
            while !locked(&all.0).connections.is_empty() {
                tokio::task::yield_now().await;
            }
        });
    }
}
