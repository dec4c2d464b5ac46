//! Which thread and which frame the other tools look at.

mod args;
pub(super) mod view;

use self::args::{SelectFrameArgs, ThreadListArgs, ThreadSelectArgs};
use self::view::{FrameSelectedView, ThreadSelectedView, ThreadsView};
use crate::mcp::call::Call;
use crate::mcp::reply::{Json, ToolError};
use engine::Engine;
use engine::model::Thread;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

#[tool_router(router = thread_tools, vis = "pub(crate)")]
impl Call {
    /// List threads with their innermost frames.
    #[tool(name = "rr_thread_list")]
    async fn thread_list(&self, Parameters(args): Parameters<ThreadListArgs>) -> Result<Json<ThreadsView>, ToolError> {
        let job = move |engine: &mut Engine| {
            let list = engine.threads()?;
            let about = |thread: &Thread| engine.surroundings_of(thread.id);
            Ok(ThreadsView::page(list, args.from as usize, args.count as usize, about))
        };
        self.on_session(args.session.as_deref(), job).await.map(Json)
    }

    /// Select a thread for inspection.
    #[tool(name = "rr_thread_select")]
    async fn thread_select(
        &self,
        Parameters(args): Parameters<ThreadSelectArgs>,
    ) -> Result<Json<ThreadSelectedView>, ToolError> {
        let job = move |engine: &mut Engine| engine.select_thread(&args.thread_id.0);
        let thread = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(thread.into()))
    }

    /// Select a stack frame until the session moves.
    #[tool(name = "rr_select_frame")]
    async fn select_frame(
        &self,
        Parameters(args): Parameters<SelectFrameArgs>,
    ) -> Result<Json<FrameSelectedView>, ToolError> {
        let level = args.frame_level;
        let job = move |engine: &mut Engine| engine.select_frame(level);
        let frame = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(FrameSelectedView { result: level, frame: frame.into() }))
    }
}
