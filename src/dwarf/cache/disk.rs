//! A cache on disk of what takes long to make of large debug files: their sections decompressed, places from which
//! `.debug_info` can be decompressed on, and the directory of their names. `$XDG_CACHE_HOME/retrograde/debuginfo`, else
//! below `~/.cache`; `RETROGRADE_CACHE=off` turns it off.
//!
//! Entries are keyed by the build-id of the debug file and by what they are made of. Whoever makes one writes it beside
//! the others and renames it, so that several processes may do the same at once. An entry that is not what was written,
//! byte by byte, counts as absent: directories and places carry a checksum of their contents; of sections, which are
//! mapped and too large to be read through each time, the size and the time of modification are compared with those
//! that they were written with. Of entries that exceed the limit together, the least recently used go.

use base::untrusted::FileMap;
use std::ffi::OsString;
use std::fs::{DirBuilder, File, FileTimes, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::ops::{Deref, Range};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
#[cfg(test)]
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// What all entries may take together, in bytes.
const LIMIT: u64 = 4 << 30;

/// Debug info of less than this many bytes is not worth a file.
const LARGE: u64 = 8 << 20;

/// Format and version of entries.
const MAGIC: [u8; 8] = *b"rgdebug1";

/// Magic, two digests of the key, length, time of modification, digest of the contents, digest of all that.
const HEADER: usize = 56;

/// Entries say that they are as much older than they are: nothing written later has the same time, however coarse the
/// file system's clock is.
const STAMP_AGE: u64 = 3600;

/// Files that a process left half-written go after this time.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// Where entries are kept.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    directory: Option<PathBuf>,
    limit: u64,
    /// Debug info of at least so many bytes is kept here, and looked up by its directory of names.
    pub(crate) large: u64,
    /// What decompression, or else reading names, waits for before it is done.
    #[cfg(test)]
    pub(crate) gate: Option<Arc<super::test_pause::Gate>>,
}

/// What an entry is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// File name: the build-id and what it is.
    pub(crate) name: String,
    /// What it was made of.
    pub(crate) source: Vec<u8>,
}

/// The contents of an entry, mapped.
pub(crate) struct Entry {
    map: FileMap,
}

/// What was made, on the disk if it could be kept there.
pub(crate) enum Stored {
    InMemory(Vec<u8>),
    OnDisk(Entry),
}

impl Deref for Stored {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::InMemory(bytes) => bytes,
            Self::OnDisk(entry) => entry,
        }
    }
}

impl Deref for Entry {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.map.get(HEADER..).unwrap_or_default()
    }
}

impl Entry {
    /// Returns whether a part of it could not be read any more, and reads as zeros.
    pub(crate) fn is_damaged(&self) -> bool {
        self.map.is_damaged()
    }

    /// Takes a part of the contents out of memory; it is read again when it is needed.
    pub(crate) fn forget(&self, range: Range<usize>) {
        self.map.forget(range.start.saturating_add(HEADER)..range.end.saturating_add(HEADER));
    }
}

impl Default for Cache {
    /// Creates a cache that keeps nothing.
    fn default() -> Self {
        Self {
            directory: None,
            limit: LIMIT,
            large: LARGE,
            #[cfg(test)]
            gate: None,
        }
    }
}

impl Cache {
    /// Opens the user's cache.
    pub(crate) fn of_user() -> Self {
        // Tests bring their own.
        if cfg!(test) { Self::default() } else { Self::from_environment(|name| std::env::var_os(name)) }
    }

    fn from_environment(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        if variable("RETROGRADE_CACHE").is_some_and(|value| value == "off") {
            return Self::default();
        }
        let absolute = |value: OsString| Some(PathBuf::from(value)).filter(|path| path.is_absolute());
        let base = variable("XDG_CACHE_HOME").and_then(absolute);
        let base = base.or_else(|| Some(variable("HOME").and_then(absolute)?.join(".cache")));
        Self { directory: base.map(|base| base.join("retrograde/debuginfo")), ..Self::default() }
    }

    /// Creates a cache in this directory.
    #[cfg(test)]
    pub(crate) fn at(directory: &Path, limit: u64, large: u64) -> Self {
        Self { directory: Some(directory.to_owned()), limit, large, gate: None }
    }

    /// Creates a cache that keeps nothing; debug info of this size counts as large.
    #[cfg(test)]
    pub(crate) fn off(large: u64) -> Self {
        Self { large, ..Self::default() }
    }

    /// Creates a cache that keeps nothing; all debug info counts as large, and decompressing it, or reading its names,
    /// is not done before a gate opens.
    #[cfg(test)]
    pub(crate) fn off_behind(gate: Arc<super::test_pause::Gate>) -> Self {
        Self { gate: Some(gate), ..Self::off(0) }
    }

    /// Returns whether it keeps anything.
    pub(crate) fn is_on(&self) -> bool {
        self.directory.is_some()
    }

    /// Reads an entry, if there is a sound one; `checked`: its contents are compared with their checksum.
    pub(crate) fn get(&self, key: &Key, checked: bool) -> Option<Entry> {
        let directory = self.directory.as_ref().filter(|directory| is_ours(directory))?;
        let file = File::open(directory.join(&key.name)).ok()?;
        let entry = read(&file, key, checked)?;
        // When it was used last is kept as the time of access, for file systems do not keep that one themselves.
        let _ = file.set_times(FileTimes::new().set_accessed(SystemTime::now()));
        Some(entry)
    }

    /// Begins an entry without a checksum; `None` if there can be none.
    pub(crate) fn create(&self, key: &Key) -> Option<Writer<'_>> {
        self.begin(key, false)
    }

    fn begin(&self, key: &Key, checked: bool) -> Option<Writer<'_>> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let directory = self.directory.as_ref()?;
        DirBuilder::new().recursive(true).mode(0o700).create(directory).ok()?;
        if !is_ours(directory) {
            return None;
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = directory.join(format!(".{}.{}.{number}", key.name, std::process::id()));
        // Nobody else's: what is there by this name was left by a process that had our number.
        let _ = std::fs::remove_file(&path);
        let mut file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path).ok()?;
        let written = file.write_all(&[0; HEADER]);
        let writer =
            Writer { cache: self, key: key.clone(), file, path, checked, digest: Digest::default(), length: 0 };
        written.ok().map(|()| writer)
    }

    /// Keeps contents that are in memory, with a checksum, if it can.
    pub(crate) fn put(&self, key: &Key, contents: &[u8]) -> Option<Entry> {
        let mut writer = self.begin(key, true)?;
        writer.write(contents).ok()?;
        writer.finish()
    }

    /// Keeps contents where it can, in memory if there is no key for them.
    pub(crate) fn keep(&self, key: Option<&Key>, contents: Vec<u8>) -> Stored {
        match key.and_then(|key| self.put(key, &contents)) {
            Some(entry) => Stored::OnDisk(entry),
            None => Stored::InMemory(contents),
        }
    }

    /// Removes what was not used for the longest time, until the rest is within the limit. One entry stays in any case.
    fn evict(&self, fresh: &str) {
        let Some(directory) = &self.directory else { return };
        let Ok(files) = std::fs::read_dir(directory) else { return };
        let now = SystemTime::now();
        let mut entries: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for file in files.flatten() {
            let Ok(metadata) = file.metadata() else { continue };
            let (Ok(used), Ok(written)) = (metadata.accessed(), metadata.modified()) else { continue };
            let name = file.file_name();
            let name = name.to_string_lossy();
            if !metadata.is_file() || name == fresh {
                continue;
            }
            if !name.starts_with('.') {
                entries.push((used, metadata.len(), file.path()));
            } else if now.duration_since(written).is_ok_and(|age| age > ABANDONED) {
                let _ = std::fs::remove_file(file.path());
            }
        }
        let fresh = std::fs::metadata(directory.join(fresh)).map_or(0, |m| m.len());
        let mut total = entries.iter().map(|(_, size, _)| size).sum::<u64>().saturating_add(fresh);
        entries.sort();
        for (_, size, path) in entries {
            if total <= self.limit {
                break;
            }
            // A process that has it mapped keeps it.
            if std::fs::remove_file(path).is_ok() {
                total -= size;
            }
        }
    }
}

/// An entry that is being written.
pub(crate) struct Writer<'c> {
    cache: &'c Cache,
    key: Key,
    file: File,
    path: PathBuf,
    checked: bool,
    digest: Digest,
    length: u64,
}

impl Writer<'_> {
    /// Appends to the contents.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.length += bytes.len() as u64;
        if self.length > self.cache.limit {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        if self.checked {
            self.digest.add(bytes);
        }
        self.file.write_all(bytes)
    }

    /// Makes it an entry. `None` if that cannot be done, for want of room or of permission.
    pub(crate) fn finish(mut self) -> Option<Entry> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let stamp = now.as_secs().saturating_sub(STAMP_AGE);
        let header = header(&self.key, self.length, stamp, self.digest.clone().finish());
        self.file.seek(SeekFrom::Start(0)).ok()?;
        self.file.write_all(&header).ok()?;
        let times = FileTimes::new().set_accessed(SystemTime::now());
        self.file.set_times(times.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(stamp))).ok()?;
        let entry = read(&self.file, &self.key, false)?;
        std::fs::rename(&self.path, self.path.parent()?.join(&self.key.name)).ok()?;
        self.cache.evict(&self.key.name);
        Some(entry)
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        // It is gone already if it was finished.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Returns whether nobody else may write to a directory: what others write is not to be believed.
fn is_ours(directory: &Path) -> bool {
    std::fs::metadata(directory).is_ok_and(|found| found.is_dir() && found.mode() & 0o022 == 0)
}

/// Maps an entry, if it is one for this key and is sound.
fn read(file: &File, key: &Key, checked: bool) -> Option<Entry> {
    let metadata = file.metadata().ok()?;
    if !metadata.is_file() || metadata.len() < HEADER as u64 {
        return None;
    }
    // Entries are never written to once they have their name.
    let map = FileMap::of(file).ok()?;
    let entry = Entry { map };
    let found = entry.map.get(..HEADER)?;
    let stamp = u64::try_from(metadata.mtime()).ok()?;
    let number = |at: usize| Some(u64::from_le_bytes(*found.get(at..)?.first_chunk::<8>()?));
    let digest = number(HEADER - 16)?;
    let is_as_written = metadata.mtime_nsec() == 0 && found == header(key, entry.len() as u64, stamp, digest);
    let contents = || {
        let mut sum = Digest::default();
        sum.add(&entry);
        sum.finish()
    };
    (is_as_written && (!checked || contents() == digest)).then_some(entry)
}

fn header(key: &Key, length: u64, stamp: u64, contents: u64) -> [u8; HEADER] {
    let of = |bytes: &[u8]| {
        let mut digest = Digest::default();
        digest.add(bytes);
        digest.finish()
    };
    let mut header = [0; HEADER];
    let fields = [u64::from_le_bytes(MAGIC), of(key.name.as_bytes()), of(&key.source), length, stamp, contents]
        .map(u64::to_le_bytes);
    let (start, sum) = header.split_at_mut(HEADER - 8);
    start.iter_mut().zip(fields.as_flattened()).for_each(|(to, from)| *to = *from);
    sum.copy_from_slice(&of(start).to_le_bytes());
    header
}

/// A checksum of bytes that come in pieces. Of two inputs of one length that differ in one word only, it always
/// differs.
#[derive(Clone)]
struct Digest {
    state: u64,
    pending: [u8; 8],
    filled: usize,
    length: u64,
}

impl Default for Digest {
    fn default() -> Self {
        Self { state: 0x243f_6a88_85a3_08d3, pending: [0; 8], filled: 0, length: 0 }
    }
}

impl Digest {
    fn add(&mut self, mut bytes: &[u8]) {
        self.length += bytes.len() as u64;
        while self.filled != 0
            && let Some((byte, rest)) = bytes.split_first()
        {
            self.push(*byte);
            bytes = rest;
        }
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.step(u64::from_le_bytes(*word)));
        rest.iter().for_each(|byte| self.push(*byte));
    }

    fn push(&mut self, byte: u8) {
        if let Some(to) = self.pending.get_mut(self.filled) {
            *to = byte;
        }
        self.filled += 1;
        if self.filled == self.pending.len() {
            self.filled = 0;
            self.step(u64::from_le_bytes(self.pending));
        }
    }

    fn step(&mut self, word: u64) {
        self.state = (self.state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    fn finish(mut self) -> u64 {
        let length = self.length;
        while self.filled != 0 {
            self.push(0);
        }
        self.step(length);
        self.state ^ self.state >> 32
    }
}

#[cfg(test)]
mod tests;
