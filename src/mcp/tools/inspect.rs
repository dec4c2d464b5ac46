//! Looking at the program where it is.

use crate::engine::Engine;
use crate::engine::model::Show;
use crate::mcp::args::{BacktraceArgs, EvaluateArgs, LocalsArgs, ReadMemoryArgs, RegistersArgs, SourceLinesArgs};
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::server::Server;
use crate::mcp::view::{BacktraceView, EvaluateView, LocalsView, MemoryView, RegistersView, SourceView};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::service::RequestContext;
use rmcp::{RoleServer, tool, tool_router};

#[tool_router(router = inspection_tools, vis = "pub(super)")]
impl Server {
    /// The call stack of the selected thread, innermost frame first, with arguments.
    #[tool(
        name = "rr_backtrace",
        annotations(
            title = "Backtrace",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn backtrace(
        &self,
        Parameters(args): Parameters<BacktraceArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<BacktraceView>, ToolError> {
        let BacktraceArgs { max_depth, from, args: with_args, session } = args;
        let most = if max_depth == 0 { u32::MAX } else { max_depth };
        let job = move |engine: &mut Engine| engine.backtrace(from, most, with_args);
        let backtrace = self.on_session(&context, session.as_deref(), "rr_backtrace", job).await?;
        Ok(Json(BacktraceView::new(backtrace, from, max_depth)))
    }

    /// Evaluate an expression in a frame. Without side effects: no assignments; of calls only those that can be
    /// computed, size(), at(), get() …
    #[tool(
        name = "rr_evaluate",
        annotations(
            title = "Evaluate an expression",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn evaluate(
        &self,
        Parameters(args): Parameters<EvaluateArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<EvaluateView>, ToolError> {
        let EvaluateArgs { expression, format, from, count, frame_level, session } = args;
        let show = Show { format: format.map(|format| format.letter()), from, count };
        let job = move |engine: &mut Engine| engine.in_frame(frame_level, |engine| engine.evaluate(&expression, show));
        let value = self.on_session(&context, session.as_deref(), "rr_evaluate", job).await?;
        Ok(Json(value.into()))
    }

    /// Arguments and local variables of a frame, with types.
    #[tool(
        name = "rr_locals",
        annotations(
            title = "Local variables",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn locals(
        &self,
        Parameters(args): Parameters<LocalsArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<LocalsView>, ToolError> {
        let job = move |engine: &mut Engine| engine.in_frame(args.frame_level, Engine::locals);
        let list = self.on_session(&context, args.session.as_deref(), "rr_locals", job).await?;
        Ok(Json(list.into()))
    }

    /// Read bytes of memory.
    #[tool(
        name = "rr_read_memory",
        annotations(
            title = "Read memory",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn read_memory(
        &self,
        Parameters(args): Parameters<ReadMemoryArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<MemoryView>, ToolError> {
        let (address, count) = (args.address.0.clone(), args.count);
        let job = move |engine: &mut Engine| engine.read_memory(&address, count);
        let block = self.on_session(&context, args.session.as_deref(), "rr_read_memory", job).await?;
        Ok(Json(MemoryView::new(args.address.0, count, block)))
    }

    /// Registers of the selected frame, by name.
    #[tool(
        name = "rr_registers",
        annotations(
            title = "Registers",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn registers(
        &self,
        Parameters(args): Parameters<RegistersArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<RegistersView>, ToolError> {
        let job = move |engine: &mut Engine| engine.registers(args.register_names.as_deref());
        let list = self.on_session(&context, args.session.as_deref(), "rr_registers", job).await?;
        Ok(Json(list.into()))
    }

    /// Source lines around the selected frame, or around a line of a file.
    #[tool(
        name = "rr_source_lines",
        annotations(
            title = "Source lines",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn source_lines(
        &self,
        Parameters(args): Parameters<SourceLinesArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<SourceView>, ToolError> {
        let job = move |engine: &mut Engine| engine.source(args.file.as_deref(), args.line, args.count);
        let text = self.on_session(&context, args.session.as_deref(), "rr_source_lines", job).await?;
        Ok(Json(text.into()))
    }
}
