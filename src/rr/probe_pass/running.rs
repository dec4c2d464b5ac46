//! Reading what a pass finds while it is still under way.

use softcounters::probes::Source;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How long is waited for more, before it is looked again.
const PAUSE: Duration = Duration::from_millis(1);

/// Whether a pass is over.
#[derive(Debug, Default)]
pub(super) struct Running {
    is_over: Mutex<bool>,
    changed: Condvar,
}

/// Says that it is, when it is dropped.
pub(super) struct Over<'a>(pub(super) &'a Running);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        *self.0.is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.changed.notify_all();
    }
}

impl Running {
    fn is_over(&self) -> bool {
        *self.is_over.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits a moment, unless it is over.
    fn pause(&self) {
        let is_over = self.is_over.lock().unwrap_or_else(PoisonError::into_inner);
        if !*is_over {
            drop(self.changed.wait_timeout(is_over, PAUSE));
        }
    }
}

/// Reads a file from its beginning, whoever else reads it. While it is written, waits for more where it ends.
pub(super) struct Reading<'a> {
    pub(super) file: &'a File,
    pub(super) at: u64,
    pub(super) running: Option<&'a Running>,
}

impl Read for Reading<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            // What is written before that is known is there.
            let is_all = self.running.is_none_or(Running::is_over);
            let read = self.file.read_at(into, self.at)?;
            self.at += read as u64;
            match self.running {
                Some(running) if read == 0 && !is_all => running.pause(),
                _ => return Ok(read),
            }
        }
    }
}

impl Source for Reading<'_> {
    fn skip(&mut self, bytes: u32) -> io::Result<()> {
        self.at = self.at.saturating_add(u64::from(bytes));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn what_is_written_meanwhile_is_read_up_to_the_end() {
        let path = std::env::temp_dir().join(format!("retrograde-running-{}", std::process::id()));
        let mut written = File::create(&path).unwrap();
        let file = File::open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let running = Running::default();
        let read = std::thread::scope(|scope| {
            scope.spawn(|| {
                let _over = Over(&running);
                (0..1000u32).for_each(|number| written.write_all(&number.to_le_bytes()).unwrap());
            });
            let mut all = Vec::new();
            Reading { file: &file, at: 0, running: Some(&running) }.read_to_end(&mut all).unwrap();
            all
        });
        assert_eq!(read, (0..1000u32).flat_map(u32::to_le_bytes).collect::<Vec<_>>());
        let mut rest = Reading { file: &file, at: 0, running: None };
        rest.skip(3996).unwrap();
        let mut last = Vec::new();
        rest.read_to_end(&mut last).unwrap();
        assert_eq!(last, 999u32.to_le_bytes());
    }
}
