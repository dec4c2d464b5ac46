//! Jobs as the tasks of MCP's extension `io.modelcontextprotocol/tasks` (SEP-2663), for clients that say that they know
//! it: a call that is given to a job is answered with a task of the same id, and `tasks/get` has the state and the
//! result.

use crate::mcp::job::{Job, Jobs};
use crate::mcp::reply::{ToolError, utc};
use base::untrusted::one_line;
use rmcp::ErrorData;
use rmcp::model::{
    CallToolResponse, CallToolResult, ContentBlock, CreateTaskResult, DetailedTask, Task, TaskPayload, TaskStatus,
};
use serde_json::Value;

/// How often a client should ask, in milliseconds.
const POLL: u64 = 1000;

/// Finds the job of a client's task.
pub(super) fn find(jobs: &Jobs, id: &str) -> Result<std::sync::Arc<Job>, ErrorData> {
    jobs.find(id).map_err(|ToolError(said)| ErrorData::invalid_params(said, None))
}

/// Returns what a tool answered that may take long, as a task if it was given to a job.
pub(super) fn in_place_of(response: CallToolResponse, jobs: &Jobs) -> CallToolResponse {
    let CallToolResponse::Complete(result) = &response else { return response };
    let id = result.structured_content.as_ref().and_then(|content| content.get("job")?.as_str());
    match id.and_then(|id| jobs.find(id).ok()) {
        Some(job) => CallToolResponse::Task(CreateTaskResult::new(task(&job, TaskStatus::Working))),
        None => response,
    }
}

fn task(job: &Job, status: TaskStatus) -> Task {
    let time = |time| utc(time).unwrap_or_default();
    let (created, updated) = (time(job.created), time(job.created + job.state().elapsed));
    Task::new(&job.id, status, created, updated).with_status_message(job.tool).with_poll_interval_ms(POLL)
}

/// Returns the state of a job, with its result once there is one. `mask` hides what must not be shown of that.
pub(super) fn detailed(job: &Job, mask: impl Fn(&mut CallToolResult)) -> Result<DetailedTask, ErrorData> {
    let state = job.state();
    let (status, payload) = match state.done {
        None => (TaskStatus::Working, TaskPayload::Working),
        Some(done) => {
            let mut result = match &done.answer {
                Ok((text, value)) => {
                    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
                    result.structured_content = Some(value.clone());
                    result
                }
                Err(error) => error.clone().into_result(),
            };
            mask(&mut result);
            if state.word == "cancelled" {
                // A cancelled task has no result; but what was recorded until then is there.
                let content = result.structured_content.as_ref();
                let trace = content.and_then(|content| content.get("trace_dir")?.as_str());
                let kept = trace.map(|trace| format!("{}: the recording so far is {}", job.tool, one_line(trace)));
                let task = task(job, TaskStatus::Cancelled);
                let task = match kept {
                    Some(kept) => task.with_status_message(kept),
                    None => task,
                };
                return Ok(DetailedTask::new(task, TaskPayload::Cancelled));
            }
            match serde_json::to_value(result) {
                Ok(Value::Object(result)) => (TaskStatus::Completed, TaskPayload::Completed { result }),
                Ok(_) => return Err(ErrorData::internal_error("a result is not an object", None)),
                Err(error) => return Err(ErrorData::internal_error(error.to_string(), None)),
            }
        }
    };
    Ok(DetailedTask::new(task(job, status), payload))
}
