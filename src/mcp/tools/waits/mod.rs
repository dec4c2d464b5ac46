//! Who waits for whom. The session stays where it is; since when locks are held, the whole recording is asked.

mod view;

pub(crate) use self::view::ThreadsReportView;

use crate::mcp::call::{Call, find_rr, kept};
use crate::mcp::reply::{CachedAnswer, Json, ToolError};
use crate::mcp::session::SessionById;
use crate::mcp::tools::args::SessionArgs;
use crate::mcp::tools::questions::question;
use crate::story::Blocked;
use base::cancel::Cancel;
use questions::Locks;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

#[tool_router(router = waits_tools, vis = "pub(crate)")]
impl Call {
    /// Show what each thread waits for: system call, lock, owner; deadlocks.
    #[tool(name = "rr_threads_report")]
    async fn threads_report(
        &self,
        Parameters(args): Parameters<SessionArgs>,
    ) -> Result<Json<CachedAnswer<ThreadsReportView>>, ToolError> {
        let session = args.session.as_deref();
        let mut blocked = self.on_session(session, Blocked::now).await?;
        let trace = match self.shared.sessions.look(session) {
            Ok(SessionById::Open { session, .. }) => session.status().trace,
            _ => None,
        };
        let shared = self.shared.clone();
        let job = move |cancel: &Cancel| {
            let query = trace.as_deref().map(|trace| blocked.query(trace)).transpose()?.flatten();
            let Some((trace, query)) = trace.zip(query) else {
                return Ok(CachedAnswer::New(ThreadsReportView::new(&blocked)));
            };
            kept(&[trace.as_path()], &format!("rr_threads_report {query:?} {:?}", blocked.waits), || {
                let ask = || Locks::ask(&find_rr(cancel)?, &trace, &query, cancel);
                blocked.locks = Locks::clone(&*shared.answers.get(question(&trace, &query), ask)?);
                Ok::<_, questions::Error>(ThreadsReportView::new(&blocked))
            })
        };
        self.on_thread(job).await.map(Json)
    }
}
