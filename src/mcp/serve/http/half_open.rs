//! Connections that have not sent a request yet which may be answered: few may wait, and the oldest goes first.
//!
//! Anybody on this machine can connect, as often as there are ports, and nothing tells a connection of theirs from that
//! of a client which is about to send its request. So each has [`GRACE`] for that, in which it is not closed whatever
//! happens: that is far longer than a client takes, which connects because it has something to send. When so many wait
//! that there is no room, and none of them has had its time, no connection is accepted. Those that come then wait in
//! the system's queue, and whoever connects in a loop waits for himself. What has arrived is read before it is looked
//! whose time is over, so that a busy server closes nobody who has sent a request.

use crate::mcp::lock::locked;
use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::{AbortHandle, yield_now};
use tokio::time::{Instant, timeout};

/// How many may wait at a time.
const MOST: usize = 128;

/// How long each has at least.
const GRACE: Duration = Duration::from_millis(100);

/// So often the other tasks have their turn before it is looked whose time is over: some dozens at a time, each of which
/// may need one to learn that something has arrived and another to read it.
const TURNS: usize = 16;

/// The connections that wait, the oldest first. Clones are the same.
#[derive(Clone, Default)]
pub(super) struct HalfOpen(Arc<All>);

#[derive(Default)]
struct All {
    waiting: Mutex<Waiting>,
    /// Tells that one waits no more.
    freed: Notify,
}

#[derive(Default)]
struct Waiting {
    next: u64,
    connections: VecDeque<Connection>,
}

struct Connection {
    number: u64,
    since: Instant,
    task: AbortHandle,
}

/// What makes a connection one of them, until it is dropped.
pub(super) struct Place {
    all: HalfOpen,
    number: u64,
}

impl HalfOpen {
    /// Waits until there is room for one more. If too many wait, the oldest is closed as soon as it has had its time:
    /// somebody who connects and says nothing, however often, is in nobody's way.
    pub(super) async fn room(&self) {
        while self.is_full() {
            for _ in 0..TURNS {
                yield_now().await;
            }
            let Some(rest) = self.close_oldest() else { return };
            // That it is over is looked at anew.
            let _ = timeout(rest, self.0.freed.notified()).await;
        }
    }

    fn is_full(&self) -> bool {
        locked(&self.0.waiting).connections.len() >= MOST
    }

    /// Closes the oldest if there is no room and its time is over. Returns how much of it is left; `None` if there is
    /// room.
    fn close_oldest(&self) -> Option<Duration> {
        let mut waiting = locked(&self.0.waiting);
        let oldest = waiting.connections.front().filter(|_| waiting.connections.len() >= MOST)?;
        let rest = GRACE.saturating_sub(oldest.since.elapsed());
        if !rest.is_zero() {
            return Some(rest);
        }
        let oldest = waiting.connections.pop_front();
        drop(waiting);
        if let Some(oldest) = oldest {
            oldest.task.abort();
        }
        None
    }

    /// Has a connection served by a task of its own.
    pub(super) fn spawn<F: Future<Output = ()> + Send + 'static>(&self, serve: impl FnOnce(Place) -> F) {
        let mut waiting = locked(&self.0.waiting);
        let number = waiting.next;
        waiting.next += 1;
        // On this thread the task begins when the lock is free again.
        let task = tokio::spawn(serve(Place { all: self.clone(), number })).abort_handle();
        waiting.connections.push_back(Connection { number, since: Instant::now(), task });
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        locked(&self.all.0.waiting).connections.retain(|connection| connection.number != self.number);
        self.all.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::oneshot::{self, Sender};

    /// Begins a connection that waits until it is dropped.
    fn begin(all: &HalfOpen) -> Sender<()> {
        let (end, ended) = oneshot::channel::<()>();
        all.spawn(|place| async move {
            let _ = (ended.await, place);
        });
        end
    }

    fn within_runtime(test: impl Future<Output = ()>) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
    }

    #[test]
    fn the_oldest_goes_when_too_many_wait_and_it_has_had_its_time() {
        within_runtime(async {
            let all = HalfOpen::default();
            let begun = Instant::now();
            let mut open = Vec::new();
            for _ in 0..MOST {
                all.room().await;
                open.push(begin(&all));
            }
            assert!(open.iter().all(|end| !end.is_closed()));
            all.room().await;
            assert!(begun.elapsed() >= GRACE, "{:?}", begun.elapsed());
            open.push(begin(&all));
            open[0].closed().await;
            assert!(open[1..].iter().all(|end| !end.is_closed()));
            // Who is no more half open keeps nobody out.
            drop(open);
            while !locked(&all.0.waiting).connections.is_empty() {
                yield_now().await;
            }
        });
    }

    #[test]
    fn there_is_room_when_a_request_has_come() {
        within_runtime(async {
            let all = HalfOpen::default();
            let mut open: Vec<_> = (0..MOST).map(|_| begin(&all)).collect();
            let begun = Instant::now();
            let waits = tokio::spawn({
                let all = all.clone();
                async move { all.room().await }
            });
            // The newest, as good as any.
            drop(open.pop());
            waits.await.unwrap();
            assert!(begun.elapsed() < GRACE, "{:?}", begun.elapsed());
            assert!(open.iter().all(|end| !end.is_closed()));
        });
    }

    #[test]
    fn a_request_that_has_arrived_is_read_however_busy_the_server_was() {
        within_runtime(async {
            let all = HalfOpen::default();
            let (answered, answer) = oneshot::channel();
            all.spawn(|place| async move {
                // As a task does that reads a request.
                yield_now().await;
                drop(place);
                let _ = answered.send(());
                std::future::pending::<()>().await;
            });
            let _open: Vec<_> = (1..MOST).map(|_| begin(&all)).collect();
            std::thread::sleep(2 * GRACE);
            all.room().await;
            assert!(answer.await.is_ok());
        });
    }
}
