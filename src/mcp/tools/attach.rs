//! Using a server that listens already.

use crate::engine::{Engine, KillSwitch};
use crate::mcp::args::AttachArgs;
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::server::{Server, submit};
use crate::mcp::sessions::{Kill, locked};
use crate::mcp::view::{ReplayView, reason_word};
use crate::rr::Rr;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::service::RequestContext;
use rmcp::{RoleServer, tool, tool_router};
use std::path::PathBuf;
use std::sync::Arc;

#[tool_router(router = attach_tools, vis = "pub(super)")]
impl Server {
    /// Use an rr replay that somebody has started with --dbgport, where it is. Returns the session id.
    #[tool(
        name = "rr_attach",
        annotations(
            title = "Attach to a replay",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn attach(
        &self,
        Parameters(args): Parameters<AttachArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<ReplayView>, ToolError> {
        let trace = args.trace_dir.map(PathBuf::from);
        let (switch, timeouts) = (KillSwitch::default(), self.timeouts());
        let pulled = switch.clone();
        let kill: Kill = Arc::new(move || pulled.pull());
        let session = self.sessions().open(trace.clone(), kill, move || {
            let rr = Rr::find().map_err(|e| e.to_string())?;
            let begun = Engine::attach(switch, &rr, &args.address.0, trace.as_deref(), args.remote, timeouts);
            begun.map(Into::into).map_err(|e| e.to_string())
        })?;
        let id = session.id().to_owned();
        let pending = submit(&session, "rr_attach", move |engine, _, status| {
            let stop = engine.here()?;
            let (trace, pid, port) = (engine.trace().to_owned(), engine.pid(), engine.port());
            let view = ReplayView::attached(&id, &trace, pid, port, stop.clone());
            let mut status = locked(status);
            (status.trace, status.pid, status.port) = (Some(trace), Some(pid), Some(port));
            status.stop = Some((stop.clone(), reason_word(&stop.reason, None)));
            Ok(view)
        });
        let answer = tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(ToolError("cancelled".to_owned())),
            answer = self.answer(&context, &session, "rr_attach", pending) => answer,
        };
        if answer.is_err() {
            // The client never learns its id.
            self.sessions().discard(&session).await;
        }
        answer.map(Json)
    }
}
