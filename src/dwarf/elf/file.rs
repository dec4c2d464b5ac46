//! An ELF file: its bytes, segments, sections and notes (System V gABI chapters 4 and 5).
//!
//! Together with `locate` the only place of this module that touches the file system.

use crate::arch::{Arch, LinkAddr};
use crate::dwarf::cache::disk::{Cache, Entry, Key, forget};
use crate::dwarf::compressed::decompress::unpack;
use crate::dwarf::compressed::inflate::Broken;
use crate::dwarf::compressed::seekable::{PackedSection, Seekable};
use crate::dwarf::compressed::unpacking::Growing;
use crate::dwarf::elf::locate::hex;
use crate::dwarf::model::elf::Segment;
use crate::dwarf::model::error::Error;
use crate::dwarf::tasks::work::Task;
use object::read::elf::{CompressionHeader, FileHeader, ProgramHeader, SectionHeader, SectionTable};
use object::read::{CompressedData, CompressionFormat};
use object::{LittleEndian, elf};
use std::fs::File;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

type Header = elf::FileHeader64<LittleEndian>;

/// No compressed debug section found in practice expands further than this; a header that claims more is garbage.
const MAX_COMPRESSION_RATIO: u64 = 4096;

/// What the sections of one file may expand to together, in bytes. DWARF's 32-bit format, the only one that compilers
/// produce, cannot refer further into one section.
const MAX_UNPACKED: u64 = 4 << 30;

/// What expands to no more is unpacked in one go.
const LARGE: u64 = 1 << 20;

/// Compressed data is taken out of memory each time that this many bytes of it have been read.
const FORGOTTEN_AT_ONCE: usize = 8 << 20;

/// The bytes of a file.
pub(in crate::dwarf) enum Bytes {
    /// Mapped from disk.
    Mapped(memmap2::Mmap),
    /// Read out of a process, or made by a test.
    Owned(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

/// A section header, resolved.
pub(in crate::dwarf) struct Section {
    pub(in crate::dwarf) name: String,
    pub(in crate::dwarf) address: u64,
    pub(in crate::dwarf) size: u64,
    /// SHF_ALLOC: it exists in the process.
    pub(in crate::dwarf) allocated: bool,
    /// SHT_NOBITS: the file has no bytes of it. Separate debug files have all allocated sections so.
    pub(in crate::dwarf) empty: bool,
    header: elf::SectionHeader64<LittleEndian>,
}

/// The bytes of a section, kept alive with the file that they are in.
pub(in crate::dwarf) struct SectionBytes {
    file: Arc<ElfFile>,
    contents: Contents,
}

enum Contents {
    InFile(Range<usize>),
    Unpacked(Vec<u8>),
    /// Unpacked into a file, which is mapped.
    Cached(Entry),
    /// Unpacked where it is needed.
    Seekable(Box<Seekable>),
}

impl SectionBytes {
    pub(in crate::dwarf) fn seekable(file: &Arc<ElfFile>, section: Seekable) -> Self {
        Self { file: file.clone(), contents: Contents::Seekable(Box::new(section)) }
    }

    /// Makes sure that a part of it is there.
    pub(in crate::dwarf) fn need(&self, range: Range<usize>) {
        if let Contents::Seekable(section) = &self.contents {
            section.need(range);
        }
    }

    /// Waits until it is known where its units are. An error if it is damaged.
    pub(in crate::dwarf) fn wait(&self) -> Result<(), Broken> {
        if let Contents::Seekable(section) = &self.contents { section.wait() } else { Ok(()) }
    }

    /// Who unpacks it, if that is not known to its end from the beginning.
    pub(in crate::dwarf) fn growing(&self) -> Option<&Arc<Growing>> {
        match &self.contents {
            Contents::Seekable(section) => section.growing(),
            _ => None,
        }
    }

    /// Takes a part of it out of memory, if it is mapped; it is read again when it is needed.
    pub(in crate::dwarf) fn forget(&self, range: Range<usize>) {
        match &self.contents {
            Contents::InFile(all) => {
                let end = all.start.saturating_add(range.end).min(all.end);
                self.file.forget(all.start.saturating_add(range.start)..end);
            }
            Contents::Cached(entry) => entry.forget(range),
            Contents::Unpacked(_) | Contents::Seekable(_) => {}
        }
    }
}

impl Deref for SectionBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.contents {
            Contents::InFile(range) => self.file.bytes().get(range.clone()).unwrap_or_default(),
            Contents::Unpacked(bytes) => bytes,
            Contents::Cached(entry) => entry,
            Contents::Seekable(section) => section,
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

/// An ELF file and what its headers say.
pub(in crate::dwarf) struct ElfFile {
    path: PathBuf,
    bytes: Bytes,
    pub(in crate::dwarf) arch: Arch,
    pub(in crate::dwarf) entry: LinkAddr,
    pub(in crate::dwarf) segments: Vec<Segment>,
    pub(in crate::dwarf) sections: Vec<Section>,
    pub(in crate::dwarf) build_id: Option<Vec<u8>>,
    pub(in crate::dwarf) dynamic: Option<LinkAddr>,
    pub(in crate::dwarf) program_headers: Option<LinkAddr>,
    pub(in crate::dwarf) interpreter: Option<String>,
    /// Size in memory and alignment of PT_TLS.
    pub(in crate::dwarf) tls: Option<(u64, u64)>,
    /// Bytes that its sections were decompressed to so far.
    unpacked: AtomicU64,
}

impl ElfFile {
    /// Maps and parses a file.
    pub(in crate::dwarf) fn open(path: &Path) -> Result<Self, Error> {
        let io = |source| Error::Io { path: path.to_owned(), source };
        // Before it is opened: opening a pipe waits for somebody to write to it.
        if !std::fs::metadata(path).map_err(io)?.is_file() {
            return Err(Error::NotElf { path: path.to_owned(), reason: "not a regular file".to_owned() });
        }
        let file = File::open(path).map_err(io)?;
        // SAFETY: the mapping is private and read-only. Somebody who truncates the file while it is mapped makes us
        // fault; rr traces and installed binaries are not rewritten in place, and copying every one of them into
        // memory would cost more than that case is worth.
        #[allow(unsafe_code)]
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(io)?;
        Self::parse(path, Bytes::Mapped(map))
    }

    /// Parses bytes that are in memory; `path` is what to call them.
    pub(in crate::dwarf) fn parse(path: &Path, bytes: Bytes) -> Result<Self, Error> {
        let bad = |e: object::Error| Error::NotElf { path: path.to_owned(), reason: e.to_string() };
        let data: &[u8] = &bytes;
        let arch = machine(path, data)?;
        let header = Header::parse(data).map_err(bad)?;
        let sections = header.sections(LittleEndian, data).map_err(bad)?;
        let mut file = Self {
            path: path.to_owned(),
            arch,
            entry: LinkAddr(header.e_entry(LittleEndian)),
            segments: Vec::new(),
            sections: resolve_sections(&sections),
            build_id: None,
            dynamic: None,
            program_headers: None,
            interpreter: None,
            tls: None,
            unpacked: AtomicU64::new(0),
            bytes: Bytes::Owned(Vec::new()),
        };
        let table = header.program_headers(LittleEndian, data).map_err(bad)?;
        for program_header in table {
            file.take_program_header(program_header, data);
        }
        file.find_program_headers(header.e_phoff(LittleEndian));
        if file.build_id.is_none() {
            file.build_id = sections.iter().find_map(|s| {
                let mut notes = s.notes(LittleEndian, data).ok()??;
                while let Ok(Some(note)) = notes.next() {
                    if let Some(id) = build_id_of(&note) {
                        return Some(id);
                    }
                }
                None
            });
        }
        file.bytes = bytes;
        Ok(file)
    }

    fn take_program_header(&mut self, p: &elf::ProgramHeader64<LittleEndian>, data: &[u8]) {
        let address = LinkAddr(p.p_vaddr(LittleEndian));
        match p.p_type(LittleEndian) {
            elf::PT_LOAD => {
                let flags = p.p_flags(LittleEndian);
                self.segments.push(Segment {
                    address,
                    size: p.p_memsz(LittleEndian),
                    file_offset: p.p_offset(LittleEndian),
                    file_size: p.p_filesz(LittleEndian),
                    executable: flags.contains(elf::PF_X),
                    writable: flags.contains(elf::PF_W),
                });
            }
            elf::PT_DYNAMIC => self.dynamic = Some(address),
            elf::PT_PHDR => self.program_headers = Some(address),
            elf::PT_TLS => self.tls = Some((p.p_memsz(LittleEndian), p.p_align(LittleEndian))),
            elf::PT_INTERP => {
                let text = p.interpreter(LittleEndian, data).ok().flatten();
                self.interpreter = text.map(|t| String::from_utf8_lossy(t).into_owned());
            }
            elf::PT_NOTE if self.build_id.is_none() => {
                let Ok(Some(mut notes)) = p.notes(LittleEndian, data) else {
                    return;
                };
                while let Ok(Some(note)) = notes.next() {
                    if let Some(id) = build_id_of(&note) {
                        self.build_id = Some(id);
                    }
                }
            }
            _ => {}
        }
    }

    /// Static executables have no PT_PHDR; the table is where a segment maps its file offset.
    fn find_program_headers(&mut self, offset: u64) {
        if self.program_headers.is_some() || offset == 0 {
            return;
        }
        let covers = |s: &&Segment| offset.checked_sub(s.file_offset).is_some_and(|into| into < s.file_size);
        let segment = self.segments.iter().find(covers);
        self.program_headers = segment.map(|s| LinkAddr(s.address.0.wrapping_add(offset.wrapping_sub(s.file_offset))));
    }

    /// Where the file is.
    pub(in crate::dwarf) fn path(&self) -> &Path {
        &self.path
    }

    /// All bytes of the file.
    pub(in crate::dwarf) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A section by name that has bytes in this file. `.debug_x` also finds the old compressed `.zdebug_x`.
    pub(in crate::dwarf) fn section(&self, name: &str) -> Option<&Section> {
        self.sections_named(name).next()
    }

    fn sections_named(&self, name: &str) -> impl Iterator<Item = &Section> {
        let old = name.strip_prefix(".debug_").map(|rest| format!(".zdebug_{rest}"));
        let named = move |s: &&Section| s.name == name || old.as_ref().is_some_and(|o| s.name == *o);
        self.sections.iter().filter(move |s| !s.empty && named(s))
    }

    /// The bytes of a section as they are in the file.
    pub(in crate::dwarf) fn raw_section(&self, section: &Section) -> Option<&[u8]> {
        slice(self.bytes(), section.header.sh_offset(LittleEndian), section.header.sh_size(LittleEndian))
    }

    /// The bytes of all sections of a name, one behind the other: in files that were not linked, each type unit has a
    /// section of its own.
    pub(in crate::dwarf) fn all_section_bytes(
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
            let room = self.bytes.len() as u64 + self.unpacked.load(Ordering::Relaxed);
            if joined.len() as u64 + contents.len() as u64 > room {
                return Err(self.malformed(section, "sections of its name overlap"));
            }
            joined.extend_from_slice(&contents);
        }
        Ok(Some(SectionBytes { file: self.clone(), contents: Contents::Unpacked(joined) }))
    }

    /// The bytes of a section by name, decompressed if necessary; `None` if the file has no such section.
    pub(in crate::dwarf) fn section_bytes(self: &Arc<Self>, name: &str) -> Result<Option<SectionBytes>, Error> {
        self.section(name).map(|section| self.contents(section, &Cache::default(), None)).transpose()
    }

    /// The bytes that a section takes in memory, if it is packed.
    pub(in crate::dwarf) fn unpacked_size(&self, section: &Section) -> Option<u64> {
        let (packed, ..) = section.header.compression(LittleEndian, self.bytes()).ok()??;
        Some(packed.ch_size(LittleEndian))
    }

    /// What an entry of a cache that is made of a section is known by; `None` if nothing tells it from others.
    pub(in crate::dwarf) fn cache_key(&self, section: &Section, what: &str) -> Option<Key> {
        let build_id = self.build_id.as_ref()?;
        let raw = self.raw_section(section)?;
        // The end of packed data is its checksum.
        let (start, end) = (raw.get(..raw.len().min(64))?, raw.get(raw.len().saturating_sub(64)..)?);
        let source = [build_id.as_slice(), &(raw.len() as u64).to_le_bytes(), start, end].concat();
        Some(Key { name: format!("{}.{what}", hex(build_id)), source })
    }

    /// Takes a part of the file out of memory, if it is mapped; it is read again when it is needed.
    pub(in crate::dwarf) fn forget(&self, range: Range<usize>) {
        if let Bytes::Mapped(map) = &self.bytes {
            forget(map, range);
        }
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
        let contents =
            if let Some((packed, offset, size)) = header.compression(LittleEndian, self.bytes()).map_err(bad)? {
                let format = match packed.ch_type(LittleEndian) {
                    elf::ELFCOMPRESS_ZLIB => CompressionFormat::Zlib,
                    elf::ELFCOMPRESS_ZSTD => CompressionFormat::Zstandard,
                    other => return Err(self.malformed(section, &format!("unknown compression {}", other.0))),
                };
                let data = slice(self.bytes(), offset, size).ok_or_else(outside)?;
                let packed = Packed { format, data, offset: offset as usize, size: packed.ch_size(LittleEndian) };
                match self.cached(section, &packed, cache, task)? {
                    Some(entry) => Contents::Cached(entry),
                    None => Contents::Unpacked(self.decompress(section, format, data, packed.size, task)?),
                }
            } else {
                let (offset, size) = (header.sh_offset(LittleEndian), header.sh_size(LittleEndian));
                let raw = slice(self.bytes(), offset, size).ok_or_else(outside)?;
                if section.name.starts_with(".zdebug_") {
                    Contents::Unpacked(self.old_compressed(section, raw, task)?)
                } else {
                    // Cannot overflow: `slice` found all of it in memory.
                    let start = offset as usize;
                    Contents::InFile(start..start + raw.len())
                }
            };
        Ok(SectionBytes { file: self.clone(), contents })
    }

    /// `.zdebug_*`: the letters `ZLIB`, the size as 8 big-endian bytes, then a zlib stream.
    fn old_compressed(&self, section: &Section, raw: &[u8], task: Option<&Task<'_>>) -> Result<Vec<u8>, Error> {
        let header = raw.strip_prefix(b"ZLIB").and_then(|rest| rest.split_first_chunk::<8>());
        let (size, data) = header.ok_or_else(|| self.malformed(section, "no ZLIB header"))?;
        self.decompress(section, CompressionFormat::Zlib, data, u64::from_be_bytes(*size), task)
    }

    /// A large section, unpacked into a file of the cache; `None` if it is to be unpacked into memory.
    fn cached(
        &self,
        section: &Section,
        packed: &Packed<'_>,
        cache: &Cache,
        task: Option<&Task<'_>>,
    ) -> Result<Option<Entry>, Error> {
        if packed.size < cache.large || !cache.is_on() {
            return Ok(None);
        }
        let Some(key) = self.cache_key(section, section.name.trim_start_matches('.')) else { return Ok(None) };
        if let Some(entry) = cache.get(&key, false)
            && entry.len() as u64 == packed.size
        {
            return Ok(Some(entry));
        }
        self.check_size(section, packed.data, packed.size)?;
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
                self.forget(packed.offset..packed.offset + read);
                forgotten = read;
            }
        };
        unpack(packed.format, packed.data, packed.size, &mut take, &mut read)
            .map_err(|why| self.malformed(section, why))?;
        self.forget(packed.offset..packed.offset + packed.data.len());
        // No room on the disk: there may be some in memory.
        Ok(written.ok().and_then(|()| writer.finish()))
    }

    /// A large section by name that is packed with zlib, and what its places are kept as; `None` if there is no such
    /// section, or several of the name.
    pub(in crate::dwarf) fn packed_section(
        self: &Arc<Self>,
        name: &str,
        cache: &Cache,
    ) -> Option<(PackedSection, Option<Key>)> {
        let mut all = self.sections_named(name);
        let (section, None) = (all.next()?, all.next()) else { return None };
        let (packed, offset, size) = section.header.compression(LittleEndian, self.bytes()).ok()??;
        let data = slice(self.bytes(), offset, size)?;
        let unpacked = packed.ch_size(LittleEndian);
        let is_zlib = packed.ch_type(LittleEndian) == elf::ELFCOMPRESS_ZLIB;
        if !is_zlib
            || unpacked < cache.large
            || unpacked > MAX_UNPACKED
            || self.check_size(section, data, unpacked).is_err()
        {
            return None;
        }
        // Cannot overflow: `slice` found all of it in memory.
        let data = offset as usize..(offset + size) as usize;
        let key = self.cache_key(section, "places");
        Some((PackedSection { file: self.clone(), data, size: usize::try_from(unpacked).ok()? }, key))
    }

    /// Says that a section is damaged.
    pub(in crate::dwarf) fn damaged(&self, name: &str) -> Option<Error> {
        self.section(name).map(|section| self.malformed(section, "invalid zlib data"))
    }

    fn check_size(&self, section: &Section, data: &[u8], size: u64) -> Result<(), Error> {
        match size > (data.len() as u64).saturating_mul(MAX_COMPRESSION_RATIO) {
            true => Err(self.malformed(section, "implausible uncompressed size")),
            false => Ok(()),
        }
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
        let before = self.unpacked.fetch_add(uncompressed_size, Ordering::Relaxed);
        let taken = Allowance { of: &self.unpacked, size: uncompressed_size };
        if before.saturating_add(uncompressed_size) > MAX_UNPACKED {
            return Err(self.malformed(section, "the file expands to more than is read"));
        }
        let unpacked = if uncompressed_size >= LARGE {
            let mut unpacked = Vec::with_capacity(uncompressed_size as usize);
            let mut take = |piece: &[u8]| {
                unpacked.extend_from_slice(piece);
                did(task, piece.len());
            };
            unpack(format, data, uncompressed_size, &mut take, &mut |_| ())
                .map_err(|why| self.malformed(section, why))?;
            unpacked
        } else {
            let compressed = CompressedData { format, data, uncompressed_size };
            compressed.decompress().map_err(|e| self.malformed(section, &e.to_string()))?.into_owned()
        };
        taken.keep();
        Ok(unpacked)
    }

    fn malformed(&self, section: &Section, reason: &str) -> Error {
        Error::Malformed { path: self.path.clone(), section: section.name.clone(), reason: reason.to_owned() }
    }

    /// Name of the section that an address is in.
    pub(in crate::dwarf) fn section_at(&self, address: LinkAddr) -> Option<&Section> {
        let covers = |s: &&Section| s.allocated && address.0.checked_sub(s.address).is_some_and(|into| into < s.size);
        self.sections.iter().find(covers)
    }

    /// `len` bytes as the file has them at a link-time address, or `None` if the file does not have them all.
    pub(in crate::dwarf) fn bytes_at(&self, at: LinkAddr, len: usize) -> Option<&[u8]> {
        let len = u64::try_from(len).ok()?;
        self.segments.iter().find_map(|s| {
            let into = at.0.checked_sub(s.address.0)?;
            let end = into.checked_add(len)?;
            if end > s.file_size {
                return None;
            }
            slice(self.bytes(), s.file_offset.checked_add(into)?, len)
        })
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

/// So much of a task is done, if it is part of one.
fn did(task: Option<&Task<'_>>, amount: usize) {
    if let Some(task) = task {
        task.did(amount);
    }
}

/// `data[offset..offset + size]`, if it is all there.
pub(in crate::dwarf) fn slice(data: &[u8], offset: u64, size: u64) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    let end = start.checked_add(usize::try_from(size).ok()?)?;
    data.get(start..end)
}

/// Reads `e_ident` and `e_machine`, which have the same place in every class and (but for byte order) encoding.
fn machine(path: &Path, data: &[u8]) -> Result<Arch, Error> {
    let not_elf = |reason: &str| Error::NotElf { path: path.to_owned(), reason: reason.to_owned() };
    let head = data.first_chunk::<20>().ok_or_else(|| not_elf("too short for an ELF header"))?;
    if !head.starts_with(b"\x7fELF") {
        return Err(not_elf("it does not start with the ELF magic number"));
    }
    let (class, order) = (head[4], head[5]);
    let number = match order {
        2 => u16::from_be_bytes([head[18], head[19]]),
        _ => u16::from_le_bytes([head[18], head[19]]),
    };
    match (class, order, elf::Machine(number)) {
        (2, 1, elf::EM_X86_64) => Ok(Arch::X86_64),
        (2, 1, elf::EM_AARCH64) => Ok(Arch::Aarch64),
        _ => {
            let bits = if class == 1 { "32-bit" } else { "64-bit" };
            let order = if order == 2 { "big-endian" } else { "little-endian" };
            Err(Error::UnsupportedMachine {
                path: path.to_owned(),
                found: format!("machine {number} ({bits}, {order})"),
            })
        }
    }
}

fn resolve_sections(table: &SectionTable<'_, Header>) -> Vec<Section> {
    let resolve = |header: &elf::SectionHeader64<LittleEndian>| Section {
        name: table
            .section_name(LittleEndian, header)
            .map(|n| String::from_utf8_lossy(n).into_owned())
            .unwrap_or_default(),
        address: header.sh_addr(LittleEndian),
        size: header.sh_size(LittleEndian),
        allocated: header.sh_flags(LittleEndian).contains(elf::SHF_ALLOC),
        empty: header.sh_type(LittleEndian) == elf::SHT_NOBITS,
        header: *header,
    };
    table.iter().map(resolve).collect()
}

fn build_id_of(note: &object::read::elf::Note<'_, Header>) -> Option<Vec<u8>> {
    let is_id = note.name() == elf::ELF_NOTE_GNU && note.n_type(LittleEndian) == elf::NT_GNU_BUILD_ID;
    (is_id && !note.desc().is_empty()).then(|| note.desc().to_vec())
}

#[cfg(test)]
mod tests;
