//! Showing what a replayed program prints, in one order with what we print ourselves.

use super::process::is_readable;
use base::untrusted::{Passing, TerminalFilter};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::process::ChildStdout;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long the thread that waits for output waits at a time.
const WATCH: Duration = Duration::from_secs(3600);

/// Where replays print what their programs have printed. Clones are the same place.
#[derive(Clone, Debug, Default)]
pub struct Echo(Option<Arc<Mutex<Streams>>>);

/// The pipes of the replays that run, and what passes from them to our stdout.
#[derive(Debug, Default)]
struct Streams {
    passing: Passing,
    open: Vec<(u64, ChildStdout, TerminalFilter)>,
    next: u64,
    /// A program may have left colours behind.
    is_styled: bool,
}

impl Echo {
    /// Creates a place that is our own stdout: rr prints there itself.
    pub fn direct() -> Self {
        Self(None)
    }

    /// Creates a place from which only text passes to our stdout, which is a terminal.
    pub fn filtered() -> Self {
        Self(Some(Arc::default()))
    }

    /// Returns whether output passes through a filter.
    pub(super) fn is_filtered(&self) -> bool {
        self.0.is_some()
    }

    /// Sets what passes the filter from now on.
    pub fn set(&self, passing: Passing) {
        if let Some(mut streams) = self.locked() {
            streams.passing = passing;
            streams.open.iter_mut().for_each(|(_, _, filter)| filter.set(passing));
        }
    }

    /// Prints all that has been printed by now. rr prints before it tells of a stop, so that whoever has heard of the
    /// stop has then printed all that comes before it.
    pub fn flush(&self) {
        let Some(mut streams) = self.locked() else { return };
        let numbers: Vec<u64> = streams.open.iter().map(|(number, ..)| *number).collect();
        for number in numbers {
            while streams.pass_on(number, Duration::ZERO) {}
        }
        if std::mem::take(&mut streams.is_styled) {
            print(b"\x1b[m");
        }
    }

    fn locked(&self) -> Option<MutexGuard<'_, Streams>> {
        self.0.as_ref().map(|streams| streams.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Shows what comes through a pipe, until its end.
    pub(super) fn show(&self, pipe: ChildStdout) -> io::Result<()> {
        let Some(streams) = self.0.clone() else { return Ok(()) };
        let watched: OwnedFd = pipe.as_fd().try_clone_to_owned()?;
        let number = {
            let mut streams = streams.lock().unwrap_or_else(PoisonError::into_inner);
            streams.next += 1;
            let (number, filter) = (streams.next, TerminalFilter::new(streams.passing));
            streams.open.push((number, pipe, filter));
            number
        };
        let watch = move || loop {
            is_readable(&watched, WATCH);
            let mut streams = streams.lock().unwrap_or_else(PoisonError::into_inner);
            streams.pass_on(number, Duration::ZERO);
            if streams.open.iter().all(|(open, ..)| *open != number) {
                return;
            }
        };
        thread::Builder::new().name("rr-echo".into()).spawn(watch).map(drop)
    }
}

impl Streams {
    /// Reads once from a pipe, if there is something to read, and prints what passes. False if there was nothing.
    fn pass_on(&mut self, number: u64, patience: Duration) -> bool {
        let Some(at) = self.open.iter().position(|(open, ..)| *open == number) else { return false };
        let Some((_, pipe, filter)) = self.open.get_mut(at) else { return false };
        if !is_readable(&*pipe, patience) {
            return false;
        }
        let mut buffer = [0; 16 << 10];
        match pipe.read(&mut buffer) {
            Ok(count @ 1..) => {
                print(&filter.filter(buffer.get(..count).unwrap_or_default()));
                self.is_styled |= self.passing == Passing::Styles;
                true
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => true,
            Ok(_) | Err(_) => {
                self.open.remove(at);
                false
            }
        }
    }
}

fn print(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    // If nobody reads it, nobody misses it.
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}
