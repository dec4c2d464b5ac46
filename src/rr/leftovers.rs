//! Removal of files that a killed rr left in the directory for temporary files.
//!
//! For memory that rr shares with a recorded process, rr creates a file `rr-shared-NAME-PID-NUMBER` exclusively and
//! removes it at once (`Session::create_shared_mmap`, rr 5.0 to 5.10). An rr that is killed between the two leaves the
//! file, and the recording or replay whose process gets that number next ends with `EEXIST`.

use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How the name of such a file begins (`Session::rr_mapping_prefix`).
const BEGINNING: &[u8] = b"rr-shared-";
/// The age at which no running rr can still be between creation and removal.
const AGE: Duration = Duration::from_secs(60);
/// How many entries of the directory are read.
const MOST_ENTRIES: usize = 100_000;

/// Removes files that rr processes left behind. A file that cannot be removed stays: it matters to one process number.
pub(super) fn remove() {
    remove_from(&temporary_directory(|name| std::env::var_os(name).map(PathBuf::from)), SystemTime::now());
}

/// Returns rr's directory for temporary files (`tmp_dir` of rr).
fn temporary_directory(variable: impl Fn(&str) -> Option<PathBuf>) -> PathBuf {
    variable("RR_TMPDIR").or_else(|| variable("TMPDIR")).unwrap_or_else(|| "/tmp".into())
}

fn remove_from(directory: &Path, now: SystemTime) {
    for entry in fs::read_dir(directory).into_iter().flatten().take(MOST_ENTRIES).flatten() {
        if is_of_rr(&entry.file_name()) && is_old(&entry, now) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns whether this is a name that rr gives: after the beginning, something and two numbers.
fn is_of_rr(name: &OsStr) -> bool {
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let Some(rest) = name.as_bytes().strip_prefix(BEGINNING) else { return false };
    let mut parts = rest.rsplitn(3, |byte| *byte == b'-');
    let numbers = parts.by_ref().take(2).filter(|part| is_number(part)).count();
    numbers == 2 && parts.next().is_some_and(|name| !name.is_empty())
}

fn is_old(entry: &DirEntry, now: SystemTime) -> bool {
    // This is the file itself, not that which a symbolic link leads to.
    let Ok(metadata) = entry.metadata() else { return false };
    let age = metadata.modified().ok().and_then(|modified| now.duration_since(modified).ok());
    metadata.is_file() && age.is_some_and(|age| age >= AGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_files_of_rr_alone_are_removed() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let left = "rr-shared-preload_thread_locals-14756-0";
        let others = ["rr-shared-notes", "rr-shared-a-1-x", "rr-shared--1-2", "rr-shared-1-2", "mine-1-2"];
        for name in others.iter().chain([&left]) {
            fs::write(at(name), "").unwrap();
        }
        std::os::unix::fs::symlink(at("mine-1-2"), at("rr-shared-link-1-2")).unwrap();
        let now = SystemTime::now();
        remove_from(directory.path(), now);
        assert!(at(left).exists(), "it may be that of a running rr");
        remove_from(directory.path(), now + AGE + AGE);
        assert!(!at(left).exists());
        assert!(others.iter().chain([&"rr-shared-link-1-2"]).all(|name| at(name).exists()));
    }

    #[test]
    fn the_directory_is_that_of_rr() {
        let of = |set: &'static [(&str, &str)]| {
            temporary_directory(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into()))
        };
        assert_eq!(of(&[]), Path::new("/tmp"));
        assert_eq!(of(&[("TMPDIR", "/a")]), Path::new("/a"));
        assert_eq!(of(&[("TMPDIR", "/a"), ("RR_TMPDIR", "/b")]), Path::new("/b"));
    }
}
