//! The signal that is delivered to a thread at a moment.

use super::frame::{Frame, Kind, Signal};
use super::steps::{ASKED, Steps};
use crate::cancel::Cancel;
use crate::rr::error::Error;
use crate::rr::trace;
use std::path::Path;

/// Reads the signal that a thread is about to be delivered behind an event, and the event at which it has arrived: `tid`
/// has retired `ticks` there and is at `pc`. `None`: nothing is delivered to it there, or the signal is ignored.
///
/// rr writes SIGNAL when the signal arrives, then SIGNAL_DELIVERY; between them, SYSCALLBUF_RESET if calls were
/// buffered before (rr 5.4 and later).
pub fn signal_at(
    recording: &Path,
    event: u64,
    (tid, ticks, pc): (u32, u64, u64),
    cancel: &Cancel,
) -> Result<Option<(Signal, u64)>, Error> {
    let directory = trace::resolve(Some(recording))?;
    trace::check(&directory)?;
    let mut steps = Steps::open(&directory)?;
    let is_there =
        |frame: &Frame| (frame.tid, frame.ticks) == (tid, ticks) && frame.stands.is_none_or(|(stands, _)| stands == pc);
    let mut before = None;
    while let Some((number, frame)) = steps.next()? {
        if number.is_multiple_of(ASKED) && cancel.is_cancelled() {
            return Err(Error::Cancelled { command: "signal" });
        }
        if number < event {
            before = Some(frame).filter(|_| number + 1 == event);
            continue;
        }
        let (arrived, number) = if frame.kind == Kind::Other { (before, number - 1) } else { (Some(frame), number) };
        return Ok(arrived.filter(is_there).and_then(|frame| match frame.kind {
            Kind::Signal(signal) => signal.is_delivered().then_some((signal, number)),
            _ => None,
        }));
    }
    Ok(None)
}
