//! How long a recording may go on, and how it is brought to an end.

use super::deadlock::Watch;
use super::process::Group;
use super::recordings::size;
use base::cancel::Cancel;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// How long the programs may take to obey SIGINT.
const INTERRUPTED: Duration = Duration::from_secs(3);
/// How long rr may take to end the program and finish the trace after it got SIGTERM. rr itself gives a program five
/// seconds to obey SIGTERM, then sends SIGKILL; a single-stepped one needs longer to die.
const GRACE: Duration = Duration::from_secs(20);
/// How often it is looked how large the trace is.
const WEIGHING: Duration = Duration::from_millis(100);
/// How often it is looked whether every thread waits for another one.
const LOOKING: Duration = Duration::from_millis(500);
/// No time limit at all still needs a deadline.
const FOREVER: Duration = Duration::from_secs(100 * 365 * 86400);

/// Why a recording ended before its program did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutShort {
    /// Its time was up.
    Time,
    /// The trace has grown to the size that it may have.
    Size,
    /// It was [cancelled](super::Rr::with_cancel).
    Cancelled,
    /// Each thread of it waited for another one, without a time limit.
    Deadlock,
    /// rr itself gave up.
    GivenUp,
}

impl fmt::Display for CutShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "its time limit has passed",
            Self::Size => "the recording is as large as it may be",
            Self::Cancelled => "cancelled",
            Self::Deadlock => "each thread waits for another one, without a time limit",
            Self::GivenUp => "rr gave up",
        })
    }
}

/// How long a recording goes on if its program does not end.
pub(super) struct Bounds<'a> {
    pub(super) deadline: Instant,
    /// Bytes in the files of the trace.
    pub(super) most: Option<u64>,
    pub(super) trace: &'a Path,
    pub(super) cancel: &'a Cancel,
}

impl<'a> Bounds<'a> {
    /// Creates the limits for a recording that begins now.
    pub(super) fn new(timeout: Option<Duration>, most: Option<u64>, trace: &'a Path, cancel: &'a Cancel) -> Self {
        let deadline = Instant::now() + timeout.unwrap_or(FOREVER).min(FOREVER);
        Self { deadline, most, trace, cancel }
    }

    /// Waits for the end of an `rr record`; brings it about when it has gone too far.
    pub(super) fn keep(&self, rr: &Group) -> io::Result<(ExitStatus, Option<CutShort>)> {
        let mut watch = Watch::over(rr.pid());
        let mut looked = Instant::now();
        loop {
            let pause = if self.most.is_some() { WEIGHING } else { LOOKING };
            let until = self.deadline.min(Instant::now() + pause);
            if let Some(status) = rr.wait_unless(until, self.cancel)? {
                return Ok((status, None));
            }
            if let Some(cut) = self.crossed() {
                return Ok((end(rr, cut)?, Some(cut)));
            }
            if looked.elapsed() >= LOOKING {
                looked = Instant::now();
                if watch.look().is_some() {
                    return Ok((end(rr, CutShort::Deadlock)?, Some(CutShort::Deadlock)));
                }
            }
        }
    }

    fn crossed(&self) -> Option<CutShort> {
        if self.cancel.is_cancelled() {
            return Some(CutShort::Cancelled);
        }
        if Instant::now() >= self.deadline {
            return Some(CutShort::Time);
        }
        self.most.filter(|most| size(self.trace) >= *most).map(|_| CutShort::Size)
    }
}

/// Ends the recorded programs as gently as they let themselves be ended, so that rr finishes the trace: by SIGINT as
/// from a terminal, by SIGTERM, by SIGKILL. The last two are sent by rr, to the first program and then to all that are
/// left; only if rr itself does nothing any more is it killed, and the trace lost. What nobody waits for has no time
/// for SIGINT.
fn end(rr: &Group, cut: CutShort) -> io::Result<ExitStatus> {
    // An rr that is just starting has not said yet that it does not mind.
    if cut != CutShort::Cancelled && rr.ignores_interrupts() {
        rr.interrupt_group();
        if let Some(status) = rr.wait(Instant::now() + INTERRUPTED)? {
            return Ok(status);
        }
    }
    rr.terminate();
    if let Some(status) = rr.wait(Instant::now() + GRACE)? {
        return Ok(status);
    }
    rr.kill();
    rr.poll()?.ok_or_else(|| io::Error::other("it could not be killed"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::start_heard;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    /// A stand-in for rr, which ignores SIGINT, and its program, which says when it is ready.
    fn started(program: &str) -> Group {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("trap '' INT; {program}")]);
        let (group, stdout, _stderr) = start_heard(command, 100, 100).unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        assert_eq!(stdout.wait(deadline, |heard| (heard.tail.text() == "up\n").then_some(())), Some(()));
        group
    }

    fn kept(group: &Group, timeout: Option<Duration>, most: Option<u64>, cancel: &Cancel) -> (i32, Option<CutShort>) {
        let trace = tempfile::tempdir().unwrap();
        std::fs::write(trace.path().join("data"), "12345").unwrap();
        let (status, cut) = Bounds::new(timeout, most, trace.path(), cancel).keep(group).unwrap();
        (status.signal().unwrap_or_default(), cut)
    }

    #[test]
    fn what_ends_by_itself_is_let() {
        let group = started("echo up; exit 0");
        assert_eq!(kept(&group, None, Some(6), &Cancel::default()), (0, None));
    }

    #[test]
    fn a_recording_ends_for_time_for_size_or_when_it_is_cancelled() {
        let any = Cancel::default();
        let cut = |timeout, most, cancel: &Cancel| kept(&started("echo up; exec sleep 1000"), timeout, most, cancel);
        // SIGINT is ignored, so that it is the signal after it that ends them.
        assert_eq!(cut(Some(Duration::ZERO), None, &any), (libc::SIGTERM, Some(CutShort::Time)));
        assert_eq!(cut(None, Some(5), &any), (libc::SIGTERM, Some(CutShort::Size)));
        let cancelled = Cancel::default();
        cancelled.cancel();
        assert_eq!(cut(None, None, &cancelled), (libc::SIGTERM, Some(CutShort::Cancelled)));
    }
}
