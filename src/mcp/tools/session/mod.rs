//! Opening, closing and listing replays, and where one is.

pub(super) mod args;
mod default_recording;
mod info_view;
pub(super) mod view;

use self::args::ReplayStartArgs;
use self::default_recording::{Choice, Unnamed};
use self::info_view::SessionInfoView;
use self::view::{InterruptView, SessionView, SessionsView, StoppedView, WhenView};
use crate::mcp::call::Call;
use crate::mcp::notify::Level;
use crate::mcp::reply::{Json, Moment, ReplayView, ToolError};
use crate::mcp::session::{Activity, SessionById};
use crate::mcp::tools::args::{NoArgs, SessionArgs};
use base::untrusted::{PathText as _, one_line};
use engine::model::{Motion, ReplayOptions};
use engine::{Engine, KillSwitch};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use rr::{Rr, process_named};
use std::path::PathBuf;
use std::time::Duration;

/// How long an interrupted call is waited for, to be able to say that it has stopped.
const STOPPING: Duration = Duration::from_secs(1);

#[tool_router(router = session_tools, vis = "pub(crate)")]
impl Call {
    /// Open a recording for debugging, paused at its start.
    ///
    /// * Returns the session id. Can be called several times.
    #[tool(name = "rr_replay_start")]
    async fn replay_start(&self, Parameters(args): Parameters<ReplayStartArgs>) -> Result<Json<ReplayView>, ToolError> {
        self.started(args).await.map(Json)
    }

    /// Opens a replay, paused at its start.
    pub(crate) async fn started(&self, args: ReplayStartArgs) -> Result<ReplayView, ToolError> {
        if args.pid.is_some() && args.command.is_some() {
            return Err(ToolError("a process is named by `pid` or by `command`, not by both".to_owned()));
        }
        let mut trace = args.trace_dir.map(PathBuf::from);
        let moment = match &args.at_session {
            None => None,
            Some(other) => {
                let (of_other, moment) = self.moment_of(other).await?;
                if trace.as_ref().is_some_and(|trace| trace.canonicalize().ok() != of_other.canonicalize().ok()) {
                    let shown = of_other.in_text();
                    return Err(ToolError(format!("session {other} replays {shown}; leave trace_dir out")));
                }
                trace = Some(of_other);
                Some(moment)
            }
        };
        // Known from the start, so that nobody removes it meanwhile.
        let (trace, unnamed) = match trace {
            Some(trace) => (Some(trace), None),
            None => Unnamed::find(self.shared.own_recordings.last()).unzip(),
        };
        let opened = trace.clone();
        let mut options = ReplayOptions { trace, pid: args.pid };
        let timeouts = self.shared.settings.timeouts;
        let is_process_named = args.pid.is_some() || args.command.is_some() || moment.is_some();
        let (say, said) = std::sync::mpsc::channel();
        let start = move |switch: KillSwitch| {
            let rr = Rr::find().map_err(|e| e.to_string())?;
            if let Some(command) = args.command {
                let pid = process_named(options.trace.as_deref(), &command).map_err(|e| e.to_string())?;
                options.pid = Some(pid);
            }
            let mut choice = Choice::default();
            if let Some(trace) = &options.trace {
                choice = Choice::of(trace, unnamed, is_process_named);
                options.pid = options.pid.or(choice.pid);
                // Whoever takes it is there as long as the session is.
                drop(choice.note.clone().map(|note| say.send(note)));
            }
            Engine::start_with(switch, &rr, &options, timeouts).map_err(|e| choice.explained(e.to_string()))
        };
        let arrive = move |id: &str, engine: &mut Engine| {
            let stop = match &moment {
                None => engine.here()?,
                Some(moment) => engine.go(Motion::RunToEvent(moment.event))?,
            };
            let mut view =
                ReplayView::new(id, engine.trace(), engine.pid(), engine.port(), stop.clone(), moment.as_ref());
            view.notes.extend(said.try_iter());
            view.notes.extend(engine.take_said());
            Ok((stop, view))
        };
        let (session, view) = self.open_replay(opened, start, arrive).await?;
        if let Some(trace) = &view.trace_dir {
            session.reporter().say(Level::Info, format!("it replays {}", one_line(trace)));
        }
        // For a long recording that takes a moment, which the end of the session does not wait for.
        if let Some(trace) = view.trace_dir.as_ref().map(PathBuf::from) {
            let (token, counting) = (session.token(), session.clone());
            tokio::task::spawn_blocking(move || {
                let _token = token;
                let rr = Rr::find().ok().map(|rr| rr.with_cancel(counting.lifetime()));
                if let Some(events) = rr.and_then(|rr| rr.events_of(&trace)) {
                    session.counted(events);
                }
            });
        }
        Ok(view)
    }

    /// Close a session at once.
    ///
    /// * Works even while the session is busy.
    #[tool(name = "rr_replay_stop")]
    async fn replay_stop(&self, Parameters(args): Parameters<SessionArgs>) -> Result<Json<StoppedView>, ToolError> {
        let Some(session) = self.shared.sessions.take(args.session.as_deref())? else {
            return Ok(Json(StoppedView { result: "No active replay session.".to_owned(), session: None }));
        };
        if !session.end().await {
            return Err(ToolError(format!("the rr of session {} was killed, but is not gone yet", session.id())));
        }
        let result = "Replay session stopped.".to_owned();
        Ok(Json(StoppedView { result, session: Some(session.id().to_owned()) }))
    }

    /// Stop a running session where it is.
    #[tool(name = "rr_interrupt")]
    async fn interrupt(&self, Parameters(args): Parameters<SessionArgs>) -> Result<Json<InterruptView>, ToolError> {
        let session = self.shared.sessions.find(args.session.as_deref())?;
        let activity = session.interrupt();
        let stopped = match &activity {
            Activity::Running(running) => tokio::time::timeout(STOPPING, session.over(running)).await.is_ok(),
            Activity::Idle => true,
            Activity::Starting(_) => false,
        };
        Ok(Json(InterruptView::new(session.id(), &activity, stopped, self.shared.settings.timeouts.interrupt)))
    }

    /// List open sessions.
    ///
    /// * Each has its current activity, last stop and checkpoints.
    #[tool(name = "rr_session_list")]
    async fn session_list(&self, Parameters(NoArgs {}): Parameters<NoArgs>) -> Json<SessionsView> {
        let (open, ended) = self.shared.sessions.list();
        let current = match self.shared.sessions.look(None) {
            Ok(SessionById::Open { session, .. }) => Some(session),
            _ => None,
        };
        let is_current = |id: &str| current.as_ref().is_some_and(|current| current.id() == id);
        let views = open
            .iter()
            .map(|session| SessionView::new(session.id(), session.status(), is_current(session.id())))
            .collect();
        Json(SessionsView::new(views, ended))
    }

    /// Show state, last stop, breakpoints of a session.
    ///
    /// * Also how long it has been idle and, if it has ended, why.
    #[tool(name = "rr_session_info")]
    async fn session_info(
        &self,
        Parameters(args): Parameters<SessionArgs>,
    ) -> Result<Json<SessionInfoView>, ToolError> {
        let limit = self.shared.sessions.idle_limit();
        Ok(Json(match self.shared.sessions.look(args.session.as_deref())? {
            SessionById::Open { session, current } => {
                SessionInfoView::open(session.id(), session.status(), current, limit)
            }
            SessionById::Ended(ended) => ended.into(),
        }))
    }

    /// Show the current event, ticks, thread, pc, position.
    ///
    /// * rr_goto goes to such a position.
    #[tool(name = "rr_when")]
    async fn when(&self, Parameters(args): Parameters<SessionArgs>) -> Result<Json<WhenView>, ToolError> {
        let job = |engine: &mut Engine| Ok((engine.position()?, engine.waypoint()?));
        let (position, waypoint) = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(WhenView::new(position, Some(waypoint))))
    }
}

impl Call {
    /// Returns the recording of a session, and where it is in it.
    async fn moment_of(&self, session: &str) -> Result<(PathBuf, Moment), ToolError> {
        let other = match self.shared.sessions.look(Some(session))? {
            SessionById::Open { session, .. } => session,
            SessionById::Ended(ended) => return Err(ToolError(ended.to_string())),
        };
        let pending = self.submit(&other, |debugger, _| {
            let event = debugger.engine.event()?;
            Ok((debugger.engine.recording()?.to_owned(), event))
        });
        let (trace, event) = self.answer(&other, pending).await?;
        Ok((trace, Moment { session: session.to_owned(), event }))
    }
}
