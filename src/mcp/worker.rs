//! The thread that owns a debugger, and the queue in front of it.
//!
//! Everything a session does happens on one thread, in the order in which the calls arrived: the debugger is not
//! asynchronous and belongs to one thread, which starts it, drives it and drops it. What has to work while that thread
//! is busy goes past it: the flag by which a running job is asked to end, and the kill switch of the session.
//!
//! ```text
//! tool call ──submit──▶ queue ──▶ thread { start; job; job; …; end } ──oneshot──▶ tool call
//! ```
//!
//! Generic over the debugger, so that order, cancellation and ends are tested without a replay.

use crate::engine::model::Observer;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use tokio::sync::watch;

/// A flag that asks a call to come to an end, and the flag of what the call belongs to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancel {
    own: Arc<AtomicBool>,
    outer: Arc<AtomicBool>,
}

impl Cancel {
    /// A flag for one call of something that can be ended as a whole by `outer`.
    pub(crate) fn within(outer: &Arc<AtomicBool>) -> Self {
        Self { own: Arc::default(), outer: outer.clone() }
    }

    /// Asks for the end.
    pub(crate) fn set(&self) {
        self.own.store(true, Ordering::Relaxed);
    }

    /// The end was asked for.
    pub(crate) fn is_set(&self) -> bool {
        self.own.load(Ordering::Relaxed) || self.belongs_to_an_end()
    }

    /// What the call belongs to is being ended as a whole.
    pub(crate) fn belongs_to_an_end(&self) -> bool {
        self.outer.load(Ordering::Relaxed)
    }
}

impl Observer for Cancel {
    fn running(&mut self, _elapsed: Duration) -> bool {
        !self.is_set()
    }
}

/// Tells when all threads that hold one of its tokens are gone.
#[derive(Debug)]
pub(crate) struct Threads(watch::Sender<()>);

/// Held by a thread while it runs.
#[derive(Debug)]
pub(crate) struct Token(#[expect(dead_code, reason = "held for its drop")] watch::Receiver<()>);

impl Threads {
    /// No thread yet.
    pub(crate) fn new() -> Self {
        Self(watch::channel(()).0)
    }

    /// A token for one thread.
    pub(crate) fn token(&self) -> Token {
        Token(self.0.subscribe())
    }

    /// Waits until no token is left.
    pub(crate) async fn gone(&self) {
        self.0.closed().await;
    }
}

/// What becomes of a debugger after a job.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// It takes the next job.
    Stay,
    /// It is of no use any more, for this reason.
    End(String),
}

/// What the thread does with its debugger. Dropped unrun if the session ends first.
pub(crate) type Job<E> = Box<dyn FnOnce(&mut E, &mut dyn Observer) -> After + Send>;

enum Order<E> {
    Run { cancel: Cancel, job: Job<E> },
    End,
}

/// The sending side: belongs to the session.
pub(crate) struct Worker<E> {
    queue: mpsc::Sender<Order<E>>,
    abort: Arc<AtomicBool>,
    threads: Threads,
}

impl<E: 'static> Worker<E> {
    /// Starts a thread that makes its debugger with `start`, then takes jobs. If none comes for as long as `idle`, it
    /// ends.
    ///
    /// `ended` runs on the thread, last of all, with the reason; a panic of a job is one. The debugger is gone by then.
    pub(crate) fn spawn(
        name: &str,
        idle: Option<Duration>,
        start: impl FnOnce() -> Result<E, String> + Send + 'static,
        ended: impl FnOnce(String) + Send + 'static,
    ) -> std::io::Result<Self> {
        let (queue, orders) = mpsc::channel();
        let (abort, threads) = (Arc::<AtomicBool>::default(), Threads::new());
        let (aborted, token) = (abort.clone(), threads.token());
        std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let mut farewell = Farewell { ended: Some(ended), reason: PANICKED.to_owned(), _token: token };
            farewell.reason = match start() {
                Ok(debugger) => serve(debugger, &orders, &aborted, idle),
                Err(reason) => reason,
            };
        })?;
        Ok(Self { queue, abort, threads })
    }

    /// Queues a job. If the thread is gone, the job is dropped unrun.
    pub(crate) fn submit(&self, cancel: Cancel, job: Job<E>) {
        if self.queue.send(Order::Run { cancel, job }).is_err() {
            tracing::debug!("a job came after its session's end");
        }
    }

    /// A cancel flag for a job of this worker.
    pub(crate) fn cancel(&self) -> Cancel {
        Cancel::within(&self.abort)
    }

    /// Queues the end: after the jobs that were submitted before.
    pub(crate) fn end(&self) {
        if self.queue.send(Order::End).is_err() {
            tracing::debug!("the session had already ended");
        }
    }

    /// Ends now: the running job is asked to come to an end, and the jobs behind it are dropped unrun.
    pub(crate) fn abort(&self) {
        self.abort.store(true, Ordering::Relaxed);
        self.end();
    }

    /// For a thread that works for the same session.
    pub(crate) fn token(&self) -> Token {
        self.threads.token()
    }

    /// Waits for the thread's end.
    pub(crate) async fn gone(&self) {
        self.threads.gone().await;
    }
}

/// Why a session ended whose thread unwound.
const PANICKED: &str = "an internal error (a panic; see the server's standard error)";
/// Why a session ended that was told to.
pub(crate) const STOPPED: &str = "it was stopped";

fn serve<E>(
    mut debugger: E,
    orders: &mpsc::Receiver<Order<E>>,
    aborted: &AtomicBool,
    idle: Option<Duration>,
) -> String {
    loop {
        // It is the queue that tells how long nothing was asked, so that no job is lost between a look and a decision.
        let order = match idle {
            Some(idle) => orders.recv_timeout(idle),
            None => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        let (mut cancel, job) = match order {
            Ok(Order::Run { cancel, job }) => (cancel, job),
            Ok(Order::End) | Err(RecvTimeoutError::Disconnected) => return STOPPED.to_owned(),
            Err(RecvTimeoutError::Timeout) => return was_idle(idle.unwrap_or_default()),
        };
        if aborted.load(Ordering::Relaxed) {
            return STOPPED.to_owned();
        }
        if cancel.is_set() {
            continue;
        }
        if let After::End(reason) = job(&mut debugger, &mut cancel) {
            return reason;
        }
    }
}

/// Why a session ended of which nothing was asked for so long.
fn was_idle(long: Duration) -> String {
    format!("nothing was asked of it for {}, so it was closed (RR_MCP_SESSION_IDLE)", in_words(long))
}

/// `30 min`, `90 s`.
pub(crate) fn in_words(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0 => format!("{} s", time.as_secs_f64()),
        _ if seconds.is_multiple_of(3600) => format!("{} h", seconds / 3600),
        _ if seconds.is_multiple_of(60) => format!("{} min", seconds / 60),
        _ => format!("{seconds} s"),
    }
}

/// Says goodbye when the thread ends, however it does.
struct Farewell<F: FnOnce(String)> {
    ended: Option<F>,
    reason: String,
    _token: Token,
}

impl<F: FnOnce(String)> Drop for Farewell<F> {
    fn drop(&mut self) {
        if let Some(ended) = self.ended.take() {
            ended(std::mem::take(&mut self.reason));
        }
    }
}
