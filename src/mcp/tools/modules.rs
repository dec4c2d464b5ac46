//! What is loaded, and where its debug info comes from.

use crate::engine::Engine;
use crate::mcp::args::SessionArgs;
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::server::Server;
use crate::mcp::view::ModulesView;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::service::RequestContext;
use rmcp::{RoleServer, tool, tool_router};

#[tool_router(router = module_tools, vis = "pub(super)")]
impl Server {
    /// List what is loaded: range, build-id, file, where its debug info is or why there is none.
    #[tool(
        name = "rr_modules",
        annotations(
            title = "Loaded modules",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn modules(
        &self,
        Parameters(args): Parameters<SessionArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<ModulesView>, ToolError> {
        let list = self.on_session(&context, args.session.as_deref(), "rr_modules", Engine::modules).await?;
        Ok(Json(list.into()))
    }
}
