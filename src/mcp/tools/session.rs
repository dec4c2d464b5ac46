//! Opening, closing and listing replays, and where one is.

use crate::engine::model::ReplayOptions;
use crate::engine::{Engine, KillSwitch};
use crate::mcp::args::{NoArgs, ReplayStartArgs, SessionArgs};
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::server::{Server, submit};
use crate::mcp::sessions::{Activity, Kill, Known, locked};
use crate::mcp::view::{
    InterruptView, ReplayView, SessionInfoView, SessionView, SessionsView, StoppedView, WhenView, reason_word,
};
use crate::rr::Rr;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::service::RequestContext;
use rmcp::{RoleServer, tool, tool_router};
use std::sync::Arc;
use std::time::Duration;

/// How long an interrupted call is waited for, to be able to say that it has stopped.
const STOPPING: Duration = Duration::from_secs(1);

#[tool_router(router = session_tools, vis = "pub(super)")]
impl Server {
    /// Open a recording for debugging, paused at its start. Returns the session id. Can be called several times.
    #[tool(
        name = "rr_replay_start",
        annotations(
            title = "Open a replay",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn replay_start(
        &self,
        Parameters(args): Parameters<ReplayStartArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<ReplayView>, ToolError> {
        let options = ReplayOptions { trace: args.trace_dir.map(Into::into), pid: args.pid };
        let (switch, timeouts) = (KillSwitch::default(), self.timeouts());
        let pulled = switch.clone();
        let kill: Kill = Arc::new(move || pulled.pull());
        let session = self.sessions().open(options.trace.clone(), kill, move || {
            let rr = Rr::find().map_err(|e| e.to_string())?;
            Engine::start_with(switch, &rr, &options, timeouts).map(Into::into).map_err(|e| e.to_string())
        })?;
        let id = session.id().to_owned();
        let pending = submit(&session, "rr_replay_start", move |engine, _, status| {
            let stop = engine.here()?;
            let (trace, pid, port) = (engine.trace().to_owned(), engine.pid(), engine.port());
            let view = ReplayView::new(&id, &trace, pid, port, stop.clone());
            let mut status = locked(status);
            (status.trace, status.pid, status.port) = (Some(trace), Some(pid), Some(port));
            status.stop = Some((stop.clone(), reason_word(&stop.reason, None)));
            Ok(view)
        });
        let answer = tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(ToolError("cancelled".to_owned())),
            answer = self.answer(&context, &session, "rr_replay_start", pending) => answer,
        };
        if answer.is_err() {
            // The client never learns its id.
            self.sessions().discard(&session).await;
        }
        answer.map(Json)
    }

    /// Close a replay, at once, whatever it is doing.
    #[tool(
        name = "rr_replay_stop",
        annotations(
            title = "Close a replay",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn replay_stop(&self, Parameters(args): Parameters<SessionArgs>) -> Result<Json<StoppedView>, ToolError> {
        let Some(session) = self.sessions().take(args.session.as_deref())? else {
            return Ok(Json(StoppedView { result: "No active replay session.".to_owned(), session: None }));
        };
        if !session.end().await {
            return Err(ToolError(format!("the rr of session {} was killed, but is not gone yet", session.id())));
        }
        let result = "Replay session stopped.".to_owned();
        Ok(Json(StoppedView { result, session: Some(session.id().to_owned()) }))
    }

    /// Stop what a session is doing, such as a long rr_continue, where it is; the session goes on.
    #[tool(
        name = "rr_interrupt",
        annotations(
            title = "Interrupt a run",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn interrupt(&self, Parameters(args): Parameters<SessionArgs>) -> Result<Json<InterruptView>, ToolError> {
        let session = self.sessions().find(args.session.as_deref())?;
        let activity = session.interrupt();
        let stopped = match &activity {
            Activity::Running(running) => tokio::time::timeout(STOPPING, session.over(running)).await.is_ok(),
            Activity::Idle => true,
            Activity::Starting(_) => false,
        };
        Ok(Json(InterruptView::new(session.id(), &activity, stopped, self.timeouts().interrupt)))
    }

    /// List the open replays: what each does, where it stopped last, its checkpoints.
    #[tool(
        name = "rr_session_list",
        annotations(
            title = "List replays",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn session_list(&self, Parameters(NoArgs {}): Parameters<NoArgs>) -> Json<SessionsView> {
        let (open, ended) = self.sessions().list();
        let last = open.len();
        let views = open
            .iter()
            .enumerate()
            .map(|(i, session)| SessionView::new(session.id(), session.status(), i + 1 == last))
            .collect();
        Json(SessionsView::new(views, ended))
    }

    /// What is known of one session, without waiting for it: state, where it stopped, breakpoints, idle time; why it ended.
    #[tool(
        name = "rr_session_info",
        annotations(
            title = "Describe a session",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn session_info(
        &self,
        Parameters(args): Parameters<SessionArgs>,
    ) -> Result<Json<SessionInfoView>, ToolError> {
        let limit = self.sessions().idle_limit();
        Ok(Json(match self.sessions().look(args.session.as_deref())? {
            Known::Open { session, current } => SessionInfoView::open(session.id(), session.status(), current, limit),
            Known::Ended(ended) => ended.into(),
        }))
    }

    /// Where the replay is in time: event, ticks, thread, pc.
    #[tool(
        name = "rr_when",
        annotations(
            title = "Position in time",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn when(
        &self,
        Parameters(args): Parameters<SessionArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<WhenView>, ToolError> {
        let position = self.on_session(&context, args.session.as_deref(), "rr_when", Engine::position).await?;
        Ok(Json(position.into()))
    }
}
