//! Movements: everything that resumes the replay, forward and backward.

pub(super) mod arrival;
pub(super) mod breakpoint_hit;
pub(super) mod checkpoints;
pub(super) mod exact_position;
pub(super) mod exec;
pub(super) mod finish;
pub(super) mod image_start;
pub(super) mod images;
pub(super) mod late_write;
pub(super) mod limit;
pub(super) mod machine;
pub(super) mod nonlocal_exit;
pub(super) mod perform;
pub(super) mod reexecute;
pub(super) mod restore;
pub(super) mod return_to;
pub(super) mod return_value;
pub(super) mod signal_delivery;
pub(super) mod skipped_hits;
pub(super) mod step;
pub(super) mod stop_state;
pub(super) mod time_spent;
pub(super) mod until;
pub(super) mod watch_check;
pub(super) mod watch_hit;
