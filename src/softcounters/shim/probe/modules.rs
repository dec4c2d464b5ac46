//! Which module is mapped where.
//!
//! A replaying rr maps the files of a recording under other names, or copies their content into memory of no file. So a
//! module is known again by what is in memory: the header of its file, at the beginning of a mapping, and what that
//! leads to.

use std::ops::Range;

use super::list::Identity;

const HEADER: usize = 64;
const PROGRAM_HEADER: usize = 56;
const MOST_HEADERS: usize = 64;
/// Notes that are looked at.
const MOST_NOTES: usize = 4096;
const PT_LOAD: u64 = 1;
const PT_NOTE: u64 = 4;
const NT_GNU_BUILD_ID: u64 = 3;

/// A module in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// What is to be added to addresses of its file.
    pub bias: u64,
    pub build_id: Option<Vec<u8>>,
    /// Checksum of its headers.
    pub headers: u64,
    /// Where it is in memory.
    pub segments: Vec<Range<u64>>,
}

impl Module {
    /// Whether it is this one.
    pub fn is(&self, identity: &Identity) -> bool {
        match identity {
            Identity::BuildId(id) => self.build_id.as_ref() == Some(id),
            Identity::Headers(sum) => self.headers == *sum,
        }
    }
}

/// The module whose file begins at `start` of a memory that is read by `read`, which says whether it could fill the
/// buffer.
pub fn at(start: u64, read: impl Fn(u64, &mut [u8]) -> bool) -> Option<Module> {
    let mut header = [0; HEADER];
    if !read(start, &mut header) || !header.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let count = number(&header, 56, 2) as usize;
    if number(&header, 54, 2) as usize != PROGRAM_HEADER || !(1..=MOST_HEADERS).contains(&count) {
        return None;
    }
    let mut table = vec![0; count * PROGRAM_HEADER];
    if !read(start.wrapping_add(number(&header, 32, 8)), &mut table) {
        return None;
    }
    let segments = || table.chunks_exact(PROGRAM_HEADER);
    let kind = |segment: &[u8]| number(segment, 0, 4);
    let first = segments().find(|segment| kind(segment) == PT_LOAD && number(segment, 8, 8) == 0)?;
    let bias = start.wrapping_sub(number(first, 16, 8));
    let build_id = segments().filter(|segment| kind(segment) == PT_NOTE).find_map(|segment| {
        let mut notes = vec![0; (number(segment, 32, 8) as usize).min(MOST_NOTES)];
        let is_read = read(bias.wrapping_add(number(segment, 16, 8)), &mut notes);
        is_read.then(|| build_id(&notes)).flatten()
    });
    let in_memory = |segment: &[u8]| {
        let start = bias.wrapping_add(number(segment, 16, 8));
        start..start.saturating_add(number(segment, 40, 8))
    };
    let segments = segments().filter(|segment| kind(segment) == PT_LOAD).map(in_memory).collect();
    Some(Module { bias, build_id, headers: checksum(&[&header, &table]), segments })
}

/// The build ID among notes.
fn build_id(mut notes: &[u8]) -> Option<Vec<u8>> {
    loop {
        let (head, rest) = notes.split_at_checked(12)?;
        let [name, content] = [0, 4].map(|at| number(head, at, 4) as usize);
        let (is_gnu, rest) = (rest.get(..name)? == b"GNU\0", rest.get(name.next_multiple_of(4)..)?);
        if is_gnu && number(head, 8, 4) == NT_GNU_BUILD_ID {
            return rest.get(..content).map(<[u8]>::to_vec);
        }
        notes = rest.get(content.next_multiple_of(4)..)?;
    }
}

/// FNV-1a, 64 bits.
fn checksum(pieces: &[&[u8]]) -> u64 {
    let add = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    pieces.iter().flat_map(|piece| piece.iter()).fold(0xcbf2_9ce4_8422_2325, add)
}

/// The number of `size` bytes at `at`, which is within `bytes`.
fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    bytes.get(at..at + size).unwrap_or(&[]).iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Where mappings begin that a file's beginning may be at: `/proc/PID/maps`.
pub fn starts(maps: &[u8]) -> impl Iterator<Item = u64> + '_ {
    maps.split(|&byte| byte == b'\n').filter_map(|line| {
        let mut fields = line.split(|&byte| byte == b' ');
        let (range, rights, offset) = (fields.next()?, fields.next()?, fields.next()?);
        let start = range.split(|&byte| byte == b'-').next()?;
        let is_first = offset.iter().all(|&byte| byte == b'0');
        let start = u64::from_str_radix(std::str::from_utf8(start).ok()?, 16).ok()?;
        (rights.first() == Some(&b'r') && is_first).then_some(start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_is_found_where_it_is() {
        let maps = std::fs::read("/proc/self/maps").unwrap();
        let read = |at: u64, into: &mut [u8]| {
            let mut file = std::fs::File::open("/proc/self/mem").unwrap();
            std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(at)).is_ok()
                && std::io::Read::read_exact(&mut file, into).is_ok()
        };
        let here = this_program_is_found_where_it_is as *const () as u64;
        let modules: Vec<Module> = starts(&maps).filter_map(|start| at(start, read)).collect();
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let file = at(0, |from, into| {
            own.get(from as usize..from as usize + into.len()).is_some_and(|bytes| {
                into.copy_from_slice(bytes);
                true
            })
        });
        let file = file.unwrap();
        // Other tests may have mapped the file elsewhere, to read it.
        let runs = |module: &&Module| module.bias < here && here - module.bias < own.len() as u64 * 2;
        let found = modules.iter().filter(|module| module.headers == file.headers).find(runs).unwrap();
        assert_eq!(found.build_id, file.build_id);
        assert!(found.is(&Identity::Headers(file.headers)) && !found.is(&Identity::Headers(0)));
    }

    #[test]
    fn a_build_id_is_found_behind_other_notes() {
        let note = |name: &[u8], kind: u32, content: &[u8]| {
            let mut note = Vec::new();
            [name.len() as u32, content.len() as u32, kind].iter().for_each(|word| note.extend(word.to_le_bytes()));
            for part in [name, content] {
                note.extend(part);
                note.resize(note.len().next_multiple_of(4), 0);
            }
            note
        };
        let notes = [note(b"GNU\0", 5, &[1; 7]), note(b"X\0", 3, &[2]), note(b"GNU\0", 3, &[3, 4, 5])].concat();
        assert_eq!(build_id(&notes), Some(vec![3, 4, 5]));
        for end in 0..notes.len() - 1 {
            assert_eq!(build_id(&notes[..end]), None);
        }
        assert_eq!(build_id(&[0xff; 64]), None);
    }
}
