//! What clients are told of each tool besides its parameters: a title, and what may become of what it touches.
//!
//! Nothing that a tool does reaches beyond this machine.

use self::Effect::{Changes, Destroys, Reads, Sets};
use crate::mcp::call::Call;
use rmcp::handler::server::tool::ToolRouter;
use rmcp::model::ToolAnnotations;

/// What a call may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// Nothing.
    Reads,
    /// A second call of the same kind changes more.
    Changes,
    /// A second call of the same kind changes nothing more.
    Sets,
    /// It deletes what cannot be had again.
    Destroys,
}

/// Each tool, its title, its effect.
const TOOLS: &[(&str, &str, Effect)] = &[
    ("rr_attach", "Attach to a replay", Changes),
    ("rr_backtrace", "Backtrace", Reads),
    ("rr_breakpoint_list", "List breakpoints", Reads),
    ("rr_breakpoint_remove", "Delete a breakpoint", Sets),
    ("rr_breakpoint_set", "Set a breakpoint", Changes),
    ("rr_breakpoint_update", "Change a breakpoint", Sets),
    ("rr_calls", "All calls of a function", Reads),
    ("rr_catch_set", "Catch an event", Changes),
    ("rr_checkpoint_delete", "Delete a checkpoint", Sets),
    ("rr_checkpoint_list", "List checkpoints", Reads),
    ("rr_checkpoint_restore", "Go to a checkpoint", Sets),
    ("rr_checkpoint_save", "Save a checkpoint", Changes),
    ("rr_command", "GDB command", Changes),
    ("rr_continue", "Continue", Changes),
    ("rr_coverage", "Coverage", Reads),
    ("rr_diff", "Compare two recordings", Reads),
    ("rr_doctor", "Check this machine", Reads),
    ("rr_evaluate", "Evaluate an expression", Reads),
    ("rr_explain", "Explain", Changes),
    ("rr_finish", "Finish the function", Changes),
    ("rr_first", "First time", Reads),
    ("rr_goto", "Go to a position", Sets),
    ("rr_heap", "Whose memory", Reads),
    ("rr_history", "All writes to a value", Reads),
    ("rr_interrupt", "Interrupt a run", Sets),
    ("rr_job_cancel", "Cancel a job", Sets),
    ("rr_job_list", "List jobs", Reads),
    ("rr_job_result", "Result of a job", Reads),
    ("rr_job_status", "Look at a job", Reads),
    ("rr_last_write", "Last write", Reads),
    ("rr_list_recordings", "List recordings", Reads),
    ("rr_locals", "Local variables", Reads),
    ("rr_log", "Lines of log points", Reads),
    ("rr_modules", "Loaded modules", Reads),
    ("rr_next", "Step over", Changes),
    ("rr_origin", "Where a value comes from", Reads),
    ("rr_output", "Program output", Reads),
    ("rr_profile", "Where the work was", Reads),
    ("rr_ps", "List recorded processes", Reads),
    ("rr_races", "Data races", Reads),
    ("rr_read_memory", "Read memory", Reads),
    ("rr_record", "Record a program", Changes),
    ("rr_registers", "Registers", Reads),
    ("rr_replay_start", "Open a replay", Changes),
    ("rr_replay_stop", "Close a replay", Sets),
    ("rr_rm", "Delete a recording", Destroys),
    ("rr_run_to_event", "Go to an event", Sets),
    ("rr_select_frame", "Select a frame", Sets),
    ("rr_session_info", "Describe a session", Reads),
    ("rr_session_list", "List replays", Reads),
    ("rr_source_lines", "Source lines", Reads),
    ("rr_step", "Step into", Changes),
    ("rr_thread_list", "List threads", Reads),
    ("rr_thread_select", "Select a thread", Sets),
    ("rr_threads_report", "Who waits for whom", Reads),
    ("rr_timeline", "What happened when", Reads),
    ("rr_trace", "Values at each execution", Reads),
    ("rr_traceinfo", "Trace header", Reads),
    ("rr_watchpoint_set", "Watch a value", Changes),
    ("rr_when", "Position in time", Reads),
    ("rr_why", "Why a line ran", Reads),
];

/// Returns the name of a tool, if there is one of that name.
pub(crate) fn known(name: &str) -> Option<&'static str> {
    TOOLS.iter().map(|(tool, ..)| *tool).find(|tool| *tool == name)
}

/// Writes the annotations into the tools of `router`.
pub(crate) fn annotate(router: &mut ToolRouter<Call>) {
    for &(name, title, effect) in TOOLS {
        if let Some(route) = router.map.get_mut(name) {
            // A hint that is not there is read-only: false, destructive: true, idempotent: false, open world: true, and
            // of a tool that changes nothing two of them say nothing.
            let mut annotations = ToolAnnotations::with_title(title).open_world(false);
            annotations.read_only_hint = (effect == Reads).then_some(true);
            annotations.destructive_hint = matches!(effect, Changes | Sets).then_some(false);
            annotations.idempotent_hint = matches!(effect, Sets | Destroys).then_some(true);
            route.attr.annotations = Some(annotations);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_tool_once_in_order() {
        let mut names: Vec<String> = Call::all_tools().map.keys().map(ToString::to_string).collect();
        names.sort_unstable();
        assert_eq!(TOOLS.iter().map(|(name, ..)| (*name).to_owned()).collect::<Vec<_>>(), names);
    }
}
