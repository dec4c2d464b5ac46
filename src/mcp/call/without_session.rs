//! What a call has done without a session: on a thread of its own, mostly with the rr that there is.

use super::context::Call;
use super::on_session::answer;
use crate::mcp::job::Job;
use crate::mcp::reply::ToolError;
use crate::mcp::session::{Pending, Underway};
use base::cancel::Cancel;
use rr::{Listener, Rr};
use serde::Serialize;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::sync::oneshot;

impl Call {
    /// Has `job` done with the rr that there is, on a thread of its own. It is cancelled when the client cancels.
    pub(crate) async fn with_rr<T: Send + 'static>(
        &self,
        job: impl FnOnce(Rr) -> Result<T, rr::Error> + Send + 'static,
    ) -> Result<T, ToolError> {
        self.on_thread(move |cancel| job(find_rr(cancel)?)).await
    }

    /// Has `job` done on a thread of its own: for what waits for rr without a replay.
    pub(crate) async fn on_thread<T: Send + 'static, E: Into<ToolError> + Send + 'static>(
        &self,
        job: impl FnOnce(&Cancel) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ToolError> {
        let tool = self.tool;
        let (sender, reply) = oneshot::channel();
        let (cancel, token) = (self.shared.closing.child(), self.shared.threads.token());
        let seen = cancel.clone();
        let run = move || {
            let _token = token;
            if sender.send(job(&seen)).is_err() {
                tracing::debug!("nobody waited for {tool}");
            }
        };
        start(tool, Box::new(run))?;
        let call = Underway { cancel, begun: Arc::new(AtomicBool::new(true)), batch: None, status: None };
        let pending = Pending { reply, call };
        match answer(&self.context, tool, pending).await {
            Ok(answer) => answer.map_err(Into::into),
            Err(_) => Err(ToolError(format!("{tool} failed by an internal error (see the server's standard error)"))),
        }
    }

    /// Has `job` done with the rr that there is, without anybody waiting for it.
    pub(crate) fn in_background<T: Serialize + Display>(
        &self,
        about: String,
        job: impl FnOnce(Rr, &Listener) -> Result<T, rr::Error> + Send + 'static,
    ) -> Result<Arc<Job>, ToolError> {
        let work = move |cancel: &Cancel, listener: &Listener| Ok(job(find_rr(cancel)?, listener)?);
        self.shared.start_job(self.tool, about, work)
    }
}

/// Starts a thread for a call of `tool`.
fn start(tool: &str, run: Box<dyn FnOnce() + Send>) -> Result<(), ToolError> {
    let thread = std::thread::Builder::new().name(tool.to_owned()).spawn(run);
    thread.map(drop).map_err(|e| ToolError(format!("no thread for {tool} could be started: {e}")))
}

/// Finds the rr that there is, whose work is cancelled with this.
pub(crate) fn find_rr(cancel: &Cancel) -> Result<Rr, rr::Error> {
    Ok(Rr::find()?.with_cancel(cancel))
}
