//! The tools, a room per family: `mod.rs` has its tools, `args.rs` what they take, `view.rs` what they give. A tool
//! converts its arguments, has one engine method called, and converts the answer.

mod annotations;
mod args;
mod attach;
mod breakpoints;
mod checkpoints;
mod command;
mod counts;
pub(crate) mod diff;
mod execution;
pub(crate) mod heap;
pub(crate) mod inspect;
mod jobs;
mod listing;
mod memory;
mod modules;
pub(crate) mod origin;
mod output;
pub(crate) mod questions;
pub(crate) mod races;
mod recordings;
#[cfg(test)]
mod reference;
mod schema;
mod session;
pub(crate) mod story;
mod threads;
mod waits;
pub(super) mod why;
pub(crate) mod writes;

pub(crate) use self::annotations::known;
pub(crate) use self::listing::{CORE, listed};
pub(crate) use self::recordings::view::recordings_in_words;
use crate::mcp::call::Call;
use rmcp::handler::server::tool::ToolRouter;

/// Hops of a value that a command shows.
pub(crate) const MOST_HOPS: usize = 20;
/// Races that a command shows.
pub(crate) const MOST_RACES: u32 = 20;

/// Returns all tools, with all that is said of them.
pub(crate) fn router() -> ToolRouter<Call> {
    let mut router = Call::all_tools();
    annotations::annotate(&mut router);
    schema::tidy(router)
}

impl Call {
    fn all_tools() -> ToolRouter<Self> {
        Self::recording_tools()
            + Self::session_tools()
            + Self::attach_tools()
            + Self::execution_tools()
            + Self::breakpoint_tools()
            + Self::inspection_tools()
            + Self::story_tools()
            + Self::memory_tools()
            + Self::module_tools()
            + Self::output_tools()
            + Self::question_tools()
            + Self::writes_tools()
            + Self::races_tools()
            + Self::origin_tools()
            + Self::heap_tools()
            + Self::why_tools()
            + Self::counts_tools()
            + Self::diff_tools()
            + Self::thread_tools()
            + Self::waits_tools()
            + Self::checkpoint_tools()
            + Self::command_tools()
            + Self::job_tools()
    }
}

#[cfg(test)]
mod tests;
