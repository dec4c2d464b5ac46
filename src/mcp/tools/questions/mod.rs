//! Questions about a whole recording. They are answered beside the session, which stays where it is.

mod args;
mod view;

use self::args::TimelineArgs;
use self::view::TimelineView;
use crate::cancel::Cancel;
use crate::mcp::call::Call;
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::session::Known;
use crate::rr;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use std::path::PathBuf;

#[tool_router(router = question_tools, vis = "pub(crate)")]
impl Call {
    /// What happened in a recording, in order: processes, threads, signals, ends; on request system calls with results.
    /// Read from the trace without a replay. rr_run_to_event goes to a row's event.
    #[tool(name = "rr_timeline")]
    async fn timeline(&self, Parameters(args): Parameters<TimelineArgs>) -> Result<Json<TimelineView>, ToolError> {
        let trace = match &args.trace_dir {
            Some(trace) => PathBuf::from(trace),
            None => self.trace_of(args.session.as_deref())?,
        };
        let query = args.query();
        let job = move |cancel: &Cancel| {
            let timeline = rr::timeline(&trace, &query, cancel)?;
            Ok(TimelineView::new(&timeline, &query))
        };
        self.on_thread(job).await.map(Json)
    }

    /// The recording that a session replays.
    fn trace_of(&self, session: Option<&str>) -> Result<PathBuf, ToolError> {
        let lacking = || ToolError("no recording is known: give trace_dir (rr_list_recordings lists some)".to_owned());
        match self.shared.sessions.look(session) {
            Ok(Known::Open { session, .. }) => session.status().trace.ok_or_else(lacking),
            Ok(Known::Ended(_)) => Err(lacking()),
            Err(_) if session.is_none() => Err(lacking()),
            Err(unknown) => Err(ToolError(unknown)),
        }
    }
}
