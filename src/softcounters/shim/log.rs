//! Diagnostics on standard error, off by default.

use std::sync::atomic::{AtomicU8, Ordering};

/// 0 nothing, 1 events, 2 also each resume and report of rr, 3 also each step.
static LEVEL: AtomicU8 = AtomicU8::new(0);

/// Sets the level from `RETROGRADE_SOFT_LOG`.
pub fn set_level(level: u8) {
    LEVEL.store(level, Ordering::Relaxed);
}

/// Whether lines of this level are written.
pub fn enabled(level: u8) -> bool {
    LEVEL.load(Ordering::Relaxed) >= level
}

/// Writes a line if the log level is at least `$level`.
macro_rules! log {
    ($level:expr, $($argument:tt)*) => {
        if $crate::log::enabled($level) {
            $crate::sys::write_error(&format!($($argument)*));
        }
    };
}
pub(crate) use log;

/// What was done, for `RETROGRADE_SOFT_STATS=1`.
#[derive(Debug, Default)]
pub struct Statistics {
    /// Single steps of tracees.
    pub steps: u64,
    /// Conditional branches counted.
    pub ticks: u64,
    /// Resumes by rr that were driven.
    pub driven: u64,
    /// Resumes by rr passed to the kernel.
    pub passed: u64,
    /// Steps whose stop had to be examined closely.
    pub examined: u64,
    /// Counter overflows reported.
    pub overflows: u64,
    /// Waits ended because rr's timer ran out.
    pub time_outs: u64,
}

impl Statistics {
    /// Nothing done yet.
    pub const fn new() -> Statistics {
        Statistics {
            steps: 0,
            ticks: 0,
            driven: 0,
            passed: 0,
            examined: 0,
            overflows: 0,
            time_outs: 0,
        }
    }
}
