//! Waiting for other processes that do the same.

use super::error::Error;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;

/// An exclusive lock on a file among all processes (`flock(2)`). It ends when it is dropped, or with the process.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Waits until nobody else has it. The file is made if need be, and stays.
    pub fn take(path: &Path) -> Result<Self, Error> {
        let locked = File::options().create(true).truncate(false).write(true).open(path).and_then(lock);
        locked.map(|file| Self { _file: file }).map_err(Error::io(format!("lock `{}`", path.display())))
    }
}

fn lock(file: File) -> io::Result<File> {
    loop {
        // SAFETY: a plain system call on a descriptor that is open.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX) } == 0 {
            return Ok(file);
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
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let _lock = Lock::take(&path).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        rounds.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(rounds.load(Ordering::SeqCst), 200);
    }
}
