//! Questions about a whole recording. They are answered beside the session, which stays where it is.

pub(crate) mod args;
pub(crate) mod page;
pub(crate) mod probed;
pub(crate) mod view;

use self::args::{CallsArgs, FirstArgs, TimelineArgs, TraceArgs};
use self::page::Page;
use self::probed::{CallsView, TraceView};
use self::view::TimelineView;
use crate::mcp::call::{Call, find_rr, kept};
use crate::mcp::reply::{CachedAnswer, Json, ToolError};
use crate::mcp::session::SessionById;
use base::cancel::Cancel;
use questions::{Calls, Trace, TraceQuery};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use std::path::{Path, PathBuf};

#[tool_router(router = question_tools, vis = "pub(crate)")]
impl Call {
    /// List events in order: processes, threads, signals; on request system calls.
    ///
    /// * Reads the trace without a replay. rr_run_to_event goes to the event of a row.
    #[tool(name = "rr_timeline")]
    async fn timeline(&self, Parameters(args): Parameters<TimelineArgs>) -> Result<Json<TimelineView>, ToolError> {
        let trace = match &args.trace_dir {
            Some(trace) => PathBuf::from(trace),
            None => self.trace_of(args.session.as_deref())?,
        };
        let query = args.query();
        let job = move |cancel: &Cancel| {
            let timeline = rr::timeline(&trace, &query, cancel)?;
            Ok::<_, rr::Error>(TimelineView::new(&timeline, &query))
        };
        self.on_thread(job).await.map(Json)
    }

    /// List all calls of a function: arguments, result, caller, position.
    ///
    /// * Replays the recording once, apart from the session, which stays where it is.
    #[tool(name = "rr_calls")]
    async fn calls(&self, Parameters(args): Parameters<CallsArgs>) -> Result<Json<CachedAnswer<CallsView>>, ToolError> {
        let trace = self.asked_trace(args.trace_dir.as_deref(), args.session.as_deref())?;
        let shared = self.shared.clone();
        let job = move |cancel: &Cancel| {
            let (query, page) = (args.query(), args.page());
            kept(&[trace.as_path()], &format!("rr_calls {query:?} {page:?}"), || {
                let ask = || Calls::ask(&find_rr(cancel)?, &trace, &query, cancel);
                let calls = shared.answers.get(question(&trace, &query), ask)?;
                let rows = page.read(calls.rows(), |from, most| calls.page(from, most, cancel))?;
                Ok::<_, questions::Error>(CallsView::new(&calls, &rows, args.offset))
            })
        };
        self.on_thread(job).await.map(Json)
    }

    /// Evaluate expressions at each hit of a location. Cannot index by variables (a[i]).
    ///
    /// * For that, use rr_breakpoint_set with `log`. Replays the recording once, apart from the session, which stays where it is.
    #[tool(name = "rr_trace")]
    async fn trace(&self, Parameters(args): Parameters<TraceArgs>) -> Result<Json<CachedAnswer<TraceView>>, ToolError> {
        let trace = self.asked_trace(args.trace_dir.as_deref(), args.session.as_deref())?;
        self.traced(trace, args.query(), args.page()).await
    }

    /// Find the first or last time a location runs and a condition holds.
    ///
    /// * Replays the recording once, apart from the session, which stays where it is.
    #[tool(name = "rr_first")]
    async fn first(&self, Parameters(args): Parameters<FirstArgs>) -> Result<Json<CachedAnswer<TraceView>>, ToolError> {
        let trace = self.asked_trace(args.trace_dir.as_deref(), args.session.as_deref())?;
        self.traced(trace, args.query(), Page { offset: 0, limit: 1, newest: false }).await
    }

    async fn traced(
        &self,
        trace: PathBuf,
        query: TraceQuery,
        page: Page,
    ) -> Result<Json<CachedAnswer<TraceView>>, ToolError> {
        let shared = self.shared.clone();
        let job = move |cancel: &Cancel| {
            kept(&[trace.as_path()], &format!("rr_trace {query:?} {page:?}"), || {
                let ask = || Trace::ask(&find_rr(cancel)?, &trace, &query, cancel);
                let traced = shared.answers.get(question(&trace, &query), ask)?;
                let rows = page.read(traced.rows(), |from, most| traced.page(from, most, cancel))?;
                Ok::<_, questions::Error>(TraceView::new(&traced, &rows, page.offset))
            })
        };
        self.on_thread(job).await.map(Json)
    }

    /// Finds the recording that is asked about.
    pub(crate) fn asked_trace(&self, trace_dir: Option<&str>, session: Option<&str>) -> Result<PathBuf, ToolError> {
        trace_dir.map_or_else(|| self.trace_of(session), |trace| Ok(PathBuf::from(trace)))
    }

    /// Finds the recording that a session replays.
    pub(crate) fn trace_of(&self, session: Option<&str>) -> Result<PathBuf, ToolError> {
        let lacking = || ToolError("no recording is known: give trace_dir (rr_list_recordings lists some)".to_owned());
        match self.shared.sessions.look(session) {
            Ok(SessionById::Open { session, .. }) => session.status().trace.ok_or_else(lacking),
            Ok(SessionById::Ended(_)) => Err(lacking()),
            Err(_) if session.is_none() => Err(lacking()),
            Err(unknown) => Err(ToolError(unknown)),
        }
    }
}

/// Returns the text that tells a question from others.
pub(crate) fn question(trace: &Path, query: &impl std::fmt::Debug) -> String {
    let path = rr::resolve_trace(Some(trace)).unwrap_or_else(|_| trace.to_owned());
    format!("{} {query:?}", path.to_string_lossy())
}
