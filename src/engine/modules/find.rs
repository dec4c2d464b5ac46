//! Finding the file that a module was loaded from: the trace's own copy, or the file on disk if it has not changed.
//!
//! A binary that was rebuilt since the recording would give wrong lines and wrong variables without any sign of it,
//! so no file is used before its bytes have been compared with what the process has in memory.

use crate::target::process::Process;
use arch::Bias;
use base::untrusted::PathText as _;
use base::untrusted::open_regular;
use dwarf::{DebugPaths, Image, Segment, Work};
use program::base_name::base_name;
use program::debuginfod::{DebugSettings, Fetch, Fetcher};
use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is compared first: headers, and in practice the build-id note.
const HEAD: usize = 4096;
/// How much of a file without a build-id is compared at most.
const COMPARED: u64 = 64 << 20;
/// rr replaces a `syscall` instruction, and the whole instructions after it that its jump needs room for; software
/// counters replace conditional jumps. No replaced stretch starts further than this before a changed byte.
const PATCH: usize = 24;

/// Where a module's file may be, and the files opened so far.
pub(crate) struct ImageFiles {
    trace: Option<PathBuf>,
    /// File names in the trace directory that are copies of mapped files.
    copies: Vec<String>,
    debug: DebugPaths,
    open: BTreeMap<PathBuf, Opened>,
    work: Work,
    /// Servers for debug info that is found nowhere here.
    fetcher: Option<Fetcher>,
    /// Images that others have replaced: types of theirs may be in use as long as the session lives.
    replaced: Vec<Arc<Image>>,
}

struct Opened {
    image: Option<Arc<Image>>,
    known_as: PathBuf,
}

impl ImageFiles {
    /// Creates a search. `trace` is the trace directory, if there is one.
    pub(crate) fn new(trace: Option<&Path>, debug: DebugSettings) -> Self {
        let entries = trace.map(std::fs::read_dir).into_iter().flatten().flatten().flatten();
        let mut copies: Vec<String> = entries
            .filter_map(|e| e.file_name().into_string().ok())
            .filter(|name| original_name(name).is_some())
            .collect();
        copies.sort();
        let DebugSettings { paths: debug, servers } = debug;
        let fetcher = servers.map(|servers| Fetcher::new(servers, debug.clone()));
        let (open, work, replaced) = (BTreeMap::new(), Work::default(), Vec::new());
        Self { trace: trace.map(Path::to_owned), copies, debug, open, work, fetcher, replaced }
    }

    /// Returns the long work on these images.
    pub(crate) fn work(&self) -> &Work {
        &self.work
    }

    /// Returns a path's file name, without the decoration of rr's copies.
    pub(crate) fn display_name(&self, path: &Path) -> String {
        let name = path.to_string_lossy();
        let name = base_name(&name);
        original_name(name).unwrap_or(name).to_owned()
    }

    /// Finds the image of the module that was loaded from `path`, and where it is. `known_as` is the path that the
    /// program knew it by, if that is another one; `locate` tells the bias for a candidate. The error says what was
    /// tried.
    pub(crate) fn find(
        &mut self,
        path: &Path,
        known_as: &Path,
        process: &mut Process,
        locate: &dyn Fn(&Image) -> Option<Bias>,
    ) -> Result<(Arc<Image>, Bias), String> {
        let mut refused = Vec::new();
        for candidate in self.candidates(path) {
            let Some(image) = self.open(&candidate, known_as) else { continue };
            let Some(bias) = locate(&image) else { continue };
            match same_as_memory(&image, bias, process) {
                Ok(()) => {
                    if let (Some(fetcher), Some(id), true) = (&self.fetcher, image.build_id(), image.lacks_debug_info())
                    {
                        fetcher.want(id);
                    }
                    return Ok((image, bias));
                }
                Err(reason) => refused.push(format!("{} {reason}", candidate.in_text())),
            }
        }
        Err(match refused.is_empty() {
            true if self.trace.is_none() => format!("{} cannot be read", path.in_text()),
            true => format!("{} cannot be read, and the trace has no copy of it", path.in_text()),
            false => refused.join("; "),
        })
    }

    fn candidates(&self, path: &Path) -> Vec<PathBuf> {
        let mut names = vec![self.display_name(path)];
        // The trace names a copy after the file that was mapped, which the loader may have known by a link.
        if let Ok(real) = path.canonicalize() {
            names.push(self.display_name(&real));
        }
        let copies = self.copies.iter().filter(|c| original_name(c).is_some_and(|o| names.iter().any(|n| n == o)));
        let mut found: Vec<PathBuf> =
            self.trace.iter().flat_map(|trace| copies.clone().map(|c| trace.join(c))).collect();
        if self.trace.as_ref().is_some_and(|trace| path.starts_with(trace)) {
            found.insert(0, path.to_owned());
        } else {
            found.push(path.to_owned());
        }
        found.dedup();
        found
    }

    fn open(&mut self, path: &Path, known_as: &Path) -> Option<Arc<Image>> {
        let (debug, work) = (&self.debug, &self.work);
        let open =
            || Opened { image: Image::open_copy(path, known_as, debug, work).ok(), known_as: known_as.to_owned() };
        self.open.entry(path.to_owned()).or_insert_with(open).image.clone()
    }

    /// Replaces the images whose debug info has arrived since this was asked last, and returns them with what replaces
    /// them.
    pub(crate) fn renewed(&mut self) -> Vec<(Arc<Image>, Arc<Image>)> {
        let arrived = self.fetcher.as_ref().map(Fetcher::arrived).unwrap_or_default();
        let mut renewed = Vec::new();
        if arrived.is_empty() {
            return renewed;
        }
        for (path, opened) in &mut self.open {
            let Some(old) = opened.image.clone() else { continue };
            if !old.build_id().is_some_and(|id| arrived.contains(id)) {
                continue;
            }
            let Ok(new) = Image::open_copy(path, &opened.known_as, &self.debug, &self.work) else { continue };
            if new.has_debug_info() {
                opened.image = Some(new.clone());
                self.replaced.push(old.clone());
                renewed.push((old, new));
            }
        }
        renewed
    }

    /// Returns what became of the debug info of an image that servers were asked for.
    pub(crate) fn fetch_of(&self, image: &Image) -> Option<Fetch> {
        self.fetcher.as_ref()?.state(image.build_id()?)
    }
}

/// Returns whether a path is that of rr's copy of a file.
pub(super) fn is_copy(path: &str) -> bool {
    original_name(base_name(path)).is_some()
}

/// Returns the name of the file that rr has copied: `libc.so.6` for `mmap_hardlink_27_libc.so.6`.
fn original_name(copy: &str) -> Option<&str> {
    let rest = copy.strip_prefix("mmap_")?;
    let (_, rest) = rest.split_once('_')?;
    let (number, name) = rest.split_once('_')?;
    (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && !name.is_empty()).then_some(name)
}

/// Returns whether a file is loaded at `bias`, as it has been before. `left`: how much of files without a build-id is
/// compared still.
pub(crate) fn is_still_in_memory(image: &Image, bias: Bias, process: &mut Process, left: &mut u64) -> bool {
    compare_with_memory(image, bias, process, left).is_ok()
}

/// Fails, saying why, unless what is loaded at `bias` came from this file.
fn same_as_memory(image: &Image, bias: Bias, process: &mut Process) -> Result<(), &'static str> {
    compare_with_memory(image, bias, process, &mut { COMPARED })
}

fn compare_with_memory(image: &Image, bias: Bias, process: &mut Process, left: &mut u64) -> Result<(), &'static str> {
    const CHANGED: &str = "has changed since the recording";
    let Some(first) = image.segments().iter().find(|s| s.file_offset == 0) else {
        return compare_segments(image, bias, process, left).then_some(()).ok_or(CHANGED);
    };
    let len = HEAD.min(usize::try_from(first.file_size).unwrap_or(HEAD));
    let memory = process.read_up_to(first.address.at(bias).0, len);
    let Some(file) = image.file_bytes(first.address, len) else {
        return Err("is shorter than its headers say");
    };
    if memory.len() < len {
        return Err("is not loaded where it should be");
    }
    match image.build_id() {
        Some(id) if contains(file, id) => contains(&memory, id).then_some(()).ok_or(CHANGED),
        _ => compare_segments(image, bias, process, left).then_some(()).ok_or(CHANGED),
    }
}

/// Returns whether two paths have the same program: the same file, or files of the same size that begin and end alike.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    const PART: u64 = 64 << 10;
    let parts = |path: &Path| {
        let mut file = open_regular(path).ok()?;
        let size = file.metadata().ok()?.len();
        let (mut start, mut end) = (Vec::new(), Vec::new());
        (&file).take(PART).read_to_end(&mut start).ok()?;
        file.seek(SeekFrom::Start(size.saturating_sub(PART))).ok()?;
        (&file).take(PART).read_to_end(&mut end).ok()?;
        Some((size, start, end))
    };
    one == other || parts(one).is_some_and(|found| parts(other) == Some(found))
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    !needle.is_empty() && memchr::memmem::find(haystack, needle).is_some()
}

/// Compares all that the program cannot have written to.
fn compare_segments(image: &Image, bias: Bias, process: &mut Process, left: &mut u64) -> bool {
    image.segments().iter().filter(|s| !s.writable).all(|segment: &Segment| {
        let len = segment.file_size.min(*left);
        *left -= len;
        let Ok(len) = usize::try_from(len) else { return false };
        let Some(file) = image.file_bytes(segment.address, len) else {
            return false;
        };
        let memory = process.read_up_to(segment.address.at(bias).0, len);
        memory.len() == len && (0..len).all(|i| memory[i] == file[i] || (segment.executable && may_be_patched(file, i)))
    })
}

/// Returns whether rr may have written over the byte at `i`: shortly after the start of a `syscall` (`0f 05`),
/// `sysenter` (`0f 34`), `rdtsc` (`0f 31`) or near conditional jump (`0f 8x`).
fn may_be_patched(text: &[u8], i: usize) -> bool {
    let start = i.saturating_sub(PATCH);
    let end = (i + 2).min(text.len());
    text.get(start..end).is_some_and(|w| {
        w.windows(2).any(|p| p[0] == 0x0f && (matches!(p[1], 0x05 | 0x31 | 0x34) || p[1] & 0xf0 == 0x80))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_copies() {
        assert_eq!(original_name("mmap_hardlink_27_libc.so.6"), Some("libc.so.6"));
        assert_eq!(original_name("mmap_copy_5_a_b"), Some("a_b"));
        assert!(is_copy("/traces/a-0/mmap_copy_5_a") && !is_copy("/bin/mmap_a"));
        assert_eq!(original_name("mmap_pack_5_a"), Some("a"));
        assert_eq!(original_name("mmaps"), None);
        assert_eq!(original_name("mmap_copy_x_a"), None);
        assert_eq!(original_name("mmap_copy_5_"), None);
        assert_eq!(original_name("events"), None);
    }

    #[test]
    fn only_bytes_after_a_patchable_instruction_may_differ() {
        let mut text = vec![0x90; 64];
        text[20] = 0x0f;
        text[21] = 0x05;
        assert!(!may_be_patched(&text, 10));
        assert!(!may_be_patched(&text, 19));
        assert!(may_be_patched(&text, 20));
        assert!(may_be_patched(&text, 30));
        assert!(!may_be_patched(&text, 50));
        assert!(!may_be_patched(&[], 0));
    }
}
