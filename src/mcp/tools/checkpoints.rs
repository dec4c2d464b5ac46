//! Places in time to come back to.

use crate::engine::Engine;
use crate::engine::model::Motion;
use crate::mcp::args::{CheckpointArgs, SessionArgs};
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::server::Server;
use crate::mcp::view::{CheckpointView, CheckpointsView, NumberView, StopView};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::service::RequestContext;
use rmcp::{RoleServer, tool, tool_router};

#[tool_router(router = checkpoint_tools, vis = "pub(super)")]
impl Server {
    /// Save the current position; returns its id.
    #[tool(
        name = "rr_checkpoint_save",
        annotations(
            title = "Save a checkpoint",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn checkpoint_save(
        &self,
        Parameters(args): Parameters<SessionArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<CheckpointView>, ToolError> {
        let job = Engine::save_checkpoint;
        let checkpoint = self.on_session(&context, args.session.as_deref(), "rr_checkpoint_save", job).await?;
        Ok(Json((&checkpoint).into()))
    }

    /// Go to a saved position.
    #[tool(
        name = "rr_checkpoint_restore",
        annotations(
            title = "Go to a checkpoint",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn checkpoint_restore(
        &self,
        Parameters(args): Parameters<CheckpointArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<StopView>, ToolError> {
        let motion = Motion::Restore(args.checkpoint_id);
        self.go(&context, args.session.as_deref(), "rr_checkpoint_restore", motion).await.map(Json)
    }

    /// List saved positions.
    #[tool(
        name = "rr_checkpoint_list",
        annotations(
            title = "List checkpoints",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn checkpoint_list(
        &self,
        Parameters(args): Parameters<SessionArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<CheckpointsView>, ToolError> {
        let job = |engine: &mut Engine| Ok(engine.checkpoints());
        let list = self.on_session(&context, args.session.as_deref(), "rr_checkpoint_list", job).await?;
        Ok(Json(list.as_slice().into()))
    }

    /// Forget a saved position.
    #[tool(
        name = "rr_checkpoint_delete",
        annotations(
            title = "Delete a checkpoint",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn checkpoint_delete(
        &self,
        Parameters(args): Parameters<CheckpointArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<NumberView>, ToolError> {
        let id = args.checkpoint_id;
        let job = move |engine: &mut Engine| engine.delete_checkpoint(id);
        self.on_session(&context, args.session.as_deref(), "rr_checkpoint_delete", job).await?;
        Ok(Json(NumberView { result: id, done: "deleted checkpoint" }))
    }
}
