//! Diagnostics on standard error, off by default.

use std::sync::atomic::{AtomicU8, Ordering};

/// 0 nothing, 1 events, 2 also each resume and report of rr, 3 also each step.
static LEVEL: AtomicU8 = AtomicU8::new(0);

/// Sets the level from `RETROGRADE_SOFT_LOG`.
pub fn set_level(level: u8) {
    LEVEL.store(level, Ordering::Relaxed);
}

/// Returns whether lines of this level are written.
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

macro_rules! statistics {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What was done, for `RETROGRADE_SOFT_STATS=1`.
        #[derive(Debug)]
        pub struct Statistics {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl Statistics {
            /// Begins with nothing done.
            pub const fn new() -> Statistics {
                Statistics { $($name: 0,)* }
            }
        }
    };
}

statistics! {
    /// Conditional branches counted.
    ticks,
    /// Resumes by rr that were driven.
    driven,
    /// Resumes by rr passed to the kernel.
    passed,
    /// Single steps of tracees.
    steps,
    /// Steps whose stop had to be examined closely.
    examined,
    /// Entries into the code cache.
    entries,
    /// Exits to code that was not translated.
    direct_exits,
    /// Exits to a place the table of indirect branches did not know.
    indirect_exits,
    /// Exits before an instruction that the program must execute itself.
    native_exits,
    /// System calls that the program made by the exit's own.
    calls,
    /// Exits at code that had been written to since it was translated.
    stale_exits,
    /// Exits just before the counter overflows.
    overflow_exits,
    /// Exits where the branches that were lent are used up.
    spent_exits,
    /// Faults in the cache.
    faults,
    /// Other stops in the cache.
    rolls,
    /// System calls run in a tracee.
    injections,
    /// Blocks translated.
    blocks,
    /// Blocks given up because their code changed.
    invalidated,
    /// Regions that were full and began anew.
    flushes,
    /// Counter overflows reported.
    overflows,
    /// How many branches after it was asked for each of them comes.
    lateness,
    /// Waits ended because rr's timer ran out.
    time_outs,
}
