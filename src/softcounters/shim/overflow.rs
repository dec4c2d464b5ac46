//! The overflow of a counter: a signal of a descriptor, as rr sees it.

use super::resume::How;
use super::state::State;
use super::sys::{self, Errno, SigInfo, UserRegs};

impl State {
    /// Turns the trap after a step into the signal that a hardware counter sends when its period is over.
    pub fn overflow(&mut self, tid: i32, mut info: SigInfo) -> Result<SigInfo, Errno> {
        let Some(signal) = self.overflow_signal(tid) else { return Ok(info) };
        sys::set_signal_info(tid, &signal)?;
        self.note_overflow(tid);
        info.word1 = signal.signo;
        Ok(info)
    }

    /// The same for a thread in the cache's exit whose registers shall be these.
    pub fn overflow_at_exit(&mut self, tid: i32, how: How, registers: UserRegs, info: SigInfo) -> Result<SigInfo, Errno> {
        let Some(signal) = self.overflow_signal(tid) else { return Ok(info) };
        let stop = self.show_signal(tid, how, registers, &signal)?;
        if stop.status() == signal.signo {
            self.note_overflow(tid);
        }
        Ok(stop)
    }

    fn overflow_signal(&mut self, tid: i32) -> Option<SigInfo> {
        let (descriptor, ticks) = self.counters.running(tid)?;
        let mut signal = SigInfo::zero();
        signal.signo = ticks.signal;
        signal.code = sys::POLL_IN;
        signal.word0 = sys::BAND_IN as u64;
        signal.word1 = descriptor;
        Some(signal)
    }

    fn note_overflow(&mut self, tid: i32) {
        self.statistics.overflows += 1;
        if let Some((_, ticks)) = self.counters.running(tid) {
            ticks.counter.overflow_reported();
        }
    }
}
