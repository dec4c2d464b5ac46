//! What the header of a trace says of the machine that it was recorded on: the file `version`, of rr 5.0 and later.
//!
//! The structure is rr's own (`rr_trace.capnp`, `Header`). Places of its fields follow from the order in which rr added
//! them, so that they never change; what an older rr did not know has its default value.

use super::message::Message;
use super::paths::open_regular;
use std::io::Read;
use std::path::Path;

/// The file in the trace directory.
const FILE: &str = "version";
/// The one format of traces that is known, and a newline: what the file begins with.
const FORMAT: &[u8] = b"85\n";
/// No header is longer.
const LIMIT: u64 = 1 << 20;
/// Bytes of a record of the processor's answers.
const RECORD: usize = 24;
/// Bytes of the header of a buffer for system calls, if nothing else is said.
const BUFFER_HEADER: usize = 30;
/// In a record: whatever else was asked.
const ANY: u32 = u32::MAX;

/// What rr itself ran as when it recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Architecture {
    /// A 32-bit rr, which records 32-bit programs only.
    X86,
    /// A 64-bit one.
    X86_64,
    /// A 64-bit ARM.
    Aarch64,
    /// One that we do not know.
    Unknown,
}

/// The header of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// What recorded.
    pub(super) architecture: Architecture,
    /// Its ticks are taken branches, and not conditional ones.
    pub(super) counts_taken_branches: bool,
    /// Its programs' CPUID instructions were made to fault, and rr answered them.
    pub(super) cpuid_faulting: bool,
    /// What the processor answered to CPUID: what was asked in EAX and ECX, and the four registers.
    pub(super) cpuid: Vec<[u32; 6]>,
    /// The parts of the processor's state that the system made use of; zero if that is not known.
    pub(super) xcr0: u64,
    /// rr found something wrong with the processor's counters, and was made to record nevertheless.
    pub(super) improper: bool,
    /// The number of bits that its programs' addresses need; zero if that is not known.
    pub(super) address_bits: u32,
    /// Bytes of the header of a buffer for system calls.
    pub(super) buffer_header: usize,
}

impl Header {
    /// Reads that of a trace directory. `None`: there is none that can be read, which is for rr to say.
    pub(super) fn read(trace: &Path) -> Option<Self> {
        let mut bytes = Vec::new();
        open_regular(&trace.join(FILE)).ok()?.take(LIMIT).read_to_end(&mut bytes).ok()?;
        Self::parse(&bytes)
    }

    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let message = Message::read(bytes.strip_prefix(FORMAT)?)?;
        let root = message.root()?;
        let records = root.bytes(1).chunks_exact(RECORD).map(|record| {
            let mut words = [0; 6];
            for (word, bytes) in words.iter_mut().zip(record.chunks_exact(4)) {
                *word = bytes.try_into().map(u32::from_le_bytes).unwrap_or_default();
            }
            words
        });
        Some(Self {
            // Stored is the difference from the default.
            architecture: match root.number(18, 2) ^ 1 {
                0 => Architecture::X86,
                1 => Architecture::X86_64,
                2 => Architecture::Aarch64,
                _ => Architecture::Unknown,
            },
            counts_taken_branches: root.number(16, 2) == 1,
            cpuid_faulting: root.bit(32),
            cpuid: records.collect(),
            xcr0: root.number(8, 8),
            improper: root.number(68, 2) == 1,
            address_bits: root.number(30, 1) as u32,
            buffer_header: root.number(64, 4) as usize ^ BUFFER_HEADER,
        })
    }

    /// Returns what the processor answered to this question. The second number counts only where it makes a difference.
    pub(super) fn answer(&self, leaf: u32, sub: u32) -> Option<[u32; 4]> {
        let asked = |record: &&[u32; 6]| record[0] == leaf && [sub, ANY].contains(&record[1]);
        self.cpuid.iter().find(asked).map(|[_, _, registers @ ..]| *registers)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::message::tests::pack;
    use proptest::prelude::*;

    /// Returns the header that an rr 5.10 has written on a machine where CPUID does not fault.
    pub(crate) fn example() -> Header {
        Header {
            architecture: Architecture::X86_64,
            counts_taken_branches: false,
            cpuid_faulting: false,
            cpuid: vec![[1, ANY, 0x50654, 0, 1 << 27, 0], [7, 0, 0, 1 << 16, 0, 0], [13, 2, 256, 576, 0, 0]],
            xcr0: 7,
            improper: false,
            address_bits: 47,
            buffer_header: 30,
        }
    }

    /// Returns the bytes of a file with this header in it.
    fn file(header: &Header) -> Vec<u8> {
        let (mut data, bytes) = ([0u64; 9], RECORD as u64 * header.cpuid.len() as u64);
        data[0] = u64::from(header.cpuid_faulting) << 32;
        data[1] = header.xcr0;
        let architecture = match header.architecture {
            Architecture::X86 => 0,
            Architecture::X86_64 => 1,
            Architecture::Aarch64 => 2,
            Architecture::Unknown => 9,
        };
        data[2] = u64::from(header.counts_taken_branches) | (architecture ^ 1) << 16;
        data[3] = u64::from(header.address_bits) << 48;
        data[8] = (if header.improper { 1 } else { 2 }) << 32 | (header.buffer_header ^ BUFFER_HEADER) as u64;
        let records = header.cpuid.as_flattened().chunks(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32);
        let pointers = [0, 1 | 1 << 2 | 2 << 32 | bytes << 35, 0];
        let root = [9 << 32 | 3 << 48].into_iter().chain(data).chain(pointers).chain(records).collect::<Vec<_>>();
        [FORMAT.to_vec(), pack(&[vec![(root.len() as u64) << 32], root].concat())].concat()
    }

    #[test]
    fn what_rr_writes_is_read() {
        assert_eq!(Header::parse(&file(&example())), Some(example()));
        let other = Header {
            architecture: Architecture::Aarch64,
            counts_taken_branches: true,
            cpuid_faulting: true,
            cpuid: vec![],
            xcr0: 0x2e7,
            improper: true,
            address_bits: 57,
            buffer_header: 32,
        };
        assert_eq!(Header::parse(&file(&other)), Some(other));
    }

    #[test]
    fn an_answer_is_found_whatever_else_was_asked_where_that_makes_no_difference() {
        let header = example();
        assert_eq!(header.answer(1, 5), Some([0x50654, 0, 1 << 27, 0]));
        assert_eq!(header.answer(7, 0), Some([0, 1 << 16, 0, 0]));
        assert_eq!((header.answer(7, 1), header.answer(6, 0)), (None, None));
    }

    #[test]
    fn a_format_that_is_not_known_is_left_to_rr() {
        let bytes = file(&example());
        assert_eq!(Header::parse(&[b"86\n", &bytes[3..]].concat()), None);
        assert_eq!(Header::parse(b"85\n"), None);
        assert_eq!(Header::read(Path::new("/nonexistent")), None);
    }

    proptest! {
        #[test]
        fn a_damaged_header_does_no_harm(place in 0.0..1.0, with in any::<u8>(), cut in any::<bool>()) {
            let mut bytes = file(&example());
            let at = (place * bytes.len() as f64) as usize;
            bytes[at] ^= with;
            drop(Header::parse(if cut { &bytes[..at] } else { &bytes }));
        }
    }
}
