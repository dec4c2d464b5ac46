//! Movements: everything that resumes the replay, forward and backward.
//!
//! ```text
//! perform, go_to, seek        a movement with its time limit; going to a moment, to the instruction
//! visits, recurrence, moment_facts, confusion, step_check, long_tick, back_by_forward, search_back
//!                             moments of a tick that look alike, to us and to rr; ticks that are too long for rr, and
//!                             searches that do not end
//! step/                       the rules of stepping, forward and backward, in terms of a `Machine`
//! replay_machine, mover       the replay as such a machine; what one movement knows on its way
//! finish*, until              leaving a function; running to a place
//! return_value/               what a function has returned
//! stop_outcome                what a stop of rr comes to: something to tell, or nothing
//! breakpoint_hit, watch_*     … at a breakpoint; at a watchpoint: both values, who wrote, whose memory it is
//! reexecute, exact_position   both sides of an instruction; where a thread was
//! signal_delivery, arrived_signal, exec, thread_exit_write, back_from_end, nonlocal_exit, patched_syscalls
//!                             moments that rr shows in several stops, or in none
//! backward_over_hits, hit_evaluation
//!                             backward where most hits are skipped: forward from ever earlier checkpoints
//! checkpoints, checkpoint_restore, images, image_start
//!                             saved moments; the programs that a process has executed
//! time_limit, timeout_report  how long a movement may take, and what it was doing
//! cut_recording, end_of_cut   recordings that rr cannot replay to their end, up to where it can
//! deep_places, go_to_deep     places in long ticks that were shown, and the way back to them
//! debug_info_work             how long debug info may take in the middle of a call
//! stop_state, shown_calls, session
//!                             what is remembered of the last stops; all that is debugged
//! ```

pub(super) mod arrived_signal;
pub(super) mod back_by_forward;
pub(super) mod back_from_end;
pub(super) mod backward_over_hits;
pub(super) mod breakpoint_at_destination;
pub(super) mod breakpoint_hit;
pub(super) mod checkpoint_restore;
pub(super) mod checkpoints;
pub(super) mod confusion;
pub(super) mod counted;
pub(super) mod cut_recording;
pub(super) mod debug_info_work;
pub(super) mod deep_places;
pub(super) mod earlier_events;
pub(super) mod end_of_cut;
pub(super) mod exact_position;
pub(super) mod exec;
pub(super) mod finish;
mod finish_inlined;
pub(super) mod go_to;
mod go_to_deep;
pub(super) mod hit_evaluation;
pub(super) mod image_start;
pub(super) mod images;
pub(super) mod interposed;
mod leave_tick;
pub(super) mod long_tick;
pub(super) mod marks;
mod moment_facts;
pub(super) mod mover;
pub(super) mod nonlocal_exit;
pub(super) mod patched_syscalls;
pub(super) mod perform;
pub(super) mod recurrence;
pub(super) mod reexecute;
pub(super) mod replay_machine;
pub(super) mod return_value;
mod search_back;
pub(super) mod seek;
pub(super) mod session;
pub(super) mod shown_calls;
pub(super) mod signal_delivery;
pub(super) mod step;
mod step_check;
pub(super) mod stop_outcome;
pub(super) mod stop_state;
pub(super) mod thread_exit_write;
pub(super) mod time_limit;
pub(super) mod timeout_report;
pub(super) mod until;
pub(super) mod visits;
pub(super) mod watch_check;
pub(super) mod watch_hit;
pub(super) mod watch_owner;
