//! Moving in time.

mod args;

use self::args::{GotoArgs, ReverseArgs, RunToEventArgs, StepArgs};
use crate::mcp::call::Call;
use crate::mcp::reply::{Json, StopView, ToolError};
use arch::Direction;
use engine::model::Motion;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

/// Converts `reverse`, which exists in JSON only.
fn direction(reverse: bool) -> Direction {
    if reverse { Direction::Reverse } else { Direction::Forward }
}

#[tool_router(router = execution_tools, vis = "pub(crate)")]
impl Call {
    /// Run to the next breakpoint, watchpoint, signal or end; with reverse, back.
    #[tool(name = "rr_continue")]
    async fn resume(&self, Parameters(args): Parameters<ReverseArgs>) -> Result<Json<StopView>, ToolError> {
        let motion = Motion::Continue(direction(args.reverse));
        self.go_far(args.session.as_deref(), motion, args.background).await.map(Json)
    }

    /// Step by source lines, into calls.
    #[tool(name = "rr_step")]
    async fn step(&self, Parameters(args): Parameters<StepArgs>) -> Result<Json<StopView>, ToolError> {
        let motion = if args.instruction { Motion::StepInstruction } else { Motion::Step };
        let motion = motion(direction(args.reverse), args.count);
        self.go(args.session.as_deref(), motion).await.map(Json)
    }

    /// Step by source lines, over calls.
    #[tool(name = "rr_next")]
    async fn next(&self, Parameters(args): Parameters<StepArgs>) -> Result<Json<StopView>, ToolError> {
        let motion = if args.instruction { Motion::NextInstruction } else { Motion::Next };
        let motion = motion(direction(args.reverse), args.count);
        self.go(args.session.as_deref(), motion).await.map(Json)
    }

    /// Run until the selected frame returns, show the result; with reverse, to its call.
    #[tool(name = "rr_finish")]
    async fn finish(&self, Parameters(args): Parameters<ReverseArgs>) -> Result<Json<StopView>, ToolError> {
        let motion = Motion::Finish(direction(args.reverse));
        self.go_far(args.session.as_deref(), motion, args.background).await.map(Json)
    }

    /// Go to an event by number; rr_goto can do it too.
    #[tool(name = "rr_run_to_event")]
    async fn run_to_event(&self, Parameters(args): Parameters<RunToEventArgs>) -> Result<Json<StopView>, ToolError> {
        let motion = Motion::RunToEvent(args.event_number);
        self.go_far(args.session.as_deref(), motion, args.background).await.map(Json)
    }

    /// Go to a position, earlier or later.
    ///
    /// * Stops and rows show positions; those from other sessions on the same recorded process can be used too.
    #[tool(name = "rr_goto")]
    async fn go_to_position(&self, Parameters(args): Parameters<GotoArgs>) -> Result<Json<StopView>, ToolError> {
        let text = args.position.trim();
        let session = args.session.as_deref();
        let motion = match (text, text.parse(), text.parse()) {
            ("start", ..) => Motion::RunToEvent(self.on_session(session, |engine| Ok(engine.beginning())).await?),
            ("end", ..) => Motion::RunToEvent(self.on_session(session, |engine| engine.last_event()).await?),
            (_, Ok(event), _) => Motion::RunToEvent(event),
            (_, _, Ok(waypoint)) => Motion::GoTo(waypoint),
            (_, _, Err(error)) => {
                return Err(ToolError(format!("{error}, or as the number of an event, `start` or `end`")));
            }
        };
        self.go_far(session, motion, args.background).await.map(Json)
    }
}
