//! Using a server that listens already.

mod args;

use self::args::AttachArgs;
use crate::mcp::call::Call;
use crate::mcp::reply::{Json, ReplayView, ToolError};
use engine::model::AttachOptions;
use engine::{Engine, KillSwitch};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use rr::Rr;
use std::path::PathBuf;

#[tool_router(router = attach_tools, vis = "pub(crate)")]
impl Call {
    /// Attach to an rr replay (--dbgport), or to gdbserver or QEMU (forward only).
    ///
    /// * Returns the session id.
    #[tool(name = "rr_attach")]
    async fn attach(&self, Parameters(args): Parameters<AttachArgs>) -> Result<Json<ReplayView>, ToolError> {
        let trace = args.trace_dir.map(PathBuf::from);
        let to = AttachOptions {
            address: args.address.0,
            trace: trace.clone(),
            program: args.program.map(PathBuf::from),
            remote: args.remote,
        };
        let timeouts = self.shared.settings.timeouts;
        let start = move |switch: KillSwitch| {
            let rr = Rr::find().map_err(|e| e.to_string())?;
            Engine::attach(switch, &rr, &to, timeouts).map_err(|e| e.to_string())
        };
        let arrive = |id: &str, engine: &mut Engine| {
            let stop = engine.here()?;
            let view = ReplayView::attached(id, engine.trace(), engine.pid(), engine.port(), stop.clone());
            Ok((stop, view))
        };
        let (_, view) = self.open_replay(trace, start, arrive).await?;
        Ok(Json(view))
    }
}
