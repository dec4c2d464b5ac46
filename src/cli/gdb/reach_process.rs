//! The way to a process that is not the first.

use crate::cli::interrupt::INTERRUPTED;
use crate::cli::streams::write_err;
use base::cancel::Cancel;
use engine::Engine;
use engine::model::{ReplayOptions, Timeouts};
use rr::Rr;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Starts the replay. To come to its process may take as long as it took to record what was before: that is told on a
/// terminal, and cancelled at Ctrl-C.
pub(super) fn start(rr: &Rr, options: &ReplayOptions, patience: Option<u32>) -> Result<Engine, engine::Error> {
    let mut timeouts = Timeouts::default();
    timeouts.reach = patience.map_or(timeouts.reach, |seconds| Duration::from_secs(seconds.into()));
    let way = Arc::new(Way { pid: options.pid, since: Instant::now(), told: AtomicU64::new(0), is_over: false.into() });
    let told = way.clone();
    let teller = way.pid.is_some().then(|| std::thread::spawn(move || told.tell_on()));
    let started = Engine::start(&rr.with_cancel(&Cancel::on_flag(&INTERRUPTED)), options, timeouts);
    way.end();
    if let Some(teller) = teller {
        teller.thread().unpark();
        // All that it does is print.
        let _ = teller.join();
    }
    way.end_line();
    started
}

/// The way to the process that is to be debugged.
struct Way {
    pid: Option<u32>,
    since: Instant,
    /// The seconds that were told last.
    told: AtomicU64,
    is_over: AtomicBool,
}

impl Way {
    /// Short ones are not worth a word.
    const SHORT: u64 = 1;
    const LOOK: Duration = Duration::from_millis(200);

    /// Tells how long it has taken, until it is over.
    fn tell_on(&self) {
        while !self.is_over.load(Ordering::Relaxed) {
            self.tell();
            std::thread::park_timeout(Self::LOOK);
        }
    }

    fn tell(&self) {
        let Some(pid) = self.pid.filter(|_| io::stderr().is_terminal()) else { return };
        let seconds = self.since.elapsed().as_secs();
        if seconds >= Self::SHORT && self.told.swap(seconds, Ordering::Relaxed) != seconds {
            write_err(&format!("\rReplaying up to process {pid}: {seconds} s (Ctrl-C gives it up) "));
        }
    }

    fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn end_line(&self) {
        if self.told.load(Ordering::Relaxed) > 0 {
            eprintln!();
        }
    }
}
