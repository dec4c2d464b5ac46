//! Moving in time.

use super::direction;
use crate::engine::model::Motion;
use crate::mcp::args::{ReverseArgs, RunToEventArgs, StepArgs};
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::server::Server;
use crate::mcp::view::StopView;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::service::RequestContext;
use rmcp::{RoleServer, tool, tool_router};

#[tool_router(router = execution_tools, vis = "pub(super)")]
impl Server {
    /// Run to the next breakpoint, watchpoint, signal or the end of the recording; with reverse, back to the previous.
    #[tool(
        name = "rr_continue",
        annotations(
            title = "Continue",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn resume(
        &self,
        Parameters(args): Parameters<ReverseArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<StopView>, ToolError> {
        let motion = Motion::Continue(direction(args.reverse));
        self.go_far(&context, args.session.as_deref(), "rr_continue", motion, args.background).await.map(Json)
    }

    /// Step by source lines, into calls.
    #[tool(
        name = "rr_step",
        annotations(
            title = "Step into",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn step(
        &self,
        Parameters(args): Parameters<StepArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<StopView>, ToolError> {
        let motion = if args.instruction { Motion::StepInstruction } else { Motion::Step };
        let motion = motion(direction(args.reverse), args.count);
        self.go(&context, args.session.as_deref(), "rr_step", motion).await.map(Json)
    }

    /// Step by source lines, over calls.
    #[tool(
        name = "rr_next",
        annotations(
            title = "Step over",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn next(
        &self,
        Parameters(args): Parameters<StepArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<StopView>, ToolError> {
        let motion = if args.instruction { Motion::NextInstruction } else { Motion::Next };
        let motion = motion(direction(args.reverse), args.count);
        self.go(&context, args.session.as_deref(), "rr_next", motion).await.map(Json)
    }

    /// Run until the selected frame returns, and show what it returned; with reverse, back to where it was called.
    #[tool(
        name = "rr_finish",
        annotations(
            title = "Finish the function",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn finish(
        &self,
        Parameters(args): Parameters<ReverseArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<StopView>, ToolError> {
        let motion = Motion::Finish(direction(args.reverse));
        self.go_far(&context, args.session.as_deref(), "rr_finish", motion, args.background).await.map(Json)
    }

    /// Go to an event of the recording, earlier or later.
    #[tool(
        name = "rr_run_to_event",
        annotations(
            title = "Go to an event",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn run_to_event(
        &self,
        Parameters(args): Parameters<RunToEventArgs>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<StopView>, ToolError> {
        let motion = Motion::RunToEvent(args.event_number);
        self.go_far(&context, args.session.as_deref(), "rr_run_to_event", motion, args.background).await.map(Json)
    }
}
