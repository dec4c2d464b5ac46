//! What the recorded program prints.

use crate::mcp::args::{OutputArgs, StreamWord};
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::server::{Server, submit};
use crate::mcp::view::{OutputView, Wanted};
use crate::rr::Stream;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::service::RequestContext;
use rmcp::{RoleServer, tool, tool_router};

#[tool_router(router = output_tools, vis = "pub(super)")]
impl Server {
    /// Read what the recorded program prints, with the event of each write; rr_run_to_event goes there.
    #[tool(
        name = "rr_output",
        annotations(
            title = "Program output",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn output(
        &self,
        Parameters(args): Parameters<OutputArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<OutputView>, ToolError> {
        let session = self.sessions().find(args.session.as_deref())?;
        let stream = args.stream.map(|stream| match stream {
            StreamWord::Stdout => Stream::Out,
            StreamWord::Stderr => Stream::Err,
        });
        let pending = submit(&session, "rr_output", move |engine, observer, _| {
            let output = engine.output(observer)?;
            let event = engine.event()?;
            let (from, count, all_processes) = (args.from, args.count as usize, args.all_processes);
            let wanted = Wanted { from, count, stream, pid: engine.pid(), all_processes };
            Ok(OutputView::new(&output, wanted, event))
        });
        if args.background {
            let job = self.in_background_of(session, "rr_output", pending, |_| {})?;
            return Ok(Json(OutputView::of_job(&job.id)));
        }
        self.answer(&context, &session, "rr_output", pending).await.map(Json)
    }
}
