//! Breakpoints and watchpoints.

pub(super) mod args;
pub(super) mod view;

use self::args::{
    AccessType, BreakpointRemoveArgs, BreakpointSetArgs, BreakpointUpdateArgs, CatchSetArgs, CatchWord, LogArgs,
    WatchpointSetArgs,
};
use self::view::BreakpointsView;
use crate::mcp::call::Call;
use crate::mcp::reply::{BreakpointView, Json, LoggedView, NumberView, ToolError};
use crate::mcp::tools::args::SessionArgs;
use engine::Engine;
use engine::model::{Access, BreakpointChange, BreakpointSpec, CatchEvent, CatchSpec};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

#[tool_router(router = breakpoint_tools, vis = "pub(crate)")]
impl Call {
    /// Set a breakpoint, for both directions of time.
    ///
    /// * With `log`, it logs values instead of stopping.
    #[tool(name = "rr_breakpoint_set")]
    async fn breakpoint_set(
        &self,
        Parameters(args): Parameters<BreakpointSetArgs>,
    ) -> Result<Json<BreakpointView>, ToolError> {
        let spec = BreakpointSpec {
            location: args.location.0,
            condition: args.condition,
            temporary: args.temporary,
            ignore_count: args.ignore_count,
            pending: args.pending,
            thread: args.thread.map(|thread| thread.0),
            log: args.log,
            log_written: None,
            regex: args.regex,
            hardware: false,
        };
        let job = move |engine: &mut Engine| engine.set_breakpoint(&spec);
        let info = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(info.into()))
    }

    /// Stop at signals, system calls, exec, fork, C++ exceptions or Rust panics.
    #[tool(name = "rr_catch_set")]
    async fn catch_set(&self, Parameters(args): Parameters<CatchSetArgs>) -> Result<Json<BreakpointView>, ToolError> {
        let event = match args.event {
            CatchWord::Signal => CatchEvent::Signal,
            CatchWord::Syscall => CatchEvent::Syscall,
            CatchWord::Exec => CatchEvent::Exec,
            CatchWord::Fork => CatchEvent::Fork,
            CatchWord::Throw => CatchEvent::Throw,
            CatchWord::Catch => CatchEvent::Catch,
            CatchWord::Panic => CatchEvent::Panic,
        };
        let spec = CatchSpec { event, names: args.names.unwrap_or_default(), temporary: args.temporary };
        let job = move |engine: &mut Engine| engine.set_catchpoint(&spec);
        let info = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(info.into()))
    }

    /// Change a breakpoint or watchpoint.
    #[tool(name = "rr_breakpoint_update")]
    async fn breakpoint_update(
        &self,
        Parameters(args): Parameters<BreakpointUpdateArgs>,
    ) -> Result<Json<BreakpointView>, ToolError> {
        let number = args.breakpoint_number;
        let change = BreakpointChange {
            enabled: args.enabled,
            condition: args.condition,
            ignore_count: args.ignore_count,
            thread: args.thread.map(|thread| thread.0),
            log: args.log,
        };
        let job = move |engine: &mut Engine| engine.change_breakpoint(number, &change);
        let info = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(info.into()))
    }

    /// Delete a breakpoint or watchpoint.
    #[tool(name = "rr_breakpoint_remove")]
    async fn breakpoint_remove(
        &self,
        Parameters(args): Parameters<BreakpointRemoveArgs>,
    ) -> Result<Json<NumberView>, ToolError> {
        let number = args.breakpoint_number;
        let job = move |engine: &mut Engine| engine.remove_breakpoint(number);
        let removed = self.on_session(args.session.as_deref(), job).await?;
        let done = match (removed.watch, removed.catch) {
            (Some(_), _) => "deleted watchpoint",
            (None, Some(_)) => "deleted catchpoint",
            (None, None) => "deleted breakpoint",
        };
        Ok(Json(NumberView { result: number, done }))
    }

    /// List breakpoints and watchpoints with hits.
    #[tool(name = "rr_breakpoint_list")]
    async fn breakpoint_list(
        &self,
        Parameters(args): Parameters<SessionArgs>,
    ) -> Result<Json<BreakpointsView>, ToolError> {
        let job = |engine: &mut Engine| Ok(engine.breakpoints());
        let list = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(list.into()))
    }

    /// Read what breakpoints with `log` wrote.
    ///
    /// * Also watchpoints with `log`.
    #[tool(name = "rr_log")]
    async fn log(&self, Parameters(args): Parameters<LogArgs>) -> Result<Json<LoggedView>, ToolError> {
        let job = move |engine: &mut Engine| Ok(engine.logged(args.from, args.count as usize, args.breakpoint_number));
        let logged = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(logged.into()))
    }

    /// Stop where a value changes or is read; rr_continue with reverse finds who wrote it.
    #[tool(name = "rr_watchpoint_set")]
    async fn watchpoint_set(
        &self,
        Parameters(args): Parameters<WatchpointSetArgs>,
    ) -> Result<Json<BreakpointView>, ToolError> {
        let access = match args.access_type {
            AccessType::Write => Access::Write,
            AccessType::Read => Access::Read,
            AccessType::Access => Access::Access,
        };
        let job = move |engine: &mut Engine| {
            engine.in_frame_that_knows(|engine| {
                engine.set_watchpoint(&args.expression, access, args.condition.as_deref(), args.log.as_deref())
            })
        };
        let info = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(info.into()))
    }
}
