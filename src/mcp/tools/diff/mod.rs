//! A question about two recordings.

pub(crate) mod args;
pub(crate) mod view;

use self::args::DiffArgs;
use self::view::DiffView;
use crate::mcp::call::{Call, find_rr, kept};
use crate::mcp::reply::{CachedAnswer, Json, ToolError};
use crate::mcp::tools::questions::question;
use base::cancel::Cancel;
use questions::Diff;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use std::path::PathBuf;

#[tool_router(router = diff_tools, vis = "pub(crate)")]
impl Call {
    /// Find where two runs first differ: call, argument, result; functions only one ran.
    #[tool(name = "rr_diff")]
    async fn diff(&self, Parameters(args): Parameters<DiffArgs>) -> Result<Json<CachedAnswer<DiffView>>, ToolError> {
        let trace = self.asked_trace(args.a.as_deref(), args.session.as_deref())?;
        let (other, query) = (PathBuf::from(&args.b), args.query());
        let shared = self.shared.clone();
        let job = move |cancel: &Cancel| {
            let key = format!("rr_diff {query:?} {} {}", args.offset, args.limit);
            kept(&[trace.as_path(), other.as_path()], &key, || {
                let ask = || Diff::ask(&find_rr(cancel)?, [&trace, &other], &query, cancel);
                let asked = question(&trace, &question(&other, &query));
                let diff = shared.answers.get(asked, ask)?;
                Ok::<_, questions::Error>(DiffView::new(&diff, args.offset, args.limit))
            })
        };
        self.on_thread(job).await.map(Json)
    }
}
