//! Places in time to come back to.

mod args;
pub(super) mod view;

use self::args::{CheckpointArgs, SaveArgs};
use self::view::CheckpointsView;
use crate::mcp::call::Call;
use crate::mcp::reply::{CheckpointView, Json, NumberView, StopView, ToolError};
use crate::mcp::tools::args::SessionArgs;
use engine::Engine;
use engine::model::Motion;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

#[tool_router(router = checkpoint_tools, vis = "pub(crate)")]
impl Call {
    /// Save the current position as a checkpoint.
    ///
    /// * Returns its id.
    #[tool(name = "rr_checkpoint_save")]
    async fn checkpoint_save(&self, Parameters(args): Parameters<SaveArgs>) -> Result<Json<CheckpointView>, ToolError> {
        let note = args.note;
        let job = move |engine: &mut Engine| engine.save_checkpoint(note.as_deref());
        let checkpoint = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json((&checkpoint).into()))
    }

    /// Go to a checkpoint.
    #[tool(name = "rr_checkpoint_restore")]
    async fn checkpoint_restore(
        &self,
        Parameters(args): Parameters<CheckpointArgs>,
    ) -> Result<Json<StopView>, ToolError> {
        let motion = Motion::Restore(args.checkpoint_id);
        self.go(args.session.as_deref(), motion).await.map(Json)
    }

    /// List checkpoints.
    #[tool(name = "rr_checkpoint_list")]
    async fn checkpoint_list(
        &self,
        Parameters(args): Parameters<SessionArgs>,
    ) -> Result<Json<CheckpointsView>, ToolError> {
        let job = |engine: &mut Engine| Ok(engine.checkpoints());
        let list = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(list.as_slice().into()))
    }

    /// Delete a checkpoint.
    #[tool(name = "rr_checkpoint_delete")]
    async fn checkpoint_delete(
        &self,
        Parameters(args): Parameters<CheckpointArgs>,
    ) -> Result<Json<NumberView>, ToolError> {
        let id = args.checkpoint_id;
        let job = move |engine: &mut Engine| engine.delete_checkpoint(id);
        self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(NumberView { result: id, done: "deleted checkpoint" }))
    }
}
