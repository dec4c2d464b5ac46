//! Making, listing and removing recordings; what this machine can do.

mod args;
mod repetition;
pub(super) mod view;

use self::args::{ListRecordingsArgs, RecordArgs, RemoveArgs, TraceArgs, TraceinfoArgs};
use self::repetition::Repetition;
use self::view::{DoctorView, ProcessesView, RecordView, RecordingsView, TraceinfoView};
use crate::mcp::call::Call;
use crate::mcp::reply::{Json, TextView, ToolError};
use crate::mcp::tools::args::NoArgs;
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use rr::{Listener, RecordOptions, Rr};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[tool_router(router = recording_tools, vis = "pub(crate)")]
impl Call {
    /// Record a program with rr.
    ///
    /// * Returns how it ended: exit_code, signal, ended_by.
    #[tool(name = "rr_record")]
    async fn record(&self, Parameters(args): Parameters<RecordArgs>) -> Result<Json<RecordView>, ToolError> {
        let mut options = RecordOptions {
            command: args.command,
            working_directory: args.working_directory.map(|given| rr::at_home(Path::new(&given)).into_owned()),
            env: args.env.unwrap_or_default(),
            trace_dir: args.trace_dir.map(Into::into),
            timeout: args.timeout.map(Duration::from_secs),
            max_trace_bytes: args.max_trace_bytes,
            chaos: args.chaos,
            stdin: args.stdin.map(String::into_bytes),
            without_buffer: args.syscall_buffer == Some(false),
            waits_for_all: args.wait,
        };
        let repetition = Repetition::asked(args.runs, args.until.as_deref()).map_err(ToolError)?;
        self.shared.permit(&mut options)?;
        if args.background && args.explain {
            return Err(ToolError(
                "a job records and explains nothing: without `background`, or rr_explain afterwards".to_owned(),
            ));
        }
        if args.background {
            let about = options.command.join(" ");
            let (made, feed) = (self.shared.own_recordings.clone(), self.shared.feed().clone());
            let record = move |rr: Rr, listener: &Listener| {
                let (recorded, note) = repetition.record(&rr, &options, listener)?;
                made.add(&recorded);
                feed.changed("rr://recordings");
                Ok(RecordView::new(recorded, note))
            };
            let job = self.in_background(about, record)?;
            return Ok(Json(RecordView::of_job(&job.id)));
        }
        let silence: Listener = Arc::new(|_, _: &[u8]| ());
        let job = move |rr: Rr| repetition.record(&rr, &options, &silence);
        let (recorded, note) = self.with_rr(job).await?;
        self.shared.own_recordings.add(&recorded);
        self.shared.feed().changed("rr://recordings");
        let mut view = RecordView::new(recorded, note);
        if let Some(trace) = view.trace_dir.clone().filter(|_| view.has_failed()) {
            match args.explain {
                true => match self.story_at_failure(Some(trace), None).await {
                    Ok(story) => view.story = Some(story),
                    Err(why) => view.notes.push(format!("why it failed is unavailable: {}", why.0)),
                },
                false => view.next.push(format!("rr_explain {}: why it failed", json!({"trace_dir": trace}))),
            }
        }
        Ok(Json(view))
    }

    /// List recordings, newest first.
    ///
    /// * Each has its time, size, command and exit.
    #[tool(name = "rr_list_recordings")]
    async fn list_recordings(
        &self,
        Parameters(args): Parameters<ListRecordingsArgs>,
    ) -> Result<Json<RecordingsView>, ToolError> {
        let base = args.trace_base_dir.map(|given| rr::at_home(Path::new(&given)).into_owned());
        let limit = args.limit as usize;
        let job = move |cancel: &Cancel| rr::recordings(base.as_deref(), limit, cancel);
        let found = self.on_thread(job).await?;
        Ok(Json(found.into()))
    }

    /// List the processes of a recording: pid, parent, exit, command.
    ///
    /// * Also names the one to debug first.
    #[tool(name = "rr_ps")]
    async fn ps(&self, Parameters(args): Parameters<TraceArgs>) -> Result<Json<ProcessesView>, ToolError> {
        let trace = PathBuf::from(args.trace_dir);
        let list = self.on_thread(move |_| rr::processes(&trace)).await?;
        Ok(Json(list.into()))
    }

    /// Show the header of a recording, as JSON.
    #[tool(name = "rr_traceinfo")]
    async fn traceinfo(&self, Parameters(args): Parameters<TraceinfoArgs>) -> Result<Json<TraceinfoView>, ToolError> {
        let trace = PathBuf::from(args.trace_dir);
        let json = self.with_rr(move |rr| rr.traceinfo(&trace)).await?;
        Ok(Json(TraceinfoView::new(json, args.full)))
    }

    /// Delete a recording, unless it is in use.
    ///
    /// * Without `force`, deletes only below the directory where rr keeps recordings, or recordings made by this
    /// server.
    #[tool(name = "rr_rm")]
    async fn rm(&self, Parameters(args): Parameters<RemoveArgs>) -> Result<Json<TextView>, ToolError> {
        // First of all, whether there is an rr.
        self.with_rr(|_| Ok(())).await?;
        let trace =
            rr::removable(Path::new(&args.trace_dir), |path| self.shared.own_recordings.contains(path), args.force)?;
        let shown = trace.in_text();
        if let Some(session) = self.shared.sessions.replaying(&trace) {
            return Err(ToolError(format!(
                "{shown} is being replayed by session {session}: call rr_replay_stop first"
            )));
        }
        let made = self.shared.own_recordings.clone();
        self.with_rr(move |rr| {
            rr.remove(&trace)?;
            made.forget(&trace);
            Ok(())
        })
        .await?;
        self.shared.feed().changed("rr://recordings");
        Ok(Json(TextView { result: format!("Trace removed: {shown}") }))
    }

    /// Check if recording works: counters, permissions, debug info.
    #[tool(name = "rr_doctor")]
    async fn doctor(&self, Parameters(NoArgs {}): Parameters<NoArgs>) -> Result<Json<DoctorView>, ToolError> {
        let job = |cancel: &Cancel| Ok::<_, rr::Error>(rr::doctor(cancel));
        let checks = self.on_thread(job).await?;
        Ok(Json(checks.into()))
    }
}
