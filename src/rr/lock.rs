//! Waiting for other processes that do the same.

use super::error::Error;
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// A file beside the recordings. rr numbers recordings by trying to make directories; we choose the name before rr
/// makes the directory, and who has this lock may do so.
const NAMES: &str = ".retrograde-lock";
/// How long to wait for that lock: whoever has it starts an rr, which takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often to try.
const GLANCE: Duration = Duration::from_millis(5);

/// An exclusive lock on a file among all processes (`flock(2)`). It ends when it is dropped, or with the process.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Drop for Lock {
    /// Gives the lock back by word, not only by closing the file: a child that another thread has just made has the
    /// descriptor too until it executes its program, and would keep the lock for so long.
    fn drop(&mut self) {
        // What fails here is closed all the same.
        let _ = lock(&self.file, libc::LOCK_UN);
    }
}

impl Lock {
    /// Waits until nobody else has it. The file is made if need be, and stays.
    pub fn take(path: &Path) -> Result<Self, Error> {
        let locked = open(path).and_then(|file| lock(&file, libc::LOCK_EX).map(|()| file));
        locked.map(|file| Self { file }).map_err(Error::io(format!("lock `{}`", path.in_text())))
    }

    /// Takes the lock on the names of the recordings in `base`. `None`: somebody has had it for so long that it is
    /// better to go on without, or it is cancelled.
    pub(super) fn of_names(base: &Path, cancel: &Cancel) -> Result<Option<Self>, Error> {
        Self::take_within(&base.join(NAMES), PATIENCE, cancel)
    }

    fn take_within(path: &Path, patience: Duration, cancel: &Cancel) -> Result<Option<Self>, Error> {
        let failed = || Error::io(format!("lock `{}`", path.in_text()));
        let file = open(path).map_err(failed())?;
        let deadline = Instant::now() + patience;
        loop {
            match lock(&file, libc::LOCK_EX | libc::LOCK_NB) {
                Ok(()) => return Ok(Some(Self { file })),
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(failed()(error)),
                Err(_) if Instant::now() >= deadline || cancel.is_cancelled() => return Ok(None),
                Err(_) => thread::sleep(GLANCE),
            }
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    File::options().create(true).truncate(false).write(true).open(path)
}

fn lock(file: &File, how: libc::c_int) -> io::Result<()> {
    loop {
        // SAFETY: a plain system call on a descriptor that is open.
        if unsafe { libc::flock(file.as_raw_fd(), how) } == 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn only_one_has_it_at_a_time() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lock");
        let (inside, rounds) = (AtomicU32::new(0), AtomicU32::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let _lock = Lock::take(&path).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        rounds.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(rounds.load(Ordering::SeqCst), 200);
    }

    #[test]
    fn a_copy_of_the_descriptor_does_not_keep_the_lock() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lock");
        let held = Lock::take(&path).unwrap();
        let copy = held.file.try_clone().unwrap();
        drop(held);
        assert!(Lock::take_within(&path, Duration::ZERO, &Cancel::default()).unwrap().is_some());
        drop(copy);
    }

    #[test]
    fn names_are_not_waited_for_without_end() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lock");
        let held = Lock::take(&path).unwrap();
        let take = |patience, cancel: &Cancel| Lock::take_within(&path, patience, cancel).unwrap();
        assert!(take(Duration::from_millis(20), &Cancel::default()).is_none());
        let cancelled = Cancel::default();
        cancelled.cancel();
        assert!(take(Duration::from_secs(1000), &cancelled).is_none());
        drop(held);
        assert!(take(Duration::ZERO, &Cancel::default()).is_some());
    }
}
