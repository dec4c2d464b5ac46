//! Opening a replay.

use super::context::Call;
use crate::mcp::lock::locked;
use crate::mcp::reply::ToolError;
use crate::mcp::session::{Debugger, Kill, Session, write_stop};
use engine::model::Stop;
use engine::{Engine, KillSwitch};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Call {
    /// Opens a session with the engine that `start` makes, and has it `arrive` where it is told to stop first. If that
    /// fails or is cancelled, there is no session: its client never learns its id.
    pub(crate) async fn open_replay<T: Send + 'static>(
        &self,
        trace: Option<PathBuf>,
        start: impl FnOnce(KillSwitch) -> Result<Engine, String> + Send + 'static,
        arrive: impl FnOnce(&str, &mut Engine) -> Result<(Stop, T), engine::Error> + Send + 'static,
    ) -> Result<(Arc<Session<Debugger>>, T), ToolError> {
        let switch = KillSwitch::default();
        let pulled = switch.clone();
        let kill: Kill = Arc::new(move || pulled.pull());
        let sessions = &self.shared.sessions;
        let session = sessions.open(trace, kill, move || start(switch).map(Into::into))?;
        let id = session.id().to_owned();
        let may_call = self.shared.settings.calls;
        let pending = self.submit(&session, move |debugger, status| {
            debugger.set_calls(may_call);
            let engine = &mut debugger.engine;
            let (stop, view) = arrive(&id, engine)?;
            {
                let mut status = locked(status);
                status.trace = engine.trace().map(Path::to_owned);
                (status.pid, status.port) = (Some(engine.pid()), Some(engine.port()));
            }
            write_stop(status, stop, None);
            Ok(view)
        });
        let answer = tokio::select! {
            biased;
            () = self.context.ct.cancelled() => Err(ToolError("cancelled".to_owned())),
            answer = self.answer(&session, pending) => answer,
        };
        if answer.is_err() {
            sessions.discard(&session).await;
        }
        answer.map(|view| (session, view))
    }
}
