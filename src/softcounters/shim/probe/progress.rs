//! How far a pass is, for who waits for it: which thread runs, and how many branches it has executed, at the beginning
//! of a file beside that of the hits. It is written anew a few times a second, when a thread is resumed.

use std::fs::File;
use std::io::{Seek, Write};
use std::time::{Duration, Instant};

use super::super::state::State;
use super::super::sys;

/// What the name of the file has behind that of the hits.
pub const SUFFIX: &str = ".at";
/// How often it is written.
const PERIOD: Duration = Duration::from_millis(20);

/// Where it is written, and when it was. What cannot be written is not.
#[derive(Debug)]
pub struct Progress {
    file: Option<File>,
    written: Option<Instant>,
}

impl Progress {
    pub fn beside(hits: &str) -> Progress {
        Progress { file: File::create(format!("{hits}{SUFFIX}")).ok(), written: None }
    }

    fn tell(&mut self, thread: u32, ticks: u64) {
        let now = Instant::now();
        let Some(file) = &mut self.file else { return };
        if self.written.is_some_and(|written| now.duration_since(written) < PERIOD) {
            return;
        }
        self.written = Some(now);
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&u64::from(thread).to_le_bytes());
        bytes[8..].copy_from_slice(&ticks.to_le_bytes());
        // `pwrite` is ours, and busy with what is resumed.
        let written = sys::keeping_errno(|| file.rewind().and_then(|()| file.write_all(&bytes)));
        if written.is_err() {
            // So is `close`: it stays open until rr ends.
            std::mem::forget(self.file.take());
        }
    }
}

impl State {
    /// The thread is resumed.
    pub fn tell_progress(&mut self, tid: i32) {
        if self.pass.is_none() {
            return;
        }
        let (thread, ticks) = (self.tracee(tid).number, self.tracee(tid).ticks);
        if let Some(pass) = self.pass.as_mut().filter(|_| thread != 0) {
            pass.progress.tell(thread, ticks);
        }
    }
}
