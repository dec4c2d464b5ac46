//! Work that runs in the background.

use crate::mcp::args::{JobArgs, JobResultArgs, JobStatusArgs, NoArgs};
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::server::Server;
use crate::mcp::sessions::locked;
use crate::mcp::view::{JobResultView, JobStatusView, JobsView};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::service::RequestContext;
use rmcp::{RoleServer, tool, tool_router};
use std::time::Duration;

/// How long a cancelled job is waited for, to be able to say that it has ended.
const ENDING: Duration = Duration::from_millis(500);

#[tool_router(router = job_tools, vis = "pub(super)")]
impl Server {
    /// What a background job does, and what it has printed so far, from a cursor on. Never waits.
    #[tool(
        name = "rr_job_status",
        annotations(
            title = "Look at a job",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn job_status(&self, Parameters(args): Parameters<JobStatusArgs>) -> Result<Json<JobStatusView>, ToolError> {
        let job = self.jobs().find(&args.job)?;
        let read = locked(job.output()).read(args.cursor, args.lines as usize);
        Ok(Json(JobStatusView::new(&job, read)))
    }

    /// What came of a background job: what its tool would have answered.
    #[tool(
        name = "rr_job_result",
        annotations(
            title = "Result of a job",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn job_result(
        &self,
        Parameters(args): Parameters<JobResultArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<JobResultView>, ToolError> {
        let job = self.jobs().find(&args.job)?;
        tokio::select! {
            biased;
            () = job.over() => {}
            () = context.ct.cancelled() => {}
            () = tokio::time::sleep(Duration::from_secs(args.wait)) => {}
        }
        JobResultView::new(&job).map(Json).map_err(ToolError)
    }

    /// End a background job. Of a recording, what there is so far is kept.
    #[tool(
        name = "rr_job_cancel",
        annotations(
            title = "Cancel a job",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn job_cancel(&self, Parameters(args): Parameters<JobArgs>) -> Result<Json<JobStatusView>, ToolError> {
        let job = self.jobs().find(&args.job)?;
        job.cancel();
        // If it takes longer, the state says so.
        let _ = tokio::time::timeout(ENDING, job.over()).await;
        let read = locked(job.output()).read(u64::MAX, 0);
        Ok(Json(JobStatusView::new(&job, read)))
    }

    /// List background jobs: those that run, and the last ones that have ended.
    #[tool(
        name = "rr_job_list",
        annotations(
            title = "List jobs",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn job_list(&self, Parameters(NoArgs {}): Parameters<NoArgs>) -> Json<JobsView> {
        Json(JobsView { result: self.jobs().list().iter().map(|job| (&**job).into()).collect() })
    }
}
