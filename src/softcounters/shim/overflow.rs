//! The overflow of a counter: a signal of a descriptor, as rr sees it.
//!
//! After a single step the thread is in the stop of its trap, which becomes the signal's. From the cache's exit it is
//! brought to a stop of its own before it runs anything: the answer to an interrupt, which the kernel gives before any
//! signal. That one is not a stop by a signal. rr cannot tell, unless it has the thread go on with a signal from there,
//! which the kernel would not deliver; then a signal comes first.

use super::inject;
use super::log::log;
use super::state::State;
use super::sys::{self, Errno, SigInfo, UserRegs};

/// A signal that programs under rr have no use for: the one of overflows.
const SIGSTKFLT: i32 = 16;

impl State {
    /// Turns the stop where a thread is into the signal that a hardware counter sends when its period is over.
    pub fn overflow(&mut self, tid: i32, mut info: SigInfo) -> Result<SigInfo, Errno> {
        let Some((descriptor, ticks)) = self.counters.running(tid) else {
            return Ok(info);
        };
        ticks.counter.overflow_reported();
        let signal = ticks.signal;
        let mut overflow = SigInfo::zero();
        overflow.signo = signal;
        overflow.code = sys::POLL_IN;
        overflow.word0 = sys::BAND_IN as u64;
        overflow.word1 = descriptor;
        sys::set_signal_info(tid, &overflow)?;
        self.statistics.overflows += 1;
        info.word1 = signal;
        Ok(info)
    }

    /// Does the same for a thread in the cache's exit whose registers shall be these. Returns the stop rr sees.
    pub fn overflow_at_exit(&mut self, tid: i32, registers: &UserRegs) -> Result<SigInfo, Errno> {
        let (stop, is_ours) = self.stop_at_exit(tid, registers)?;
        if is_ours { self.overflow(tid, stop) } else { Ok(stop) }
    }

    /// Brings a thread in the cache's exit whose registers shall be these to a stop of its own, before it runs
    /// anything. False if another stop came first.
    pub fn stop_at_exit(&mut self, tid: i32, registers: &UserRegs) -> Result<(SigInfo, bool), Errno> {
        sys::set_registers(tid, registers)?;
        sys::interrupt(tid)?;
        sys::resume(tid, sys::PTRACE_SYSEMU, 0)?;
        let stop = inject::wait(tid)?;
        // The signal in it need not be SIGTRAP: a tracee of rr may count as stopped from its beginning.
        if stop.code != sys::CLD_TRAPPED || stop.status() >> 8 != sys::EVENT_STOP {
            return Ok((stop, false));
        }
        self.interrupt_again(tid)?;
        self.tracee(tid).at_interrupt = true;
        Ok((stop, true))
    }

    /// Interrupts again where an answer was taken that was perhaps rr's, which needs another one.
    fn interrupt_again(&mut self, tid: i32) -> Result<(), Errno> {
        if self.tracee(tid).interrupted { sys::interrupt(tid) } else { Ok(()) }
    }

    /// Sees to it that the kernel delivers `signal`, unless that is 0, to a thread that rr resumes. False if the thread
    /// has come to another stop instead.
    pub fn prepare_delivery(&mut self, tid: i32, signal: i64) -> Result<bool, Errno> {
        if !std::mem::take(&mut self.tracee(tid).at_interrupt) || signal == 0 {
            return Ok(true);
        }
        log!(1, "{tid}: signal {signal} follows an overflow");
        // What rr has said of the signal.
        let info = sys::signal_info(tid)?;
        let mask = sys::signal_mask(tid)?;
        sys::set_signal_mask(tid, !(1 << (SIGSTKFLT - 1)))?;
        sys::send_signal(tid, SIGSTKFLT)?;
        loop {
            sys::resume(tid, sys::PTRACE_CONT, 0)?;
            let stop = inject::wait(tid)?;
            let status = stop.status();
            match (status, status >> 8) {
                (SIGSTKFLT, _) if stop.code == sys::CLD_TRAPPED => break,
                (_, sys::EVENT_STOP) if stop.code == sys::CLD_TRAPPED => {}
                _ => {
                    self.kept.push(stop);
                    return Ok(false);
                }
            }
        }
        self.interrupt_again(tid)?;
        sys::set_signal_mask(tid, mask)?;
        sys::set_signal_info(tid, &info)?;
        Ok(true)
    }
}
