//! What is loaded, and where its debug info comes from.

mod args;
mod view;

use self::args::ModulesArgs;
use self::view::ModulesView;
use crate::mcp::call::Call;
use crate::mcp::reply::{Json, ToolError};
use engine::Engine;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

#[tool_router(router = module_tools, vis = "pub(crate)")]
impl Call {
    /// List loaded modules: range, build-id, file, debug info.
    #[tool(name = "rr_modules")]
    async fn modules(&self, Parameters(args): Parameters<ModulesArgs>) -> Result<Json<ModulesView>, ToolError> {
        let with_mappings = args.mappings;
        let job = move |engine: &mut Engine| {
            let mappings = if with_mappings { Some(engine.mappings()?) } else { None };
            Ok((engine.modules()?, mappings))
        };
        let (list, mappings) = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(ModulesView::from(list).with_mappings(mappings)))
    }
}
