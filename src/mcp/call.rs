//! Waiting for a call's answer: progress notifications while it takes long, cancellation by the client.

use super::sessions::Pending;
use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::oneshot::error::RecvError;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

/// A call says that it is still running this often, from this long after its start.
const PROGRESS_PERIOD: Duration = Duration::from_secs(1);

/// Waits for the answer of a call of `tool`.
///
/// When the client cancels, the job is asked to come to an end and its answer is awaited all the same: rmcp sends no
/// reply for a cancelled request. An error means that the job was dropped unrun, or its thread unwound.
pub(crate) async fn answer<T>(
    context: &RequestContext<RoleServer>,
    tool: &str,
    pending: Pending<T>,
) -> Result<T, RecvError> {
    let Pending { mut reply, cancel, begun } = pending;
    let start = Instant::now();
    let mut ticks = interval_at(start + PROGRESS_PERIOD, PROGRESS_PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let token = context.meta.get_progress_token();
    let mut cancelled = false;
    loop {
        tokio::select! {
            biased;
            answer = &mut reply => return answer,
            () = context.ct.cancelled(), if !cancelled => {
                cancelled = true;
                cancel.set();
            }
            _ = ticks.tick(), if token.is_some() && !cancelled => {
                let state = if begun.load(Ordering::Relaxed) { "running" } else { "waiting for earlier calls" };
                if let Some(token) = &token {
                    notify(context, token, tool, state, start.elapsed()).await;
                }
            }
        }
    }
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
