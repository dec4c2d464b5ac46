//! What a call has done on the thread of a session, and how its answer is waited for: with progress notifications while
//! it takes long, cancellation by the client, and the end of patience with a busy session.

use super::context::Call;
use crate::mcp::job::Job;
use crate::mcp::lock::locked;
use crate::mcp::reply::{Notes, StopView, ToolError};
use crate::mcp::session::{Debugger, Failure, Pending, Session, Status, Underway};
use base::cancel::Cancel;
use engine::Engine;
use engine::model::Motion;
use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use rr::Listener;
use serde::Serialize;
use std::fmt::Display;
use std::pin::{Pin, pin};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};

impl Call {
    /// Has `job` done on the thread of a session, after what was asked of it before.
    pub(crate) async fn on_session<T: Send + 'static>(
        &self,
        session: Option<&str>,
        job: impl FnOnce(&mut Engine) -> Result<T, engine::Error> + Send + 'static,
    ) -> Result<T, ToolError> {
        let session = self.shared.sessions.find(session)?;
        let notes = self.notes.clone();
        let pending = self.submit(&session, move |debugger, _| {
            let answer = job(&mut debugger.engine);
            notes.add(debugger.engine.take_notes());
            Ok(answer?)
        });
        self.answer(&session, pending).await
    }

    /// Has a session move.
    pub(crate) async fn go(&self, session: Option<&str>, motion: Motion) -> Result<StopView, ToolError> {
        let session = self.shared.sessions.find(session)?;
        let pending = self.submit_motion(&session, motion, self.notes.clone());
        self.answer(&session, pending).await
    }

    /// Moves a session as [`Self::go`] does, by a movement that may take long: in the background, a job waits for it,
    /// and this does not.
    pub(crate) async fn go_far(
        &self,
        session: Option<&str>,
        motion: Motion,
        background: bool,
    ) -> Result<StopView, ToolError> {
        if !background {
            return self.go(session, motion).await;
        }
        let session = self.shared.sessions.find(session)?;
        let notes = Notes::default();
        // In the queue of the session now, so that what is called next comes after it.
        let pending = self.submit_motion(&session, motion, notes.clone());
        let job = self.in_background_of(session, pending, move |stop: &mut StopView| {
            stop.notes.extend(notes.take());
        })?;
        Ok(StopView::of_job(&job.id))
    }

    /// Queues a movement. What is to be said besides its stop goes to `notes`.
    fn submit_motion(
        &self,
        session: &Session<Debugger>,
        motion: Motion,
        notes: Notes,
    ) -> Pending<Result<StopView, ToolError>> {
        let reporter = session.reporter();
        session
            .submit(self.tool, move |debugger, cancel, status| debugger.go(motion, &notes, cancel, status, &reporter))
    }

    /// Queues `job`.
    pub(crate) fn submit<T: Send + 'static>(
        &self,
        session: &Session<Debugger>,
        job: impl FnOnce(&mut Debugger, &Mutex<Status>) -> Result<T, Failure> + Send + 'static,
    ) -> Pending<Result<T, ToolError>> {
        let reporter = session.reporter();
        session.submit(self.tool, move |debugger, cancel, status| {
            debugger.attempt(cancel, status, &reporter, |debugger| job(debugger, status))
        })
    }

    /// Starts a job that waits for what a session was asked. `complete` is told the answer when it is there.
    pub(crate) fn in_background_of<T: Serialize + Display + Send + 'static>(
        &self,
        session: Arc<Session<Debugger>>,
        pending: Pending<Result<T, ToolError>>,
        complete: impl FnOnce(&mut T) + Send + 'static,
    ) -> Result<Arc<Job>, ToolError> {
        let about = format!("session {}", session.id());
        let (cancelled, runtime) = (pending.call.cancel.clone(), Handle::current());
        let (tool, asked) = (self.tool, cancelled.clone());
        let (batch, begun) = (pending.call.batch.clone(), pending.call.begun.clone());
        let wait = move |cancel: &Cancel, _: &Listener| {
            let Some(answer) = pending.wait(cancel) else {
                if batch.is_some_and(|batch| batch.is_refused()) {
                    return Err(ToolError(session.busy(tool)));
                }
                if asked.is_cancelled() && !begun.load(Ordering::Relaxed) && !session.lifetime().is_cancelled() {
                    return Err(ToolError(NOT_BEGUN.to_owned()));
                }
                runtime.block_on(session.gone());
                return Err(ToolError(session.end_reason().to_string()));
            };
            let mut answer = answer?;
            complete(&mut answer);
            Ok(answer)
        };
        self.shared.start_job(self.tool, about, wait).inspect_err(|_| cancelled.cancel())
    }

    /// Waits for what a session was asked; if it ends first, the error says why.
    pub(crate) async fn answer<T: Send>(
        &self,
        session: &Session<Debugger>,
        pending: Pending<Result<T, ToolError>>,
    ) -> Result<T, ToolError> {
        match answer(&self.context, self.tool, pending).await {
            Ok(answer) => answer,
            Err(Unanswered::Refused) => Err(ToolError(session.busy(self.tool))),
            Err(Unanswered::Dropped) if self.context.ct.is_cancelled() => Err(ToolError(NOT_BEGUN.to_owned())),
            Err(Unanswered::Dropped) => {
                session.gone().await;
                Err(ToolError(session.end_reason().to_string()))
            }
        }
    }
}

/// What becomes of a call that was cancelled while it waited for others.
const NOT_BEGUN: &str = "cancelled before it began";

/// A call says that it is still running this often, from this long after its start.
const PROGRESS_PERIOD: Duration = Duration::from_secs(1);

/// Why a call has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unanswered {
    /// Its job was dropped unrun, or its thread unwound.
    Dropped,
    /// Its session was busy with other calls for too long (see [`session`](crate::mcp::session)).
    Refused,
}

/// Waits for the answer of a call of `tool`.
///
/// When the client cancels, the job is asked to come to an end and its answer is awaited all the same: rmcp sends no
/// reply for a cancelled request.
pub(crate) async fn answer<T: Send>(
    context: &RequestContext<RoleServer>,
    tool: &str,
    pending: Pending<T>,
) -> Result<T, Unanswered> {
    let Pending { reply, call } = pending;
    let mut answer = None;
    {
        let replied = pin!(async { answer = reply.await.ok() });
        wait(context, tool, &call, replied).await?;
    }
    // Another call of the batch may have found that it waits for too long.
    let is_refused = || call.batch.as_ref().is_some_and(|batch| batch.is_refused());
    answer.ok_or_else(|| if is_refused() { Unanswered::Refused } else { Unanswered::Dropped })
}

/// Waits for the reply to a call, or until it is refused. (The reply is told to nobody here, so that this is compiled
/// once, whatever calls give.)
async fn wait(
    context: &RequestContext<RoleServer>,
    tool: &str,
    call: &Underway,
    mut replied: Pin<&mut (dyn Future<Output = ()> + Send)>,
) -> Result<(), Unanswered> {
    let Underway { cancel, begun, batch, status } = call;
    let start = Instant::now();
    let mut ticks = interval_at(start + PROGRESS_PERIOD, PROGRESS_PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let token = context.meta.get_progress_token();
    let refusal = sleep_until(batch.as_ref().map_or(start, |batch| Instant::from_std(batch.deadline())));
    tokio::pin!(refusal);
    let (mut cancelled, mut waiting) = (false, batch.is_some());
    loop {
        tokio::select! {
            biased;
            () = &mut replied => return Ok(()),
            () = context.ct.cancelled(), if !cancelled => {
                cancelled = true;
                cancel.cancel();
            }
            () = &mut refusal, if waiting => {
                waiting = false;
                if batch.as_ref().is_some_and(|batch| batch.refuse()) {
                    return Err(Unanswered::Refused);
                }
            }
            _ = ticks.tick(), if token.is_some() && !cancelled => {
                let doing = match status {
                    _ if !begun.load(Ordering::Relaxed) => "waiting for earlier calls".to_owned(),
                    Some(status) => state(&locked(status)),
                    None => cancel.told().unwrap_or_else(|| "running".to_owned()),
                };
                if let Some(token) = &token {
                    notify(context, token, tool, &doing, start.elapsed()).await;
                }
            }
        }
    }
}

/// Returns what a session does: that it runs, or what it reads.
fn state(status: &Status) -> String {
    status.reading().unwrap_or_else(|| format!("running{}", from_where(status)))
}

/// Returns ` from event 12 of 345`: where the session was when it began to move. (While rr runs, it cannot be asked
/// where it is.)
fn from_where(status: &Status) -> String {
    let Some((stop, _)) = &status.stop else { return String::new() };
    let Some(event) = stop.position.event() else { return String::new() };
    let of = status.events.map(|events| format!(" of {events}")).unwrap_or_default();
    format!(" from event {event}{of}")
}

/// Sends one notification and waits until it is on its way, so that none can follow the reply.
async fn notify(
    context: &RequestContext<RoleServer>,
    token: &ProgressToken,
    tool: &str,
    state: &str,
    elapsed: Duration,
) {
    let message = format!("{tool}: {state}, {} s", elapsed.as_secs());
    let progress = ProgressNotificationParam::new(token.clone(), elapsed.as_secs_f64()).with_message(message);
    if let Err(error) = context.peer.notify_progress(progress).await {
        tracing::debug!("a progress notification was not sent: {error}");
    }
}

#[cfg(test)]
mod tests;
