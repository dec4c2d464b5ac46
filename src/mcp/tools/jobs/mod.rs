//! Work that runs in the background.

mod args;
mod view;

use self::args::{JobArgs, JobResultArgs, JobStatusArgs};
use self::view::{JobResultView, JobStatusView, JobsView};
use crate::mcp::call::Call;
use crate::mcp::lock::locked;
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::tools::args::NoArgs;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use std::time::Duration;

/// How long a cancelled job is waited for, to be able to say that it has ended.
const ENDING: Duration = Duration::from_millis(500);

#[tool_router(router = job_tools, vis = "pub(crate)")]
impl Call {
    /// Show the state and output of a background job.
    ///
    /// * Never waits.
    #[tool(name = "rr_job_status")]
    async fn job_status(&self, Parameters(args): Parameters<JobStatusArgs>) -> Result<Json<JobStatusView>, ToolError> {
        let job = self.shared.jobs.find(&args.job)?;
        let read = locked(job.output()).read(args.cursor, args.lines as usize);
        Ok(Json(JobStatusView::new(&job, read)))
    }

    /// Get the result of a background job.
    ///
    /// * It is what the tool would have answered without `background`.
    #[tool(name = "rr_job_result")]
    async fn job_result(&self, Parameters(args): Parameters<JobResultArgs>) -> Result<Json<JobResultView>, ToolError> {
        let job = self.shared.jobs.find(&args.job)?;
        tokio::select! {
            biased;
            () = job.over() => {}
            () = self.context.ct.cancelled() => {}
            () = tokio::time::sleep(Duration::from_secs(args.wait)) => {}
        }
        JobResultView::new(&job).map(Json).map_err(ToolError)
    }

    /// Cancel a background job; keeps its recording.
    ///
    /// * As far as it was made.
    #[tool(name = "rr_job_cancel")]
    async fn job_cancel(&self, Parameters(args): Parameters<JobArgs>) -> Result<Json<JobStatusView>, ToolError> {
        let job = self.shared.jobs.find(&args.job)?;
        job.cancel();
        // If it takes longer, the state says so.
        let _ = tokio::time::timeout(ENDING, job.over()).await;
        let read = locked(job.output()).read(u64::MAX, 0);
        Ok(Json(JobStatusView::new(&job, read)))
    }

    /// List background jobs.
    ///
    /// * Includes running jobs and the last ones that ended.
    #[tool(name = "rr_job_list")]
    async fn job_list(&self, Parameters(NoArgs {}): Parameters<NoArgs>) -> Json<JobsView> {
        Json(JobsView { result: self.shared.jobs.list().iter().map(|job| (&**job).into()).collect() })
    }
}
