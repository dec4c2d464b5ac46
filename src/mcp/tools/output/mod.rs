//! What the recorded program prints.

mod args;
mod view;

use self::args::{OutputArgs, StreamWord};
use self::view::{OutputView, Selection};
use crate::mcp::call::Call;
use crate::mcp::reply::{Json, ToolError};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use rr::Stream;

#[tool_router(router = output_tools, vis = "pub(crate)")]
impl Call {
    /// Show what the program printed, with each write's event.
    ///
    /// * rr_run_to_event goes to an event.
    #[tool(name = "rr_output")]
    async fn output(&self, Parameters(args): Parameters<OutputArgs>) -> Result<Json<OutputView>, ToolError> {
        let session = self.shared.sessions.find(args.session.as_deref())?;
        let stream = args.stream.map(|stream| match stream {
            StreamWord::Stdout => Stream::Out,
            StreamWord::Stderr => Stream::Err,
        });
        let pending = self.submit(&session, move |debugger, _| {
            let engine = &mut debugger.engine;
            let output = engine.output()?;
            let event = engine.event()?;
            let (from, count, all_processes) = (args.from, args.count as usize, args.all_processes);
            let selection = Selection { from, count, stream, pid: engine.pid(), all_processes };
            Ok(OutputView::new(&output, selection, event))
        });
        if args.background {
            let job = self.in_background_of(session, pending, |_| {})?;
            return Ok(Json(OutputView::of_job(&job.id)));
        }
        self.answer(&session, pending).await.map(Json)
    }
}
