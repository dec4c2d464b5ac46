//! An ELF file: its bytes, segments, sections and notes (System V gABI chapters 4 and 5).
//!
//! Together with `locate` the only place of this module that opens files.

use super::build_id::{build_id_of, hex};
use crate::cache::disk::Key;
use crate::compressed::file_bytes::Bytes;
use crate::model::elf::Segment;
use crate::model::error::Error;
use arch::{Arch, LinkAddr};
use base::untrusted::{FileMap, Refused, SHORTER, open_regular};
use object::read::elf::{CompressionHeader, FileHeader, ProgramHeader, SectionHeader, SectionTable};
use object::{LittleEndian, elf};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

type Header = elf::FileHeader64<LittleEndian>;

/// Bytes of an entry of PT_DYNAMIC.
const DYNAMIC_ENTRY: usize = 16;
/// Entries that are looked at.
const MOST_DYNAMIC: u64 = 1024;

/// A section header, resolved.
pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// SHF_ALLOC: it exists in the process.
    pub(crate) allocated: bool,
    /// SHT_NOBITS: the file has no bytes of it. Separate debug files have all allocated sections so.
    pub(crate) empty: bool,
    pub(super) header: elf::SectionHeader64<LittleEndian>,
}

/// An ELF file and what its headers say.
pub(crate) struct ElfFile {
    path: PathBuf,
    pub(super) bytes: Arc<Bytes>,
    pub(crate) arch: Arch,
    pub(crate) entry: LinkAddr,
    pub(crate) segments: Vec<Segment>,
    pub(crate) sections: Vec<Section>,
    pub(crate) build_id: Option<Vec<u8>>,
    pub(crate) dynamic: Option<LinkAddr>,
    pub(crate) program_headers: Option<LinkAddr>,
    pub(crate) interpreter: Option<String>,
    /// Size in memory and alignment of PT_TLS.
    pub(crate) tls: Option<(u64, u64)>,
    /// Where the file has what thread-local storage begins with.
    pub(crate) tls_start: LinkAddr,
    /// Bytes that its sections were decompressed to so far.
    pub(super) decompressed: AtomicU64,
}

impl ElfFile {
    /// Returns whether it is a program, and no library.
    pub(crate) fn is_program(&self) -> bool {
        let is_fixed = self.bytes.get(16..18) == Some(&elf::ET_EXEC.0.to_le_bytes()[..]);
        let mut entries = self.dynamic_entries();
        is_fixed || entries.any(|(tag, value)| tag == elf::DT_FLAGS_1.0 as u64 && value & elf::DF_1_PIE.0 != 0)
    }

    /// Returns whether it uses its own definitions, whatever others export by those names.
    pub(crate) fn is_symbolic(&self) -> bool {
        let is_flag = |value: u64| value & elf::DF_SYMBOLIC.0 != 0;
        self.dynamic_entries()
            .any(|(tag, value)| tag == elf::DT_SYMBOLIC.0 as u64 || tag == elf::DT_FLAGS.0 as u64 && is_flag(value))
    }

    /// Iterates over tags and values of the dynamic section.
    fn dynamic_entries(&self) -> impl Iterator<Item = (u64, u64)> {
        let entry = |at: u64| {
            let bytes = self.bytes_at(LinkAddr(at), DYNAMIC_ENTRY)?;
            let (tag, value) = bytes.split_first_chunk()?;
            Some((u64::from_le_bytes(*tag), u64::from_le_bytes(*value.first_chunk()?)))
        };
        let most = if self.dynamic.is_some() { MOST_DYNAMIC } else { 0 };
        let start = self.dynamic.map_or(0, |at| at.0);
        let entries = (0..most).map_while(move |n| entry(start.checked_add(n * DYNAMIC_ENTRY as u64)?));
        entries.take_while(|(tag, _)| *tag != elf::DT_NULL.0 as u64)
    }

    /// Maps and parses a file.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let io = |source| Error::Io { path: path.to_owned(), source };
        // Recordings, link maps and debug info name it.
        let file = open_regular(path).map_err(|refused| match refused {
            Refused::Io(source) => io(source),
            Refused::NotRegular => Error::NotElf { path: path.to_owned(), reason: "not a regular file".to_owned() },
            other => Error::NotElf { path: path.to_owned(), reason: other.to_string() },
        })?;
        let parsed = Self::parse(path, Bytes::Mapped(FileMap::of(&file).map_err(io)?))?;
        match parsed.is_damaged() {
            true => Err(Error::NotElf { path: path.to_owned(), reason: SHORTER.to_owned() }),
            false => Ok(parsed),
        }
    }

    /// Returns whether the file became shorter while it was mapped: what was read of it since counts for nothing.
    pub(crate) fn is_damaged(&self) -> bool {
        self.bytes.is_damaged()
    }

    /// Parses bytes that are in memory; `path` is what to call them.
    pub(crate) fn parse(path: &Path, bytes: Bytes) -> Result<Self, Error> {
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
            tls_start: LinkAddr::default(),
            decompressed: AtomicU64::new(0),
            bytes: Arc::new(Bytes::Owned(Vec::new())),
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
        file.bytes = Arc::new(bytes);
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
            elf::PT_TLS => {
                self.tls = Some((p.p_memsz(LittleEndian), p.p_align(LittleEndian)));
                self.tls_start = LinkAddr(p.p_vaddr(LittleEndian));
            }
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

    /// Finds the program headers. Static executables have no PT_PHDR; the table is where a segment maps its file
    /// offset.
    fn find_program_headers(&mut self, offset: u64) {
        if self.program_headers.is_some() || offset == 0 {
            return;
        }
        let covers = |s: &&Segment| offset.checked_sub(s.file_offset).is_some_and(|into| into < s.file_size);
        let segment = self.segments.iter().find(covers);
        self.program_headers = segment.map(|s| LinkAddr(s.address.0.wrapping_add(offset.wrapping_sub(s.file_offset))));
    }

    /// Returns where the file is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns all bytes of the file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Finds a section by name that has bytes in this file. `.debug_x` also finds the old compressed `.zdebug_x`.
    pub(crate) fn section(&self, name: &str) -> Option<&Section> {
        self.sections_named(name).next()
    }

    pub(super) fn sections_named(&self, name: &str) -> impl Iterator<Item = &Section> {
        let old = name.strip_prefix(".debug_").map(|rest| format!(".zdebug_{rest}"));
        let named = move |s: &&Section| s.name == name || old.as_ref().is_some_and(|o| s.name == *o);
        self.sections.iter().filter(move |s| !s.empty && named(s))
    }

    /// Returns how many bytes the file has of the sections of a name, as they are in it: compressed ones are shorter
    /// than what they expand to.
    pub(crate) fn size_in_file(&self, name: &str) -> usize {
        self.sections_named(name).filter_map(|section| self.raw_section(section)).map(<[u8]>::len).sum()
    }

    /// Returns the bytes of a section as they are in the file.
    pub(crate) fn raw_section(&self, section: &Section) -> Option<&[u8]> {
        slice(self.bytes(), section.header.sh_offset(LittleEndian), section.header.sh_size(LittleEndian))
    }

    /// Returns how many bytes a section takes in memory, if it is compressed.
    pub(crate) fn decompressed_size(&self, section: &Section) -> Option<u64> {
        let (compressed, ..) = section.header.compression(LittleEndian, self.bytes()).ok()??;
        Some(compressed.ch_size(LittleEndian))
    }

    /// Returns the key of an entry of a cache that is made of a section; `None` if nothing tells it from others.
    pub(crate) fn cache_key(&self, section: &Section, what: &str) -> Option<Key> {
        let build_id = self.build_id.as_ref()?;
        let raw = self.raw_section(section)?;
        // The end of compressed data is its checksum.
        let (start, end) = (raw.get(..raw.len().min(64))?, raw.get(raw.len().saturating_sub(64)..)?);
        let source = [build_id.as_slice(), &(raw.len() as u64).to_le_bytes(), start, end].concat();
        Some(Key { name: format!("{}.{what}", hex(build_id)), source })
    }

    /// Takes a part of the file out of memory, if it is mapped; it is read again when it is needed.
    pub(crate) fn forget(&self, range: Range<usize>) {
        self.bytes.forget(range);
    }

    pub(super) fn malformed(&self, section: &Section, reason: &str) -> Error {
        Error::Malformed { path: self.path.clone(), section: section.name.clone(), reason: reason.to_owned() }
    }

    /// Finds the section that an address is in.
    pub(crate) fn section_at(&self, address: LinkAddr) -> Option<&Section> {
        let covers = |s: &&Section| s.allocated && address.0.checked_sub(s.address).is_some_and(|into| into < s.size);
        self.sections.iter().find(covers)
    }

    /// Reads `len` bytes as the file has them at a link-time address, or `None` if the file does not have them all.
    pub(crate) fn bytes_at(&self, at: LinkAddr, len: usize) -> Option<&[u8]> {
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

/// Returns `data[offset..offset + size]`, if it is all there.
pub(crate) fn slice(data: &[u8], offset: u64, size: u64) -> Option<&[u8]> {
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

#[cfg(test)]
mod tests;
