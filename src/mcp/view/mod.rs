//! What the tools give: the original's fields with the original's names and meanings, and more.
//!
//! * Addresses are strings, `0x` and 16 digits: JSON numbers lose bits above 2⁵³.
//! * A field that has nothing to say is left out; `trace_dir` and `exit_code` of a recording are those that may be
//!   `null`.
//! * Lists are wrapped: `{"result": […]}`.
//! * What was left out of a list or a value is said in `truncated`, with the way to get the rest.

mod breakpoint;
mod command;
mod data;
mod job;
mod log;
mod modules;
mod output;
mod recording;
mod session;
mod session_info;
mod stop;
mod time;

pub(crate) use breakpoint::{BreakpointView, BreakpointsView};
pub(crate) use command::CommandView;
pub(crate) use data::{EvaluateView, LocalsView, MemoryView, RegistersView, SourceView};
pub(crate) use job::{JobResultView, JobStatusView, JobsView};
pub(crate) use log::LoggedView;
pub(crate) use modules::ModulesView;
pub(crate) use output::{OutputView, Wanted};
pub(crate) use recording::{DoctorView, ProcessesView, RecordView, RecordingsView, TraceinfoView};
pub(crate) use session::{
    CheckpointView, CheckpointsView, InterruptView, Moment, NumberView, ReplayView, SessionView, SessionsView,
    StoppedView, TextView, WhenView,
};
pub(crate) use session_info::SessionInfoView;
pub(crate) use stop::{BacktraceView, FrameSelectedView, StopView, ThreadSelectedView, ThreadsView, reason_word};
pub(crate) use time::utc;

use crate::arch::RunAddr;
use std::fmt::Write as _;

/// `0x` and 16 digits.
pub(crate) fn address(address: RunAddr) -> String {
    format!("{:#018x}", address.0)
}

/// Appends ` at /src/t.c:5` where that is known, and says whether it is. The first path that there is is shown.
pub(crate) fn at_line(out: &mut String, paths: [&Option<String>; 2], line: Option<u32>) -> bool {
    match (paths.into_iter().find_map(Option::as_ref), line) {
        (Some(path), Some(line)) => {
            let _ = write!(out, " at {path}:{line}");
            true
        }
        _ => false,
    }
}

/// For `skip_serializing_if`.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(crate) fn is_false(flag: &bool) -> bool {
    !flag
}

/// For `skip_serializing_if`.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(crate) fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests;
