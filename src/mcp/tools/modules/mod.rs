//! What is loaded, and where its debug info comes from.

mod view;

use self::view::ModulesView;
use crate::engine::Engine;
use crate::mcp::call::Call;
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::tools::args::SessionArgs;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

#[tool_router(router = module_tools, vis = "pub(crate)")]
impl Call {
    /// List what is loaded: range, build-id, file, where its debug info is or why there is none.
    #[tool(name = "rr_modules")]
    async fn modules(&self, Parameters(args): Parameters<SessionArgs>) -> Result<Json<ModulesView>, ToolError> {
        let list = self.on_session(args.session.as_deref(), Engine::modules).await?;
        Ok(Json(list.into()))
    }
}
