//! Putting the object where the dynamic linker can load it and nobody else can change it.

use std::ffi::{CString, OsString};
use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// Returns the directories to try, best first. `variable` looks up an environment variable.
pub(super) fn candidates(variable: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    const BELOW_CACHE: &str = "retrograde/soft-counters";
    let absolute = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let temporary = absolute("TMPDIR").unwrap_or_else(|| PathBuf::from("/tmp"));
    absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .map(|cache| cache.join(BELOW_CACHE))
        .into_iter()
        .chain([temporary.join(format!("retrograde-soft-counters-{}", user()))])
        .collect()
}

/// Writes `object` into the first suitable directory, unless it is there already.
pub(super) fn install(object: &[u8], directories: &[PathBuf]) -> io::Result<PathBuf> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "no directory to install soft counters in");
    for directory in directories {
        match install_in(object, directory) {
            Ok(path) => return Ok(path),
            Err(error) => last = io::Error::new(error.kind(), format!("{}: {error}", directory.display())),
        }
    }
    Err(last)
}

fn install_in(object: &[u8], directory: &Path) -> io::Result<PathBuf> {
    check_path(directory)?;
    make_private(directory)?;
    check_mount(directory)?;
    remove_stale(directory, SystemTime::now());
    let path = directory.join(format!("{:016x}.so", fingerprint(object)));
    if holds(&path, object)? {
        return Ok(path);
    }
    replace(&path, object)?;
    Ok(path)
}

/// Refuses a path that cannot be preloaded: the dynamic linker splits its list at colons and spaces, and expands `$`
/// words.
fn check_path(directory: &Path) -> io::Result<()> {
    match directory.as_os_str().as_bytes().iter().find(|byte| matches!(byte, b':' | b' ' | b'$')) {
        Some(&byte) => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("a path with `{}` in it cannot stand in LD_PRELOAD", char::from(byte)),
        )),
        None => Ok(()),
    }
}

/// Files that are being written are renamed in a moment: older ones are of processes that were killed meanwhile.
const STALE: Duration = Duration::from_secs(3600);

/// Removes files that nobody goes on writing. What cannot be removed stays: it costs nothing but space.
fn remove_stale(directory: &Path, now: SystemTime) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten().filter(|entry| entry.path().extension().is_some_and(|e| e == "tmp")) {
        let written = entry.metadata().and_then(|metadata| metadata.modified());
        if written.is_ok_and(|written| now.duration_since(written).is_ok_and(|age| age > STALE)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Creates the directory if need be, and makes sure that only this user can enter it.
fn make_private(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    // Not following a link: whoever made one could redirect it later.
    let metadata = fs::symlink_metadata(directory)?;
    if !metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, "not a directory"));
    }
    if metadata.uid() != user() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "belongs to another user"));
    }
    if metadata.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(directory, Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Objects cannot be loaded from a file system mounted without permission to execute.
fn check_mount(directory: &Path) -> io::Result<()> {
    let path = CString::new(directory.as_os_str().as_bytes())?;
    // SAFETY: an all-zero statvfs is valid, and the call fills it.
    let flags = unsafe {
        let mut status: libc::statvfs = std::mem::zeroed();
        if libc::statvfs(path.as_ptr(), &raw mut status) != 0 {
            return Err(io::Error::last_os_error());
        }
        status.f_flag
    };
    if flags & libc::ST_NOEXEC != 0 {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "mounted noexec"));
    }
    Ok(())
}

/// Returns whether the file has exactly this content. Anything but a plain file of ours counts as different.
fn holds(path: &Path, object: &[u8]) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() && metadata.uid() == user() && metadata.len() == object.len() as u64 => {
            Ok(fs::read(path)? == object)
        }
        Ok(_) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Writes a new file beside `path` and renames it, so that nobody ever loads half an object.
fn replace(path: &Path, object: &[u8]) -> io::Result<()> {
    static SERIAL: AtomicU32 = AtomicU32::new(0);
    let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
    let temporary = path.with_extension(format!("{}-{serial}.tmp", std::process::id()));
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o500)
        .open(&temporary)
        .and_then(|mut file| file.write_all(object))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The first error is the one worth reporting.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Computes FNV-1a, 64 bits. It names files only: their content is compared before use.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn user() -> u32 {
    // SAFETY: always succeeds, touches no memory.
    unsafe { libc::geteuid() }
}
