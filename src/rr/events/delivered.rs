//! The signals that a recording delivers.

use super::frame::{Kind, Signal};
use super::steps::{ASKED, Steps};
use crate::error::Error;
use crate::trace;
use base::cancel::Cancel;
use std::path::Path;

/// A signal on its way to a thread.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// The event at which the signal arrives.
    pub event: u64,
    /// The signal.
    pub signal: Signal,
    tid: u32,
    /// How many conditional branches the thread has retired.
    ticks: u64,
    /// The address of the instruction before which the signal arrives, if the recording has the registers.
    pc: Option<u64>,
    /// Whether rr emptied its buffer of system calls next, before the delivery.
    is_before_reset: bool,
}

impl Delivery {
    /// Returns whether the signal is what a thread is about to be delivered behind an event: `tid` has retired `ticks`
    /// there and is at `pc`.
    pub fn is_at(&self, event: u64, (tid, ticks, pc): (u32, u64, u64)) -> bool {
        (self.event == event || self.is_before_reset && self.event + 1 == event)
            && (self.tid, self.ticks) == (tid, ticks)
            && self.pc.is_none_or(|own| own == pc)
    }
}

/// Reads the signals that a recording delivers, in their order, without those that are ignored.
///
/// rr writes SIGNAL when the signal arrives, then SIGNAL_DELIVERY; between them, SYSCALLBUF_RESET if calls were
/// buffered before (rr 5.4 and later).
///
/// # Errors
/// The trace is damaged or cannot be read, or the call is cancelled.
pub fn deliveries(recording: &Path, cancel: &Cancel) -> Result<Vec<Delivery>, Error> {
    let directory = trace::resolve(Some(recording))?;
    trace::check(&directory)?;
    let (mut steps, mut all) = (Steps::open(&directory)?, Vec::<Delivery>::new());
    while let Some((event, frame)) = steps.next()? {
        if event.is_multiple_of(ASKED) && cancel.is_cancelled() {
            return Err(Error::Cancelled { command: "signals" });
        }
        match frame.kind {
            Kind::Signal(signal) if signal.is_delivered() => {
                steps.keep(size_of::<Delivery>())?;
                let (tid, ticks, pc) = (frame.tid, frame.ticks, frame.stands.map(|(pc, _)| pc));
                all.push(Delivery { event, signal, tid, ticks, pc, is_before_reset: false });
            }
            Kind::Other => {
                if let Some(last) = all.last_mut().filter(|last| last.event + 1 == event) {
                    last.is_before_reset = true;
                }
            }
            _ => {}
        }
    }
    Ok(all)
}
