//! Breakpoints and watchpoints.

use crate::engine::Engine;
use crate::engine::model::{Access, BreakpointChange, BreakpointSpec, CatchEvent, CatchSpec};
use crate::mcp::args::{
    AccessType, BreakpointRemoveArgs, BreakpointSetArgs, BreakpointUpdateArgs, CatchSetArgs, CatchWord, LogArgs,
    SessionArgs, WatchpointSetArgs,
};
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::server::Server;
use crate::mcp::view::{BreakpointView, BreakpointsView, LoggedView, NumberView};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::service::RequestContext;
use rmcp::{RoleServer, tool, tool_router};

#[tool_router(router = breakpoint_tools, vis = "pub(super)")]
impl Server {
    /// Set a breakpoint; it works in both directions of time.
    #[tool(
        name = "rr_breakpoint_set",
        annotations(
            title = "Set a breakpoint",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn breakpoint_set(
        &self,
        Parameters(args): Parameters<BreakpointSetArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<BreakpointView>, ToolError> {
        let spec = BreakpointSpec {
            location: args.location.0,
            condition: args.condition,
            temporary: args.temporary,
            ignore_count: args.ignore_count,
            pending: args.pending,
            thread: args.thread.map(|thread| thread.0),
            log: args.log,
            regex: args.regex,
        };
        let job = move |engine: &mut Engine| engine.set_breakpoint(&spec);
        let info = self.on_session(&context, args.session.as_deref(), "rr_breakpoint_set", job).await?;
        Ok(Json(info.into()))
    }

    /// Stop when something happens: a signal, a system call, an exception. Works in both directions.
    #[tool(
        name = "rr_catch_set",
        annotations(
            title = "Catch an event",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn catch_set(
        &self,
        Parameters(args): Parameters<CatchSetArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<BreakpointView>, ToolError> {
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
        let info = self.on_session(&context, args.session.as_deref(), "rr_catch_set", job).await?;
        Ok(Json(info.into()))
    }

    /// Change a breakpoint or watchpoint; what is left out stays as it is.
    #[tool(
        name = "rr_breakpoint_update",
        annotations(
            title = "Change a breakpoint",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn breakpoint_update(
        &self,
        Parameters(args): Parameters<BreakpointUpdateArgs>,
        context: RequestContext<RoleServer>,
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
        let info = self.on_session(&context, args.session.as_deref(), "rr_breakpoint_update", job).await?;
        Ok(Json(info.into()))
    }

    /// Delete a breakpoint or watchpoint.
    #[tool(
        name = "rr_breakpoint_remove",
        annotations(
            title = "Delete a breakpoint",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn breakpoint_remove(
        &self,
        Parameters(args): Parameters<BreakpointRemoveArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<NumberView>, ToolError> {
        let number = args.breakpoint_number;
        let job = move |engine: &mut Engine| engine.remove_breakpoint(number);
        let removed = self.on_session(&context, args.session.as_deref(), "rr_breakpoint_remove", job).await?;
        let done = match (removed.watch, removed.catch) {
            (Some(_), _) => "deleted watchpoint",
            (None, Some(_)) => "deleted catchpoint",
            (None, None) => "deleted breakpoint",
        };
        Ok(Json(NumberView { result: number, done }))
    }

    /// List breakpoints and watchpoints with their hit counts.
    #[tool(
        name = "rr_breakpoint_list",
        annotations(
            title = "List breakpoints",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn breakpoint_list(
        &self,
        Parameters(args): Parameters<SessionArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<BreakpointsView>, ToolError> {
        let job = |engine: &mut Engine| Ok(engine.breakpoints());
        let list = self.on_session(&context, args.session.as_deref(), "rr_breakpoint_list", job).await?;
        Ok(Json(list.into()))
    }

    /// Read what log points have written down.
    #[tool(
        name = "rr_log",
        annotations(
            title = "Lines of log points",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn log(
        &self,
        Parameters(args): Parameters<LogArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<LoggedView>, ToolError> {
        let job = move |engine: &mut Engine| Ok(engine.logged(args.from, args.count as usize, args.breakpoint_number));
        let logged = self.on_session(&context, args.session.as_deref(), "rr_log", job).await?;
        Ok(Json(logged.into()))
    }

    /// Stop where a value changes or is read; with rr_continue reverse=true, finds what wrote it last.
    #[tool(
        name = "rr_watchpoint_set",
        annotations(
            title = "Watch a value",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn watchpoint_set(
        &self,
        Parameters(args): Parameters<WatchpointSetArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<BreakpointView>, ToolError> {
        let access = match args.access_type {
            AccessType::Write => Access::Write,
            AccessType::Read => Access::Read,
            AccessType::Access => Access::Access,
        };
        let job = move |engine: &mut Engine| {
            engine.set_watchpoint(&args.expression, access, args.condition.as_deref(), args.log.as_deref())
        };
        let info = self.on_session(&context, args.session.as_deref(), "rr_watchpoint_set", job).await?;
        Ok(Json(info.into()))
    }
}
