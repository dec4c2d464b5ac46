//! Which thread and which frame the other tools look at.

use crate::engine::Engine;
use crate::mcp::args::{SelectFrameArgs, ThreadListArgs, ThreadSelectArgs};
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::server::Server;
use crate::mcp::view::{FrameSelectedView, ThreadSelectedView, ThreadsView};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::service::RequestContext;
use rmcp::{RoleServer, tool, tool_router};

#[tool_router(router = thread_tools, vis = "pub(super)")]
impl Server {
    /// List the threads that exist now, each with its innermost frame.
    #[tool(
        name = "rr_thread_list",
        annotations(
            title = "List threads",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn thread_list(
        &self,
        Parameters(args): Parameters<ThreadListArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<ThreadsView>, ToolError> {
        let list = self.on_session(&context, args.session.as_deref(), "rr_thread_list", Engine::threads).await?;
        Ok(Json(ThreadsView::page(list, args.from as usize, args.count as usize)))
    }

    /// Select a thread to look at.
    #[tool(
        name = "rr_thread_select",
        annotations(
            title = "Select a thread",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn thread_select(
        &self,
        Parameters(args): Parameters<ThreadSelectArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<ThreadSelectedView>, ToolError> {
        let job = move |engine: &mut Engine| engine.select_thread(&args.thread_id.0);
        let thread = self.on_session(&context, args.session.as_deref(), "rr_thread_select", job).await?;
        Ok(Json(thread.into()))
    }

    /// Select a stack frame to look at, until the next movement.
    #[tool(
        name = "rr_select_frame",
        annotations(
            title = "Select a frame",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn select_frame(
        &self,
        Parameters(args): Parameters<SelectFrameArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<FrameSelectedView>, ToolError> {
        let level = args.frame_level;
        let job = move |engine: &mut Engine| engine.select_frame(level);
        let frame = self.on_session(&context, args.session.as_deref(), "rr_select_frame", job).await?;
        Ok(Json(FrameSelectedView { result: level, frame: frame.into() }))
    }
}
