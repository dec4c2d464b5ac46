//! Looking at memory.

mod args;
pub(super) mod view;

use self::args::ReadMemoryArgs;
use self::view::MemoryView;
use crate::mcp::call::Call;
use crate::mcp::reply::{Json, ToolError};
use engine::Engine;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

#[tool_router(router = memory_tools, vis = "pub(crate)")]
impl Call {
    /// Read bytes of memory.
    #[tool(name = "rr_read_memory")]
    async fn read_memory(&self, Parameters(args): Parameters<ReadMemoryArgs>) -> Result<Json<MemoryView>, ToolError> {
        let (address, count) = (args.address.0.clone(), args.count);
        let job = move |engine: &mut Engine| engine.read_memory(&address, count);
        let block = self.on_session(args.session.as_deref(), job).await?;
        Ok(Json(MemoryView::new(args.address.0, count, block)))
    }
}
