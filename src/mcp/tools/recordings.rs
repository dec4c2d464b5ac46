//! Making, listing and removing recordings; what this machine can do.

use crate::mcp::args::{ListRecordingsArgs, NoArgs, RecordArgs, RemoveArgs, TraceArgs, TraceinfoArgs};
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::server::{Server, find_rr};
use crate::mcp::view::{DoctorView, ProcessesView, RecordView, RecordingsView, TextView, TraceinfoView};
use crate::mcp::worker::Cancel;
use crate::rr::{self, Listener, RecordOptions, Rr};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::service::RequestContext;
use rmcp::{RoleServer, tool, tool_router};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[tool_router(router = recording_tools, vis = "pub(super)")]
impl Server {
    /// Run a program under rr and record it to its end. A failing program is no error: exit_code and signal tell.
    #[tool(
        name = "rr_record",
        annotations(
            title = "Record a program",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn record(
        &self,
        Parameters(args): Parameters<RecordArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<RecordView>, ToolError> {
        let options = RecordOptions {
            command: args.command,
            working_directory: args.working_directory.map(Into::into),
            env: args.env.unwrap_or_default(),
            trace_dir: args.trace_dir.map(Into::into),
            timeout: args.timeout.map(Duration::from_secs),
            max_trace_bytes: args.max_trace_bytes,
            chaos: args.chaos,
            stdin: args.stdin.map(String::into_bytes),
        };
        self.permit(&options)?;
        if args.background {
            let about = options.command.join(" ");
            let (made, feed) = (self.made().clone(), self.feed().clone());
            let record = move |rr: Rr, listener: &Listener| {
                let recorded = rr.record_heard(&options, listener)?;
                made.add(&recorded);
                feed.changed("rr://recordings");
                Ok(RecordView::from(recorded))
            };
            let job = self.in_background("rr_record", about, record)?;
            return Ok(Json(RecordView::of_job(&job.id)));
        }
        let job = move |rr: Rr| rr.record(&options);
        let recorded = self.with_rr(&context, "rr_record", job).await?;
        self.made().add(&recorded);
        self.feed().changed("rr://recordings");
        Ok(Json(recorded.into()))
    }

    /// List recordings, newest first, with time, size, command and exit.
    #[tool(
        name = "rr_list_recordings",
        annotations(
            title = "List recordings",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn list_recordings(
        &self,
        Parameters(args): Parameters<ListRecordingsArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<RecordingsView>, ToolError> {
        let (base, limit) = (args.trace_base_dir.map(PathBuf::from), args.limit as usize);
        // Without an rr there is a list all the same.
        let job = move |cancel: &Cancel| rr::recordings(base.as_deref(), limit, find_rr(cancel).ok().as_ref());
        let found = self.on_thread(&context, "rr_list_recordings", job).await?;
        Ok(Json(found.into()))
    }

    /// List the processes of a recording: pid, parent, exit code or signal, command; and which one to debug first.
    #[tool(
        name = "rr_ps",
        annotations(
            title = "List recorded processes",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn ps(
        &self,
        Parameters(args): Parameters<TraceArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<ProcessesView>, ToolError> {
        let trace = PathBuf::from(args.trace_dir);
        let list = self.with_rr(&context, "rr_ps", move |rr| rr.ps(&trace)).await?;
        Ok(Json(list.into()))
    }

    /// The header of a recording, as JSON text.
    #[tool(
        name = "rr_traceinfo",
        annotations(
            title = "Trace header",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn traceinfo(
        &self,
        Parameters(args): Parameters<TraceinfoArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<TraceinfoView>, ToolError> {
        let trace = PathBuf::from(args.trace_dir);
        let json = self.with_rr(&context, "rr_traceinfo", move |rr| rr.traceinfo(&trace)).await?;
        Ok(Json(TraceinfoView::new(json, args.full)))
    }

    /// Delete a recording for good, unless something uses it. Only where rr keeps recordings, or recorded here, or by
    /// force.
    #[tool(
        name = "rr_rm",
        annotations(
            title = "Delete a recording",
            read_only_hint = false,
            destructive_hint = true,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn rm(
        &self,
        Parameters(args): Parameters<RemoveArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<TextView>, ToolError> {
        // First of all, whether there is an rr.
        self.with_rr(&context, "rr_rm", |_| Ok(())).await?;
        let trace = rr::removable(Path::new(&args.trace_dir), |path| self.made().contains(path), args.force)?;
        let shown = trace.display().to_string();
        if let Some(session) = self.sessions().replaying(&trace) {
            return Err(ToolError(format!(
                "{shown} is being replayed by session {session}: call rr_replay_stop first"
            )));
        }
        let made = self.made().clone();
        self.with_rr(&context, "rr_rm", move |rr| {
            rr.remove(&trace)?;
            made.forget(&trace);
            Ok(())
        })
        .await?;
        self.feed().changed("rr://recordings");
        Ok(Json(TextView { result: format!("Trace removed: {shown}") }))
    }

    /// Check this machine: rr, counters, permissions, debug info; with a remedy for each problem.
    #[tool(
        name = "rr_doctor",
        annotations(
            title = "Check this machine",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn doctor(
        &self,
        Parameters(NoArgs {}): Parameters<NoArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<DoctorView>, ToolError> {
        let job = |cancel: &Cancel| {
            let cancel = cancel.clone();
            Ok(rr::doctor(move || !cancel.is_set()))
        };
        let checks = self.on_thread(&context, "rr_doctor", job).await?;
        Ok(Json(checks.into()))
    }
}
