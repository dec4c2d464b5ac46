//! The story of a failure in one call.

mod args;
mod view;

pub(crate) use self::view::StoryView;

use self::args::ExplainArgs;
use crate::mcp::call::{Call, find_rr};
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::session::{SessionById, write_stop};
use crate::mcp::tools::session::args::ReplayStartArgs;
use crate::story::{Arrival, Story, explained, to_failure};
use base::cancel::Cancel;
use engine::model::{Reason, ReplayOptions, Timeouts};
use engine::{Engine, KillSwitch};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use rr::Rr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest that the passes of a story may take.
const PATIENCE: Duration = Duration::from_secs(60);

#[tool_router(router = story_tools, vis = "pub(crate)")]
impl Call {
    /// Explain a failure: fault, assertion, exception, panic, deadlock, exit.
    ///
    /// * With trace_dir, or at the start of a replay, it first goes to the failure.
    #[tool(name = "rr_explain")]
    async fn explain(&self, Parameters(args): Parameters<ExplainArgs>) -> Result<Json<StoryView>, ToolError> {
        let ExplainArgs { trace_dir, pid, session } = args;
        let is_open = matches!(self.shared.sessions.look(session.as_deref()), Ok(SessionById::Open { .. }));
        let opens = trace_dir.is_some() || pid.is_some() || session.is_none() && !is_open;
        match opens {
            true => self.story_at_failure(trace_dir, pid).await.map(Json),
            false => self.story_of(session.as_deref()).await.map(Json),
        }
    }

    /// Opens a recording at its failure, and tells the story of that.
    pub(crate) async fn story_at_failure(
        &self,
        trace_dir: Option<String>,
        pid: Option<u32>,
    ) -> Result<StoryView, ToolError> {
        let (session, pid) = self.opened_at_failure(trace_dir, pid).await?;
        let view = self.story_of(Some(&session)).await?;
        Ok(StoryView { session: Some(session), pid: Some(pid), ..view })
    }

    /// Tells the story of a session: of its failure, if it is at its start.
    async fn story_of(&self, session: Option<&str>) -> Result<StoryView, ToolError> {
        let session = self.shared.sessions.find(session)?;
        let trace = session.status().trace;
        let notes = self.notes.clone();
        let pending = self.submit(&session, move |debugger, status| {
            let engine = &mut debugger.engine;
            let moves = matches!(engine.reason(), Reason::StartOfRecording);
            let view = match trace.filter(|_| moves) {
                None => StoryView::of_stop(engine.explain()?.into()),
                Some(trace) => {
                    let view = told(engine, &trace);
                    write_stop(status, engine.here()?, None);
                    view?
                }
            };
            notes.add(engine.take_notes());
            Ok(view)
        });
        self.answer(&session, pending).await
    }

    /// Opens a recording, at the process that failed if none is named. Returns the session and the process.
    async fn opened_at_failure(&self, trace_dir: Option<String>, pid: Option<u32>) -> Result<(String, u32), ToolError> {
        let named = trace_dir.clone().map(PathBuf::from);
        let failed = self.on_thread(move |_: &Cancel| {
            let Some(named) = named else { return Ok::<_, ToolError>(None) };
            let trace = rr::resolve_trace(Some(&named)).map_err(|error| ToolError(error.to_string()))?;
            Ok(rr::worth_debugging(&rr::processes(&trace).unwrap_or_default()).map(|process| process.pid))
        });
        let pid = if pid.is_some() { pid } else { failed.await? };
        let args = ReplayStartArgs { trace_dir, pid, command: None, at_session: None };
        let started = self.started(args).await?;
        Ok((started.session, started.pid))
    }
}

/// Goes from the start of a replay to its failure, and tells the story of that.
fn told(engine: &mut Engine, trace: &Path) -> Result<StoryView, engine::Error> {
    let arrival = to_failure(engine)?;
    let cancel = engine.cancel().with_deadline(PATIENCE * 2);
    let story = match find_rr(&cancel) {
        Ok(rr) => Story::of_arrival(&rr, engine, trace, &arrival, PATIENCE, &cancel)?,
        Err(_) => Story::of(explained(engine, &arrival)?),
    };
    let mut view = StoryView::new(story, |file, line| engine.source_line(file, line).ok().flatten());
    if let Arrival::Short(why) = arrival {
        view.notes.push(format!("this is not the end of the process: {why}"));
    }
    Ok(view)
}

/// Tells the story of the process of a recording that failed, as text for people.
///
/// # Errors
/// In words, if the recording cannot be read or replayed.
pub(crate) fn story_text(rr: &Rr, trace: &Path, cancel: &Cancel) -> Result<String, String> {
    let processes = rr::processes(trace).map_err(|error| error.to_string())?;
    let pid = rr::worth_debugging(&processes).or(processes.first()).map(|process| process.pid);
    let options = ReplayOptions { trace: Some(trace.to_owned()), pid };
    let rr = rr.with_cancel(cancel);
    let mut engine = Engine::start_with(KillSwitch::default(), &rr, &options, Timeouts::default())
        .map_err(|error| error.to_string())?;
    engine.set_cancel(cancel);
    let view = told(&mut engine, trace).map_err(|error| error.to_string())?;
    Ok(StoryView { pid, ..view }.to_string())
}
