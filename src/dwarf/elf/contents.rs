//! The bytes of sections, which may be compressed: in the file, decompressed in memory, or decompressed in the cache.

use super::file::{ElfFile, Section, slice};
use crate::cache::disk::{Cache, Entry, Key};
use crate::compressed::access_points::CompressedSection;
use crate::compressed::decompress::decompress;
use crate::compressed::random_access::Seekable;
use crate::model::error::Error;
use crate::tasks::work::Task;
use base::untrusted::SHORTER;
use object::read::elf::{CompressionHeader, SectionHeader};
use object::read::{CompressedData, CompressionFormat};
use object::{LittleEndian, elf};
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Compressed data may expand so many times. Debug info of compilers expands 3 to 6 times, names of templates up to 20
/// times; data that a header makes larger has been made to fill the memory of who reads it.
const MAX_COMPRESSION_RATIO: u64 = 64;

/// A section may expand to so many bytes however few it has in the file: a short one may be of one byte repeated.
const SMALL_SECTION: u64 = 16 << 20;

/// The sections of one file may expand to so many bytes together, however few it has.
const SMALL_FILE: u64 = 64 << 20;

/// What the sections of one file may expand to together, in bytes. DWARF's 32-bit format, the only one that compilers
/// produce, cannot refer further into one section.
const MAX_DECOMPRESSED: u64 = 4 << 30;

/// What expands to no more is decompressed in one go.
const LARGE: u64 = 1 << 20;

/// Compressed data is taken out of memory each time that this many bytes of it have been read.
const FORGOTTEN_AT_ONCE: usize = 8 << 20;

/// The bytes of a section, kept alive with the file that they are in.
pub(crate) struct SectionBytes {
    file: Arc<ElfFile>,
    contents: Contents,
}

enum Contents {
    InFile(Range<usize>),
    Decompressed(Vec<u8>),
    /// Decompressed into a file, which is mapped.
    Cached(Entry),
    /// Decompressed where it is needed.
    Seekable(Box<Seekable>),
}

impl SectionBytes {
    pub(crate) fn seekable(file: &Arc<ElfFile>, section: Seekable) -> Self {
        Self { file: file.clone(), contents: Contents::Seekable(Box::new(section)) }
    }

    /// Returns the section if its contents are decompressed where it is needed.
    pub(crate) fn in_parts(&self) -> Option<&Seekable> {
        match &self.contents {
            Contents::Seekable(section) => Some(section),
            _ => None,
        }
    }

    /// Returns how many bytes it has.
    pub(crate) fn size(&self) -> usize {
        self.in_parts().map_or(self.len(), Seekable::size)
    }

    /// Returns the file that it is in, if that became shorter while it was mapped.
    pub(crate) fn shortened(&self) -> Option<&Path> {
        let is_entry_damaged = matches!(&self.contents, Contents::Cached(entry) if entry.is_damaged());
        (self.file.is_damaged() || is_entry_damaged).then(|| self.file.path())
    }

    /// Takes a part of it out of memory, if it is mapped; it is read again when it is needed.
    pub(crate) fn forget(&self, range: Range<usize>) {
        match &self.contents {
            Contents::InFile(all) => {
                let end = all.start.saturating_add(range.end).min(all.end);
                self.file.forget(all.start.saturating_add(range.start)..end);
            }
            Contents::Cached(entry) => entry.forget(range),
            Contents::Decompressed(_) | Contents::Seekable(_) => {}
        }
    }
}

impl Deref for SectionBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.contents {
            Contents::InFile(range) => self.file.bytes().get(range.clone()).unwrap_or_default(),
            Contents::Decompressed(bytes) => bytes,
            Contents::Cached(entry) => entry,
            // Its bytes are to be had in parts only.
            Contents::Seekable(_) => &[],
        }
    }
}

/// A compressed section.
struct Packed<'d> {
    format: CompressionFormat,
    data: &'d [u8],
    /// Where the data is in the file.
    offset: usize,
    /// What it expands to, as its header says.
    size: u64,
}

impl ElfFile {
    /// Reads the bytes of all sections of a name, one behind the other: in files that were not linked, each type unit
    /// has a section of its own.
    pub(crate) fn all_section_bytes(
        self: &Arc<Self>,
        name: &str,
        cache: &Cache,
        task: &Task<'_>,
    ) -> Result<Option<SectionBytes>, Error> {
        let mut all = self.sections_named(name);
        let (Some(first), second) = (all.next(), all.next()) else {
            return Ok(None);
        };
        let Some(second) = second else {
            return self.contents(first, cache, Some(task)).map(Some);
        };
        let mut joined = Vec::new();
        for section in [first, second].into_iter().chain(all) {
            let contents = self.contents(section, &Cache::default(), Some(task))?;
            // Sections do not overlap, unless somebody wants them to look larger than they are.
            let room = self.bytes.len() as u64 + self.decompressed.load(Ordering::Relaxed);
            if joined.len() as u64 + contents.len() as u64 > room {
                return Err(self.malformed(section, "sections of its name overlap"));
            }
            joined.extend_from_slice(&contents);
        }
        Ok(Some(SectionBytes { file: self.clone(), contents: Contents::Decompressed(joined) }))
    }

    /// Reads the bytes of a section by name, decompressed if necessary; `None` if the file has no such section.
    pub(crate) fn section_bytes(self: &Arc<Self>, name: &str) -> Result<Option<SectionBytes>, Error> {
        self.section(name).map(|section| self.contents(section, &Cache::default(), None)).transpose()
    }

    fn contents(
        self: &Arc<Self>,
        section: &Section,
        cache: &Cache,
        task: Option<&Task<'_>>,
    ) -> Result<SectionBytes, Error> {
        let bad = |e: object::Error| self.malformed(section, &e.to_string());
        let outside = || self.malformed(section, "it reaches past the end of the file");
        let header = &section.header;
        let contents = if let Some((compressed, offset, size)) =
            header.compression(LittleEndian, self.bytes()).map_err(bad)?
        {
            let format = match compressed.ch_type(LittleEndian) {
                elf::ELFCOMPRESS_ZLIB => CompressionFormat::Zlib,
                elf::ELFCOMPRESS_ZSTD => CompressionFormat::Zstandard,
                other => return Err(self.malformed(section, &format!("unknown compression {}", other.0))),
            };
            let data = slice(self.bytes(), offset, size).ok_or_else(outside)?;
            let compressed = Packed { format, data, offset: offset as usize, size: compressed.ch_size(LittleEndian) };
            match self.cached(section, &compressed, cache, task)? {
                Some(entry) => Contents::Cached(entry),
                None => Contents::Decompressed(self.decompress(section, format, data, compressed.size, task)?),
            }
        } else {
            let (offset, size) = (header.sh_offset(LittleEndian), header.sh_size(LittleEndian));
            let raw = slice(self.bytes(), offset, size).ok_or_else(outside)?;
            if section.name.starts_with(".zdebug_") {
                Contents::Decompressed(self.old_compressed(section, raw, task)?)
            } else {
                // Cannot overflow: `slice` found all of it in memory.
                let start = offset as usize;
                Contents::InFile(start..start + raw.len())
            }
        };
        Ok(SectionBytes { file: self.clone(), contents })
    }

    /// Reads `.zdebug_*`: the letters `ZLIB`, the size as 8 big-endian bytes, then a zlib stream.
    fn old_compressed(&self, section: &Section, raw: &[u8], task: Option<&Task<'_>>) -> Result<Vec<u8>, Error> {
        let header = raw.strip_prefix(b"ZLIB").and_then(|rest| rest.split_first_chunk::<8>());
        let (size, data) = header.ok_or_else(|| self.malformed(section, "no ZLIB header"))?;
        self.decompress(section, CompressionFormat::Zlib, data, u64::from_be_bytes(*size), task)
    }

    /// Decompresses a large section into a file of the cache; `None` if it is to be decompressed into memory.
    fn cached(
        &self,
        section: &Section,
        compressed: &Packed<'_>,
        cache: &Cache,
        task: Option<&Task<'_>>,
    ) -> Result<Option<Entry>, Error> {
        if compressed.size < cache.large || !cache.is_on() {
            return Ok(None);
        }
        let Some(key) = self.cache_key(section, section.name.trim_start_matches('.')) else { return Ok(None) };
        if let Some(entry) = cache.get(&key, false)
            && entry.len() as u64 == compressed.size
        {
            return Ok(Some(entry));
        }
        self.check_size(section, compressed.data, compressed.size)?;
        let Some(mut writer) = cache.create(&key) else { return Ok(None) };
        let (mut written, mut forgotten) = (Ok(()), 0);
        let mut take = |piece: &[u8]| {
            if written.is_ok() {
                written = writer.write(piece);
            }
            did(task, piece.len());
        };
        let mut read = |read: usize| {
            if read - forgotten >= FORGOTTEN_AT_ONCE {
                self.forget(compressed.offset..compressed.offset + read);
                forgotten = read;
            }
        };
        decompress(compressed.format, compressed.data, compressed.size, &mut take, &mut read)
            .map_err(|why| self.malformed(section, why))?;
        self.forget(compressed.offset..compressed.offset + compressed.data.len());
        if self.is_damaged() {
            return Err(self.malformed(section, SHORTER));
        }
        // No room on the disk: there may be some in memory.
        Ok(written.ok().and_then(|()| writer.finish()))
    }

    /// Finds a large section by name that is compressed with zlib, and what its places are kept as; `None` if there is
    /// no such section, or several of the name.
    pub(crate) fn packed_section(
        self: &Arc<Self>,
        name: &str,
        cache: &Cache,
    ) -> Option<(CompressedSection, Option<Key>)> {
        let mut all = self.sections_named(name);
        let (section, None) = (all.next()?, all.next()) else { return None };
        let (compressed, offset, size) = section.header.compression(LittleEndian, self.bytes()).ok()??;
        let data = slice(self.bytes(), offset, size)?;
        let decompressed = compressed.ch_size(LittleEndian);
        let is_zlib = compressed.ch_type(LittleEndian) == elf::ELFCOMPRESS_ZLIB;
        if !is_zlib
            || decompressed < cache.large
            || decompressed > MAX_DECOMPRESSED
            || self.check_size(section, data, decompressed).is_err()
        {
            return None;
        }
        // Cannot overflow: `slice` found all of it in memory.
        let data = offset as usize..(offset + size) as usize;
        let key = self.cache_key(section, "places");
        Some((CompressedSection { bytes: self.bytes.clone(), data, size: usize::try_from(decompressed).ok()? }, key))
    }

    /// Says that a section is damaged.
    pub(crate) fn damaged(&self, name: &str) -> Option<Error> {
        self.section(name).map(|section| self.malformed(section, "invalid zlib data"))
    }

    fn check_size(&self, section: &Section, data: &[u8], size: u64) -> Result<(), Error> {
        let length = data.len() as u64;
        match size > length.saturating_mul(MAX_COMPRESSION_RATIO).max(SMALL_SECTION) {
            true => {
                let reason = format!("{length} bytes expand to {size}, which is more than is read of so few");
                Err(self.malformed(section, &reason))
            }
            false => Ok(()),
        }
    }

    /// Returns how many bytes its sections may expand to together.
    fn room(&self) -> u64 {
        let length = self.bytes.len() as u64;
        length.saturating_mul(MAX_COMPRESSION_RATIO).clamp(SMALL_FILE, MAX_DECOMPRESSED)
    }

    fn decompress(
        &self,
        section: &Section,
        format: CompressionFormat,
        data: &[u8],
        uncompressed_size: u64,
        task: Option<&Task<'_>>,
    ) -> Result<Vec<u8>, Error> {
        self.check_size(section, data, uncompressed_size)?;
        // Before anything is allocated; concurrent readers of a file share the allowance.
        let before = self.decompressed.fetch_add(uncompressed_size, Ordering::Relaxed);
        let taken = Allowance { of: &self.decompressed, size: uncompressed_size };
        if before.saturating_add(uncompressed_size) > self.room() {
            return Err(self.malformed(section, "the file expands to more than is read"));
        }
        let decompressed = if uncompressed_size >= LARGE {
            let mut decompressed = Vec::with_capacity(uncompressed_size as usize);
            let mut take = |piece: &[u8]| {
                decompressed.extend_from_slice(piece);
                did(task, piece.len());
            };
            decompress(format, data, uncompressed_size, &mut take, &mut |_| ())
                .map_err(|why| self.malformed(section, why))?;
            decompressed
        } else {
            let compressed = CompressedData { format, data, uncompressed_size };
            compressed.decompress().map_err(|e| self.malformed(section, &e.to_string()))?.into_owned()
        };
        taken.keep();
        Ok(decompressed)
    }
}

/// What a section expands to, of what all may; given back unless it is kept.
struct Allowance<'a> {
    of: &'a AtomicU64,
    size: u64,
}

impl Allowance<'_> {
    fn keep(self) {
        std::mem::forget(self);
    }
}

impl Drop for Allowance<'_> {
    fn drop(&mut self) {
        self.of.fetch_sub(self.size, Ordering::Relaxed);
    }
}

/// Reports that so much of a task is done, if there is one.
fn did(task: Option<&Task<'_>>, amount: usize) {
    if let Some(task) = task {
        task.did(amount);
    }
}

#[cfg(test)]
mod tests;
