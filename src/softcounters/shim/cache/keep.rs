//! The file of the store: beside the object itself, in the directory it was installed to.
//!
//! The object's name depends on its content, so each version has a file of its own. Several tracers may have it open:
//! each adds to what is there and replaces the file as a whole; what one of them loses that way it learns again.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::store::Store;
use crate::log::log;
use crate::memory;

/// Larger files are not ours, or of no use any more.
const MOST_BYTES: u64 = 8 << 20;

/// Returns the file for the object at `object`; none if others could write where it is, or if it is not an installed
/// one.
pub fn file_for(object: &Path) -> Option<PathBuf> {
    const GROUP_AND_OTHERS: u32 = 0o077;
    let directory = object.parent()?;
    let metadata = fs::symlink_metadata(directory).ok()?;
    let is_private = metadata.is_dir()
        && metadata.uid() == memory::effective_user()
        && metadata.permissions().mode() & GROUP_AND_OTHERS == 0;
    is_private.then(|| object.with_extension("hot"))
}

/// Adds what the file says to `store`.
pub fn load(store: &mut Store, path: &Path) {
    let Ok(file) = OpenOptions::new().read(true).custom_flags(O_NOFOLLOW).open(path) else { return };
    let mut bytes = Vec::new();
    match file.take(MOST_BYTES + 1).read_to_end(&mut bytes) {
        Ok(length) if length as u64 <= MOST_BYTES => store.merge(&bytes),
        _ => {}
    }
}

/// Writes what `store` has learned. Failure costs time in later runs and nothing else.
pub fn save(store: &mut Store, path: &Path) {
    if !store.is_renewed {
        load(store, path);
    }
    let bytes = store.encode();
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&temporary)
        .and_then(|mut file| file.write_all(&bytes))
        .and_then(|()| fs::rename(&temporary, path));
    if let Err(error) = written {
        log!(1, "{}: {error}", temporary.display());
        // The first error is the one worth knowing.
        let _ = fs::remove_file(&temporary);
    }
}

const O_NOFOLLOW: i32 = 0o400000;
