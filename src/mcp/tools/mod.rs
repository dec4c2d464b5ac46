//! The tools, one file per family. Each converts, has one engine method called, and converts back.

mod attach;
mod breakpoints;
mod checkpoints;
mod command;
mod execution;
mod inspect;
mod jobs;
mod modules;
mod output;
mod recordings;
mod session;
mod threads;

use super::server::Server;
use crate::arch::Direction;
use rmcp::handler::server::tool::ToolRouter;

impl Server {
    /// All tools.
    pub(super) fn all_tools() -> ToolRouter<Self> {
        Self::recording_tools()
            + Self::session_tools()
            + Self::attach_tools()
            + Self::execution_tools()
            + Self::breakpoint_tools()
            + Self::inspection_tools()
            + Self::module_tools()
            + Self::output_tools()
            + Self::thread_tools()
            + Self::checkpoint_tools()
            + Self::command_tools()
            + Self::job_tools()
    }
}

/// `reverse` exists in JSON only.
fn direction(reverse: bool) -> Direction {
    if reverse { Direction::Reverse } else { Direction::Forward }
}
