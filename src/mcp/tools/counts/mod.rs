//! Questions about what was executed, how often, in the whole recording.

mod args;
mod view;

use self::args::{CoverageArgs, ProfileArgs};
use self::view::{CoverageView, ProfileView};
use crate::mcp::call::{Call, Shared, find_rr, kept};
use crate::mcp::reply::{CachedAnswer, Json, ToolError};
use crate::mcp::tools::questions::question;
use base::cancel::Cancel;
use questions::Execution;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use std::path::Path;
use std::sync::Arc;

#[tool_router(router = counts_tools, vis = "pub(crate)")]
impl Call {
    /// Count how often each line of a function or file ran, or which functions ran.
    ///
    /// * A count of 0 means that the line never ran. Replays the recording once, apart from the session, which stays
    /// where it is.
    #[tool(name = "rr_coverage")]
    async fn coverage(
        &self,
        Parameters(args): Parameters<CoverageArgs>,
    ) -> Result<Json<CachedAnswer<CoverageView>>, ToolError> {
        let trace = self.asked_trace(args.trace_dir.as_deref(), args.session.as_deref())?;
        let shared = self.shared.clone();
        let job = move |cancel: &Cancel| {
            let page = (args.offset, args.limit);
            kept(&[trace.as_path()], &format!("rr_coverage {:?} {:?} {page:?}", args.location, args.pid), || {
                let execution = execution(&shared, &trace, cancel)?;
                Ok::<_, questions::Error>(match &args.location {
                    Some(location) => {
                        CoverageView::of_lines(&execution.lines(location, args.pid, cancel)?, &execution, page)
                    }
                    None => CoverageView::of_functions(execution.functions(args.pid, cancel)?, &execution, page),
                })
            })
        };
        self.on_thread(job).await.map(Json)
    }

    /// Show which functions did the work: calls, ticks (branches).
    ///
    /// * A tick is one conditional branch that was executed. Replays the recording once, apart from the session,
    /// which stays where it is.
    #[tool(name = "rr_profile")]
    async fn profile(
        &self,
        Parameters(args): Parameters<ProfileArgs>,
    ) -> Result<Json<CachedAnswer<ProfileView>>, ToolError> {
        let trace = self.asked_trace(args.trace_dir.as_deref(), args.session.as_deref())?;
        let shared = self.shared.clone();
        let job = move |cancel: &Cancel| {
            let page = (args.offset, args.limit);
            kept(&[trace.as_path()], &format!("rr_profile {:?} {page:?}", args.pid), || {
                let execution = execution(&shared, &trace, cancel)?;
                let functions = execution.functions(args.pid, cancel)?;
                Ok::<_, questions::Error>(ProfileView::new(functions, &execution, page))
            })
        };
        self.on_thread(job).await.map(Json)
    }
}

/// Reads all counts of a recording, of which both tools tell.
pub(super) fn execution(shared: &Shared, trace: &Path, cancel: &Cancel) -> Result<Arc<Execution>, questions::Error> {
    let ask = || Execution::ask(&find_rr(cancel)?, trace, cancel);
    shared.answers.get(question(trace, &"counts"), ask)
}
