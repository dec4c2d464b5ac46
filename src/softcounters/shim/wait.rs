//! `waitid` as rr sees it: without the stops that are ours.

use super::drive::Outcome;
use super::log::log;
use super::state::State;
use super::sys::{self, Errno, SigInfo};

/// How many of our own stops one non-blocking wait handles before it answers "nothing".
const STOPS_PER_POLL: u32 = 100;

/// Waits like the system call, driving tracees on through their internal stops.
///
/// `info.pid()` is 0 when a non-blocking wait found nothing.
pub fn waitid(state: &mut State, idtype: i32, id: i32, info: &mut SigInfo, options: i32) -> Result<(), Errno> {
    let keep = options & sys::WNOWAIT != 0;
    if options & sys::WSTOPPED != 0 && deliver_kept(state, idtype, id, info, keep) {
        return Ok(());
    }
    let mut polls = STOPS_PER_POLL;
    loop {
        sys::waitid(idtype, id, info, options)?;
        let tid = info.pid();
        if tid == 0 {
            return Ok(());
        }
        if is_exit(info) {
            if !keep {
                state.forget(tid);
            }
            return Ok(());
        }
        state.after_call(tid);
        if !state.is_driven(tid) {
            state.note_stop(tid, info.status());
            return Ok(());
        }
        if keep {
            // Whose stop it is can only be settled by taking it.
            sys::waitid(sys::P_PID, tid, info, options & !sys::WNOWAIT | sys::WNOHANG)?;
            if info.pid() == 0 || is_exit(info) {
                continue;
            }
        }
        if let Outcome::Report(report) = state.on_stop(tid, *info) {
            *info = report;
            if is_exit(info) {
                state.forget(tid);
                return Ok(());
            }
            state.note_stop(tid, info.status());
            if keep {
                state.kept.push(*info);
            }
            return Ok(());
        }
        // On its way the tracee may have come to a stop that was consumed already.
        if deliver_kept(state, idtype, id, info, keep) {
            return Ok(());
        }
        if time_is_up(state) {
            log!(1, "rr's timer ran out");
            state.statistics.time_outs += 1;
            return Err(Errno(sys::EINTR));
        }
        if options & sys::WNOHANG != 0 {
            polls -= 1;
            if polls == 0 {
                *info = SigInfo::zero();
                return Ok(());
            }
        }
    }
}

/// Answers with a stop that was shown before; takes it off the list unless it is to be shown again.
fn deliver_kept(state: &mut State, idtype: i32, id: i32, info: &mut SigInfo, keep: bool) -> bool {
    let wanted = |kept: &SigInfo| match idtype {
        sys::P_ALL => true,
        sys::P_PID => kept.pid() == id,
        _ => false,
    };
    let Some(at) = state.kept.iter().position(wanted) else {
        return false;
    };
    *info = state.kept[at];
    if !keep {
        state.kept.remove(at);
        if is_exit(info) {
            state.forget(info.pid());
        } else {
            state.note_stop(info.pid(), info.status());
        }
    }
    true
}

/// Returns, once, whether the interval timer has run out that rr counts on to interrupt a blocking wait. Most of the
/// time now passes outside the kernel's wait, where the signal would be lost, so the deadline is watched here.
fn time_is_up(state: &mut State) -> bool {
    let up = state.deadline.is_some_and(|deadline| sys::monotonic_nanoseconds() >= deadline);
    if up {
        state.deadline = None;
    }
    up
}

/// Notes that rr armed or disarmed its interval timer.
pub fn timer_set(state: &mut State, microseconds: Option<u64>) {
    state.deadline = microseconds
        .filter(|&microseconds| microseconds != 0)
        .map(|microseconds| sys::monotonic_nanoseconds().saturating_add(microseconds.saturating_mul(1000)));
}

fn is_exit(info: &SigInfo) -> bool {
    matches!(info.code, sys::CLD_EXITED | sys::CLD_KILLED | sys::CLD_DUMPED)
}

/// Returns the status word of `waitpid` for an answer of `waitid`.
pub fn wait_status(info: &SigInfo) -> i32 {
    const CORE_DUMPED: i32 = 0x80;
    const STOPPED: i32 = 0x7f;
    const CONTINUED: i32 = 0xffff;
    let status = info.status();
    match info.code {
        sys::CLD_EXITED => (status & 0xff) << 8,
        sys::CLD_KILLED => status & 0x7f,
        sys::CLD_DUMPED => status & 0x7f | CORE_DUMPED,
        sys::CLD_TRAPPED | sys::CLD_STOPPED => status << 8 | STOPPED,
        _ => CONTINUED,
    }
}
