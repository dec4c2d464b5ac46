//! A session: a thread that owns a debugger, and the queue in front of it.

use super::batch::{Turn, Turns};
use super::ended_sessions::{Ended, PANICKED, STOPPED, idle_for};
use super::join_threads::{Threads, Token};
use super::pending::{Pending, Underway};
use super::status::{Activity, Running, Status};
use crate::mcp::lock::locked;
use crate::mcp::notify::{Feed, Level, Reporter};
use base::cancel::Cancel;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::{oneshot, watch};

/// How long a stop waits for the calls before it.
const PATIENCE: Duration = Duration::from_millis(250);

/// A function that ends what a session's debugger debugs, from any thread. False: it did not work.
pub(crate) type Kill = Arc<dyn Fn() -> bool + Send + Sync>;

/// What becomes of a debugger after a job.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// It takes the next job.
    Stay,
    /// It is of no use any more, for this reason.
    End(String),
}

/// An open replay: a thread that owns a debugger, and the queue in front of it.
pub(crate) struct Session<E> {
    pub(super) id: String,
    /// Never used again, unlike the id of a session that was never started.
    pub(super) serial: u64,
    queue: mpsc::Sender<Order<E>>,
    /// Cancelled when it is ended at once, and all calls with it.
    abort: Cancel,
    /// Cancelled when it has ended.
    over: Cancel,
    threads: Threads,
    pub(super) kill: Kill,
    pub(super) status: Arc<Mutex<Status>>,
    turns: Turns,
    /// The number of the last call that was carried out.
    done: watch::Sender<u64>,
    /// Why it ended.
    end: Arc<OnceLock<String>>,
    feed: Feed,
}

/// What a session's thread is told.
enum Order<E> {
    Run(Queued<E>),
    End,
}

/// A call in the queue.
struct Queued<E> {
    tool: &'static str,
    turn: Turn,
    cancel: Cancel,
    begun: Arc<AtomicBool>,
    job: Job<E>,
}

/// What the thread does with its debugger; gives how to send the answer. Dropped unrun if the session ends first.
type Job<E> = Box<dyn FnOnce(&mut E, &Cancel, &Mutex<Status>) -> (Box<dyn FnOnce()>, After) + Send>;

/// How a session begins.
pub(super) struct Opening {
    pub(super) id: String,
    pub(super) serial: u64,
    pub(super) trace: Option<PathBuf>,
    pub(super) kill: Kill,
    /// If nothing is asked of it for so long, it ends.
    pub(super) idle: Option<Duration>,
    pub(super) feed: Feed,
}

impl<E: 'static> Session<E> {
    /// Starts a thread that makes its debugger with `start`, then takes jobs.
    ///
    /// `ended` runs on the thread, last of all, when its debugger is gone and the reason is known; a panic of a job is
    /// one.
    pub(super) fn spawn(
        opening: Opening,
        start: impl FnOnce() -> Result<E, String> + Send + 'static,
        ended: impl FnOnce() + Send + 'static,
    ) -> std::io::Result<Self> {
        let Opening { id, serial, trace, kill, idle, feed } = opening;
        let (queue, orders) = mpsc::channel();
        let (abort, over, threads, end) =
            (Cancel::default(), Cancel::default(), Threads::new(), Arc::<OnceLock<String>>::default());
        let created = Some(SystemTime::now());
        let status = Status { created, trace, activity: Activity::Starting(Instant::now()), ..Status::default() };
        let (status, done) = (Arc::new(Mutex::new(status)), watch::Sender::new(0));
        let thread = Thread {
            orders,
            abort: abort.clone(),
            idle,
            id: id.clone(),
            status: status.clone(),
            calls: 0,
            done: done.clone(),
            feed: feed.clone(),
        };
        let (token, reason_of_end, at_end) = (threads.token(), end.clone(), over.clone());
        let ended = move |reason: String| {
            reason_of_end.get_or_init(|| reason);
            at_end.cancel();
            ended();
        };
        std::thread::Builder::new().name(format!("replay {id}")).spawn(move || {
            let mut farewell = EndGuard { ended: Some(ended), reason: PANICKED.to_owned(), _token: token };
            farewell.reason = match start() {
                Ok(debugger) => thread.run(debugger),
                Err(reason) => reason,
            };
        })?;
        Ok(Self { id, serial, queue, abort, over, threads, kill, status, turns: Turns::default(), done, end, feed })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Returns the reporter of what happens with the session.
    pub(crate) fn reporter(&self) -> Reporter {
        self.feed.reporter(format!("session {}", self.id))
    }

    /// Returns a copy of what is known.
    pub(crate) fn status(&self) -> Status {
        let mut status = locked(&self.status).clone();
        let served = usize::from(!matches!(status.activity, Activity::Idle));
        status.waiting = self.turns.unfinished().saturating_sub(served);
        status
    }

    /// Returns a token for a thread that works for the session besides its own: the session is [gone](Self::gone) when
    /// that has ended, too.
    pub(crate) fn token(&self) -> Token {
        self.threads.token()
    }

    /// Returns a `Cancel` that is cancelled when its replay is no more.
    pub(crate) fn lifetime(&self) -> &Cancel {
        &self.over
    }

    /// Sets the number of the recording's last event.
    pub(crate) fn counted(&self, events: u64) {
        locked(&self.status).events = Some(events);
    }

    /// Queues `job` as a call of `tool`. The job may write down what it learnt in the status. If the thread is gone, it
    /// is dropped unrun.
    pub(crate) fn submit<T: Send + 'static>(
        &self,
        tool: &'static str,
        job: impl FnOnce(&mut E, &Cancel, &Mutex<Status>) -> (T, After) + Send + 'static,
    ) -> Pending<T> {
        let (sender, reply) = oneshot::channel();
        let job = move |debugger: &mut E, cancel: &Cancel, status: &Mutex<Status>| {
            let (answer, after) = job(debugger, cancel, status);
            let send = move || {
                if sender.send(answer).is_err() {
                    tracing::debug!("nobody waited for {tool}");
                }
            };
            (Box::new(send) as Box<dyn FnOnce()>, after)
        };
        Pending { reply, call: self.enqueue(tool, Box::new(job)) }
    }

    fn enqueue(&self, tool: &'static str, job: Job<E>) -> Underway {
        let (turn, cancel, begun) = (self.turns.take(), self.abort.child(), Arc::<AtomicBool>::default());
        let (batch, status) = (Some(turn.batch()), Some(self.status.clone()));
        let call = Underway { cancel: cancel.clone(), begun: begun.clone(), batch, status };
        if self.queue.send(Order::Run(Queued { tool, turn, cancel, begun, job })).is_err() {
            tracing::debug!("a job came after its session's end");
        }
        call
    }

    /// Returns what to say to a call of `tool` that was refused because of what the session is doing.
    pub(crate) fn busy(&self, tool: &str) -> String {
        let id = &self.id;
        let seconds = |since: Instant| since.elapsed().as_secs();
        let (doing, remedy) = match locked(&self.status).activity.clone() {
            Activity::Starting(since) => (
                format!("its replay has been starting for {} s", seconds(since)),
                "wait for it, or give it up with rr_replay_stop",
            ),
            Activity::Running(Running { tool, since, .. }) => (
                format!("{tool} has been running for {} s", seconds(since)),
                "wait for it, stop it where it is with rr_interrupt, or end the session with rr_replay_stop",
            ),
            Activity::Idle => ("other calls came first".to_owned(), "try again"),
        };
        format!("session {id} is busy: {doing}; {remedy}. This {tool} was not carried out")
    }

    /// Asks the call that runs now to come to an end.
    pub(crate) fn interrupt(&self) -> Activity {
        let activity = locked(&self.status).activity.clone();
        if let Activity::Running(running) = &activity {
            running.cancel.cancel();
        }
        activity
    }

    /// Waits until this call is over.
    pub(crate) async fn over(&self, running: &Running) {
        let mut done = self.done.subscribe();
        // An error means that the session is gone, and its calls with it.
        let _ = done.wait_for(|number| *number >= running.number).await;
    }

    /// Ends the replay. The calls that came before get a moment to finish, then they are ended too.
    ///
    /// Returns within a second. False: its rr could not be killed.
    pub(crate) async fn end(&self) -> bool {
        self.queue_end();
        if tokio::time::timeout(PATIENCE, self.gone()).await.is_ok() {
            return true;
        }
        let killed = self.kill().await;
        // An rr that is just being started is ended by the thread itself, which looks every few dozen milliseconds. A
        // thread that is busy computing is not waited for.
        let _ = tokio::time::timeout(PATIENCE, self.gone()).await;
        killed
    }

    /// Ends the replay at once, whatever its thread is doing. The thread ends when it notices.
    pub(super) async fn kill(&self) -> bool {
        self.abort();
        let kill = self.kill.clone();
        tokio::task::spawn_blocking(move || kill()).await.unwrap_or(false)
    }

    /// Asks the running call to come to an end; the calls behind it are dropped unrun.
    pub(super) fn abort(&self) {
        self.abort.cancel();
        self.queue_end();
    }

    /// Queues the end: after the calls that were submitted before.
    fn queue_end(&self) {
        if self.queue.send(Order::End).is_err() {
            tracing::debug!("the session had already ended");
        }
    }

    /// Waits for the end of the thread.
    pub(crate) async fn gone(&self) {
        self.threads.gone().await;
    }

    /// Returns why it has ended, once its thread is gone.
    pub(crate) fn end_reason(&self) -> Ended {
        let started = !matches!(locked(&self.status).activity, Activity::Starting(_));
        let reason = self.end.get().cloned().unwrap_or_else(|| STOPPED.to_owned());
        Ended { id: self.id.clone(), reason, started }
    }
}

/// What a session's thread has besides its debugger.
struct Thread<E> {
    orders: mpsc::Receiver<Order<E>>,
    abort: Cancel,
    idle: Option<Duration>,
    id: String,
    status: Arc<Mutex<Status>>,
    /// How many it has carried out.
    calls: u64,
    done: watch::Sender<u64>,
    feed: Feed,
}

impl<E> Thread<E> {
    /// Carries out what is queued, until the end; gives the reason for that.
    fn run(mut self, mut debugger: E) -> String {
        locked(&self.status).set_idle();
        loop {
            // It is the queue that tells how long nothing was asked, so that no job is lost between a look and a
            // decision.
            let order = match self.idle {
                Some(idle) => self.orders.recv_timeout(idle),
                None => self.orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            let queued = match order {
                Ok(Order::Run(queued)) => queued,
                Ok(Order::End) | Err(RecvTimeoutError::Disconnected) => return STOPPED.to_owned(),
                Err(RecvTimeoutError::Timeout) => return idle_for(self.idle.unwrap_or_default()),
            };
            if self.abort.is_cancelled() {
                return STOPPED.to_owned();
            }
            if queued.cancel.is_cancelled() || !queued.turn.begin() {
                continue;
            }
            if let After::End(reason) = self.carry_out(&mut debugger, queued) {
                return reason;
            }
        }
    }

    fn carry_out(&mut self, debugger: &mut E, queued: Queued<E>) -> After {
        let Queued { tool, turn, cancel, begun, job } = queued;
        begun.store(true, Ordering::Relaxed);
        self.calls += 1;
        let since = Instant::now();
        let running = Running { tool, since, number: self.calls, cancel: cancel.clone() };
        let before = {
            let mut status = locked(&self.status);
            status.activity = Activity::Running(running);
            status.shown()
        };
        self.feed.session_changed(&self.id, &[]);
        let (send, after) = job(debugger, &cancel, &self.status);
        let shown = {
            let mut status = locked(&self.status);
            status.set_idle();
            status.shown()
        };
        self.feed.session_changed(&self.id, &before.parts_changed(&shown, tool));
        let took = format!("{tool} took {:.3} s", since.elapsed().as_secs_f64());
        self.feed.say(Level::Debug, format!("session {}", self.id), took);
        self.done.send_replace(self.calls);
        drop(turn);
        if self.abort.is_cancelled() {
            // What it says depends on whether it was asked to come to an end or lost its rr first.
            return After::End(STOPPED.to_owned());
        }
        send();
        after
    }
}

/// A guard that reports the end of the session when its thread ends, however it does.
struct EndGuard<F: FnOnce(String)> {
    ended: Option<F>,
    reason: String,
    _token: Token,
}

impl<F: FnOnce(String)> Drop for EndGuard<F> {
    fn drop(&mut self) {
        if let Some(ended) = self.ended.take() {
            ended(std::mem::take(&mut self.reason));
        }
    }
}
