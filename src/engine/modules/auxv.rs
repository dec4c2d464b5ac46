//! What a process tells about its own program: the auxiliary vector, program headers, dynamic sections.
//!
//! Read from the process's memory rather than from the program's file, so that the dynamic linker and the libraries
//! are found even if that file is missing or has changed.

use crate::target::process::Process;
use arch::{Bias, LinkAddr, RunAddr};
use std::path::{Path, PathBuf};

/// More program headers or dynamic entries than any linker makes.
const MAX_HEADERS: u64 = 256;
const MAX_DYNAMIC_ENTRIES: u64 = 1024;
/// Longest path (`PATH_MAX`), with its NUL.
const MAX_PATH: usize = 4096;

/// How far below the path of the program its environment is searched.
const PAGE: u64 = 4096;
const MAX_ENVIRONMENT_PAGES: usize = 16;

/// Offset of `e_entry` in `Elf64_Ehdr` (`<elf.h>`).
const ELF_ENTRY: u64 = 24;

/// `p_type`s and size of `Elf64_Phdr` (`<elf.h>`).
const PT_DYNAMIC: u32 = 2;
const PT_INTERP: u32 = 3;
const PT_PHDR: u32 = 6;
const HEADER_SIZE: u64 = 56;

/// `d_tag`s of entries of the dynamic section. The dynamic linker sets the value of `DT_DEBUG` to its `r_debug`.
const DT_NULL: u64 = 0;
const DT_DEBUG: u64 = 21;

/// The entries of the auxiliary vector that say what is loaded (`<elf.h>`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Auxv {
    /// Address of the program's headers, and how many there are.
    pub(crate) program_headers: Option<u64>,
    pub(crate) program_header_count: Option<u64>,
    /// Where the interpreter is loaded.
    pub(crate) base: Option<u64>,
    /// The program's entry point.
    pub(crate) entry: Option<u64>,
    /// Where the path is that the program was executed by.
    pub(crate) path: Option<u64>,
    /// The vdso, or what stands in for it.
    pub(crate) vdso: Option<u64>,
}

impl Auxv {
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let mut found = Self::default();
        for pair in bytes.chunks_exact(16) {
            let (tag, value) = pair.split_at(8);
            let number = |b: &[u8]| b.try_into().map(u64::from_le_bytes).unwrap_or(0);
            let value = Some(number(value)).filter(|v| *v != 0);
            match number(tag) {
                0 => break,
                3 => found.program_headers = value,
                5 => found.program_header_count = value,
                7 => found.base = value,
                9 => found.entry = value,
                31 => found.path = value,
                33 => found.vdso = value,
                _ => {}
            }
        }
        found
    }
}

/// Reads the 16 bytes at `AT_RANDOM`, which are others in each image of a process; as far as they can be read.
pub(crate) fn random_bytes(auxv: &[u8], process: &mut Process) -> Vec<u8> {
    const AT_RANDOM: u64 = 25;
    let word = |bytes: &[u8]| bytes.try_into().ok().map(u64::from_le_bytes);
    let entry = auxv.chunks_exact(16).find(|entry| word(&entry[..8]) == Some(AT_RANDOM));
    let at = entry.and_then(|entry| word(&entry[8..]));
    at.map(|at| process.read_up_to(at, 16)).unwrap_or_default()
}

/// What the program's headers say, in terms of the process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProgramHeaders {
    /// Where the program is loaded, if the headers tell.
    pub(crate) bias: Option<Bias>,
    /// Path that the program was executed by.
    pub(crate) path: Option<String>,
    /// The directory that it was executed in, as its environment says.
    pub(crate) directory: Option<String>,
    /// rr was to buffer system calls, for which it writes over the program's code, as its environment says.
    pub(crate) is_buffered: bool,
    /// Path of the dynamic linker.
    pub(crate) interpreter: Option<String>,
    /// Address of the dynamic section.
    pub(crate) dynamic: Option<u64>,
}

impl ProgramHeaders {
    pub(crate) fn read(process: &mut Process, auxv: &Auxv) -> Self {
        let (Some(table), Some(count)) = (auxv.program_headers, auxv.program_header_count) else {
            return Self::default();
        };
        let mut headers = Vec::new();
        for i in 0..count.min(MAX_HEADERS) {
            let at = table.wrapping_add(i * HEADER_SIZE);
            let (Some(kind), Some(address)) = (process.read_u64(at), process.read_u64(at.wrapping_add(16))) else {
                break;
            };
            // The upper half of the first word is `p_flags`.
            headers.push((kind as u32, address));
        }
        let find = |wanted: u32| headers.iter().find(|(kind, _)| *kind == wanted).map(|(_, address)| *address);
        // Without PT_PHDR the program is not position-independent.
        let bias = find(PT_PHDR).map(|linked| Bias(table.wrapping_sub(linked)));
        let run = |linked: u64| LinkAddr(linked).at(bias.unwrap_or_default()).0;
        let interpreter = find(PT_INTERP).and_then(|path| process.read_c_string(run(path), MAX_PATH));
        let path = auxv.path.and_then(|path| process.read_c_string(path, MAX_PATH));
        let mut variable = |name: &[u8]| auxv.path.and_then(|strings| variable(process, strings, name));
        let directory = variable(b"\0PWD=").filter(|directory| directory.starts_with('/'));
        let is_buffered = variable(b"\0_RR_USE_SYSCALLBUF=").is_some();
        Self { bias, path, directory, is_buffered, interpreter, dynamic: find(PT_DYNAMIC).map(run) }
    }

    /// Finds where the kernel has the program begin: at the entry of its interpreter, if it has one.
    pub(crate) fn start(&self, process: &mut Process, auxv: &Auxv) -> Option<RunAddr> {
        match (&self.interpreter, auxv.base) {
            (Some(_), Some(base)) => {
                let entry = process.read_u64(base.wrapping_add(ELF_ENTRY))?;
                Some(LinkAddr(entry).at(Bias(base)))
            }
            _ => auxv.entry.map(RunAddr),
        }
    }

    /// Returns the absolute form of a path that the program used when it started.
    pub(crate) fn absolute(&self, path: &str) -> Option<PathBuf> {
        let absolute = match &self.directory {
            Some(directory) => Path::new(directory).join(path),
            None => PathBuf::from(path),
        };
        // Collecting the components drops `.`.
        absolute.is_absolute().then(|| absolute.components().collect())
    }
}

/// Finds the value of a variable in the environment that the program was started with: the kernel puts its strings below
/// the path that was executed. What a program has written over since is of no use, and does no harm: files are used only
/// if they fit. `name`: with a zero before it, and `=` behind.
fn variable(process: &mut Process, executed: u64, name: &[u8]) -> Option<String> {
    let mut strings = Vec::new();
    let mut page = executed - executed % PAGE;
    for _ in 0..MAX_ENVIRONMENT_PAGES {
        let len = usize::try_from(PAGE.min(executed - page)).ok()?;
        let mut bytes = process.read_up_to(page, len);
        if bytes.len() < len {
            break;
        }
        bytes.append(&mut strings);
        strings = bytes;
        if let Some(at) = memchr::memmem::find(&strings, name) {
            let value = strings.get(at + name.len()..)?;
            let end = memchr::memchr(0, value)?;
            return Some(String::from_utf8_lossy(value.get(..end)?).into_owned());
        }
        page = page.checked_sub(PAGE)?;
    }
    None
}

/// Reads the value of `DT_DEBUG` in the dynamic section at this address of the process, once it has one.
pub(crate) fn debug_entry(process: &mut Process, dynamic: u64) -> Option<u64> {
    for i in 0..MAX_DYNAMIC_ENTRIES {
        let at = dynamic.checked_add(i * 16)?;
        match process.read_u64(at)? {
            DT_NULL => return None,
            DT_DEBUG => return process.read_u64(at.checked_add(8)?).filter(|v| *v != 0),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn auxv_is_read_up_to_its_terminator() {
        let mut bytes = Vec::new();
        for (tag, value) in [(3u64, 0x400040u64), (5, 13), (9, 0x401000), (7, 0), (33, 0x6fffd000), (0, 0), (9, 5)] {
            bytes.extend(tag.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend([1, 2, 3]);
        let expected = Auxv {
            program_headers: Some(0x400040),
            program_header_count: Some(13),
            base: None,
            entry: Some(0x401000),
            path: None,
            vdso: Some(0x6fffd000),
        };
        assert_eq!(Auxv::parse(&bytes), expected);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(prop_oneof![0u8..34, Just(0), any::<u8>()], 0..400)) {
            let found = Auxv::parse(&bytes);
            prop_assert_ne!(found.entry, Some(0));
        }
    }
}
