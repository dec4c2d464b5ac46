//! Looking at the stack, values and source lines where the program is.

mod args;
pub(super) mod explanation;
pub(super) mod stack;
pub(super) mod view;

use self::args::{BacktraceArgs, EvaluateArgs, LocalsArgs, RegistersArgs, SourceLinesArgs};
use self::stack::{BacktraceView, Page};
use self::view::{EvaluateView, LocalsView, RegistersView, SourceView};
use crate::mcp::call::Call;
use crate::mcp::reply::{Json, ToolError};
use engine::Engine;
use engine::model::Show;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

#[tool_router(router = inspection_tools, vis = "pub(crate)")]
impl Call {
    /// Show the call stack, innermost frame first.
    ///
    /// * Repeated frames of a recursion are folded.
    #[tool(name = "rr_backtrace")]
    async fn backtrace(&self, Parameters(args): Parameters<BacktraceArgs>) -> Result<Json<BacktraceView>, ToolError> {
        let BacktraceArgs { max_depth, from, args: with_args, session } = args;
        let page = Page { from, most: max_depth, args: with_args };
        self.on_session(session.as_deref(), move |engine: &mut Engine| page.read(engine)).await.map(Json)
    }

    /// Evaluate an expression in a frame. No assignments; no calls except size(), at(), get() ….
    #[tool(name = "rr_evaluate")]
    async fn evaluate(&self, Parameters(args): Parameters<EvaluateArgs>) -> Result<Json<EvaluateView>, ToolError> {
        let EvaluateArgs { expression, format, from, count, frame_level, session } = args;
        let show = Show { format: format.map(|format| format.letter()), from, count };
        let job = move |engine: &mut Engine| match frame_level {
            Some(_) => engine.in_frame(frame_level, |engine| engine.evaluate(&expression, show)),
            None => engine.in_frame_that_knows(|engine| engine.evaluate(&expression, show)),
        };
        let value = self.on_session(session.as_deref(), job).await?;
        Ok(Json(value.into()))
    }

    /// Show arguments and local variables of a frame, with types.
    #[tool(name = "rr_locals")]
    async fn locals(&self, Parameters(args): Parameters<LocalsArgs>) -> Result<Json<LocalsView>, ToolError> {
        let job = move |engine: &mut Engine| engine.in_frame(args.frame_level, Engine::locals);
        let list = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(list.into()))
    }

    /// Show registers of the selected frame.
    #[tool(name = "rr_registers")]
    async fn registers(&self, Parameters(args): Parameters<RegistersArgs>) -> Result<Json<RegistersView>, ToolError> {
        let job = move |engine: &mut Engine| engine.registers(args.register_names.as_deref());
        let list = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(list.into()))
    }

    /// Show source lines around the selected frame, or of a file.
    #[tool(name = "rr_source_lines")]
    async fn source_lines(&self, Parameters(args): Parameters<SourceLinesArgs>) -> Result<Json<SourceView>, ToolError> {
        let job = move |engine: &mut Engine| engine.source(args.file.as_deref(), args.line, args.count);
        let text = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(text.into()))
    }
}
