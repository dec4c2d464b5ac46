//! Jobs: what runs, what it prints, what came of it.

use crate::mcp::job::{Job, JobStatus, Reading};
use crate::mcp::reply::{is_default, lines, mark, utc};
use base::untrusted::one_line;
use rmcp::schemars::{self, JsonSchema};
use rr::Stream;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;

/// A job.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct JobView {
    pub(crate) job: String,
    /// `running`, `cancelling`, `done`, `failed` or `cancelled`.
    pub(crate) state: String,
    pub(crate) tool: String,
    #[schemars(skip)]
    pub(crate) about: String,
    /// RFC 3339, UTC.
    pub(crate) created: Option<String>,
    /// Until now or until its end.
    #[schemars(skip)]
    pub(crate) seconds: f64,
}

impl JobView {
    fn new(job: &Job, state: &JobStatus) -> Self {
        Self {
            job: job.id.clone(),
            state: state.word.to_owned(),
            tool: job.tool.to_owned(),
            about: job.about.clone(),
            created: utc(job.created),
            seconds: state.elapsed.as_secs_f64(),
        }
    }
}

impl From<&Job> for JobView {
    fn from(job: &Job) -> Self {
        Self::new(job, &job.state())
    }
}

impl fmt::Display for JobView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { job, state, tool, about, seconds, .. } = self;
        write!(f, "{job}: {tool} of {}: {state}, {seconds:.1} s", one_line(about))
    }
}

/// Result of `rr_job_list`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct JobsView {
    pub(crate) result: Vec<JobView>,
}

impl fmt::Display for JobsView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        lines(f, &self.result, "no jobs")
    }
}

/// A line that a job printed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct LineView {
    /// `stdout` or `stderr`.
    pub(crate) stream: String,
    pub(crate) text: String,
}

/// Result of `rr_job_status`, `rr_job_cancel`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct JobStatusView {
    #[serde(flatten)]
    pub(crate) job: JobView,
    pub(crate) output: Vec<LineView>,
    /// To go on reading the output.
    pub(crate) cursor: u64,
    /// Lines before these that are lost.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) dropped: u64,
    /// How to get what is there behind these lines.
    pub(crate) truncated: Option<String>,
}

impl JobStatusView {
    /// Creates the view of a job, and of a part of its output.
    pub(crate) fn new(job: &Job, read: Reading) -> Self {
        let Reading { lines, dropped, cursor, left } = read;
        let word = |stream| match stream {
            Stream::Out => "stdout",
            Stream::Err => "stderr",
        };
        let output = lines.into_iter().map(|line| LineView { stream: word(line.stream).to_owned(), text: line.text });
        let truncated = (left > 0).then(|| format!("{left} more lines; for them, cursor={cursor}"));
        Self { job: job.into(), output: output.collect(), cursor, dropped, truncated }
    }
}

impl fmt::Display for JobStatusView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.job)?;
        if self.dropped > 0 {
            write!(f, "\n({} lines before these are lost)", self.dropped)?;
        }
        for line in &self.output {
            let mark = mark(if line.stream == "stderr" { Stream::Err } else { Stream::Out });
            write!(f, "\n{mark}{}", line.text)?;
        }
        write!(f, "\ncursor {}", self.cursor)?;
        if let Some(why) = &self.truncated {
            write!(f, "\ntruncated: {why}")?;
        }
        Ok(())
    }
}

/// Result of `rr_job_result`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct JobResultView {
    #[serde(flatten)]
    pub(crate) job: JobView,
    /// As the tool would have answered.
    pub(crate) result: Map<String, Value>,
    #[serde(skip)]
    text: String,
}

impl JobResultView {
    /// Returns the result of a job that has succeeded; or why there is none.
    pub(crate) fn new(job: &Job) -> Result<Self, String> {
        let state = job.state();
        let view = JobView::new(job, &state);
        let Some(done) = state.done else {
            let JobView { job, state, seconds, .. } = view;
            return Err(format!(
                "job {job} has no result yet: it is {state}, after {seconds:.1} s; wait for it with wait=SECONDS, see its \
                 output with rr_job_status, or end it with rr_job_cancel"
            ));
        };
        match &done.answer {
            Ok((text, Value::Object(result))) => Ok(Self { job: view, result: result.clone(), text: text.clone() }),
            Ok((text, _)) => Ok(Self { job: view, result: Map::new(), text: text.clone() }),
            Err(error) => Err(format!("job {} {}: {}", view.job, view.state, error.0)),
        }
    }
}

impl fmt::Display for JobResultView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.job, self.text)
    }
}
