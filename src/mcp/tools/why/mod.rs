//! Why code was executed, or why it never was.

pub(crate) mod args;
pub(crate) mod view;

use self::args::WhyArgs;
use self::view::WhyView;
use crate::mcp::call::{Call, find_rr, kept};
use crate::mcp::reply::{CachedAnswer, Json, ToolError};
use crate::mcp::tools::counts::execution;
use base::cancel::Cancel;
use engine::model::Waypoint;
use questions::{Why, WhyQuery};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

#[tool_router(router = why_tools, vis = "pub(crate)")]
impl Call {
    /// Explain why a line ran or never ran: deciding branch, its values, caller.
    ///
    /// * Replays the recording twice, apart from the session, which stays where it is.
    #[tool(name = "rr_why")]
    async fn why(&self, Parameters(args): Parameters<WhyArgs>) -> Result<Json<CachedAnswer<WhyView>>, ToolError> {
        self.why_of(args).await.map(Json)
    }
}

impl Call {
    /// Answers `rr_why`.
    pub(crate) async fn why_of(&self, args: WhyArgs) -> Result<CachedAnswer<WhyView>, ToolError> {
        let WhyArgs { location, at, trace_dir, session } = args;
        let trace = self.asked_trace(trace_dir.as_deref(), session.as_deref())?;
        let at = at.map(|text| text.parse::<Waypoint>()).transpose().map_err(|why| ToolError(why.to_string()))?;
        let shared = self.shared.clone();
        let job = move |cancel: &Cancel| {
            let query = WhyQuery { location, at };
            kept(&[trace.as_path()], &format!("rr_why {query:?}"), || {
                let rr = find_rr(cancel)?;
                let execution = execution(&shared, &trace, cancel)?;
                let why = Why::ask(&rr, &trace, &execution, &query, cancel)?;
                Ok::<_, questions::Error>(WhyView::new(&why))
            })
        };
        self.on_thread(job).await
    }
}
