//! Waiting for a call's answer: progress notifications while it takes long, cancellation by the client, and the end of
//! patience with a busy session.

use super::sessions::{Pending, Status, locked};
use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};

/// A call says that it is still running this often, from this long after its start.
const PROGRESS_PERIOD: Duration = Duration::from_secs(1);

/// Why a call has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unanswered {
    /// Its job was dropped unrun, or its thread unwound.
    Dropped,
    /// Its session was busy with other calls for too long (see [`turn`](super::turn)).
    Refused,
}

/// Waits for the answer of a call of `tool`.
///
/// When the client cancels, the job is asked to come to an end and its answer is awaited all the same: rmcp sends no
/// reply for a cancelled request.
pub(crate) async fn answer<T>(
    context: &RequestContext<RoleServer>,
    tool: &str,
    pending: Pending<T>,
) -> Result<T, Unanswered> {
    let Pending { mut reply, cancel, begun, batch, status } = pending;
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
            answer = &mut reply => return answer.map_err(|_| Unanswered::Dropped),
            () = context.ct.cancelled(), if !cancelled => {
                cancelled = true;
                cancel.set();
            }
            () = &mut refusal, if waiting => {
                waiting = false;
                if batch.as_ref().is_some_and(|batch| batch.refuse()) {
                    return Err(Unanswered::Refused);
                }
            }
            _ = ticks.tick(), if token.is_some() && !cancelled => {
                let doing = match &status {
                    _ if !begun.load(Ordering::Relaxed) => "waiting for earlier calls".to_owned(),
                    Some(status) => state(&locked(status)),
                    None => "running".to_owned(),
                };
                if let Some(token) = &token {
                    notify(context, token, tool, &doing, start.elapsed()).await;
                }
            }
        }
    }
}

/// What a session does: that it runs, or what it reads.
fn state(status: &Status) -> String {
    status.reading().unwrap_or_else(|| format!("running{}", from_where(status)))
}

/// ` from event 12 of 345`: where the session was when it began to move. (While rr runs, it cannot be asked where it
/// is.)
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
