//! Reads the dynamic linker's lists of the files that it has loaded, one list for each name space (`dlmopen`), and the
//! numbers of their thread-local storage.

use super::tls_slots::{offset, word};
use crate::target::process::Process;
use arch::RunAddr;
use dwarf::Image;

/// No recorded process has more libraries than this; a longer list is a loop or garbage.
const MAX_LIBRARIES: usize = 4096;
/// glibc has no more name spaces (`DL_NNS`).
const MAX_SPACES: usize = 16;
const MAX_PATH: usize = 4096;

/// Offsets in `struct r_debug` and `struct r_debug_extended` of `<link.h>`; the version from which on there is a next one.
const MAP: u64 = 8;
const STATE: u64 = 24;
const NEXT: u64 = 40;
const EXTENDED: u64 = 2;
/// `r_state` while a list is complete.
const CONSISTENT: u64 = 0;

/// The dynamic linker's rendezvous structure (`struct r_debug` of `<link.h>`), where it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rendezvous {
    /// Address of the structure.
    pub(crate) address: u64,
    /// The function that it calls before and after each change of the list.
    pub(crate) on_change: RunAddr,
}

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) bias: u64,
    pub(super) name: String,
    /// Where the entry is (`struct link_map`).
    pub(super) map: u64,
}

/// The number that the dynamic linker gives to the thread-local storage of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TlsNumber {
    Known(u64),
    /// In the word at this address, which is 0 as long as there is none.
    At(u64),
}

impl TlsNumber {
    /// Returns the number, if there is one yet.
    pub(crate) fn read(self, process: &mut Process) -> Option<u64> {
        match self {
            Self::Known(number) => Some(number),
            Self::At(address) => process.read_u64(address).filter(|number| *number != 0),
        }
    }
}

impl Rendezvous {
    /// Returns whether no list is in the middle of a change.
    pub(crate) fn is_consistent(self, process: &mut Process) -> bool {
        let spaces = self.spaces(process);
        let mut states = spaces.iter().filter_map(|space| process.read_u64(space.wrapping_add(STATE)));
        states.all(|word| word & 0xffff_ffff == CONSISTENT)
    }

    /// Reads the lists: `l_addr`, `l_name`, `l_ld`, `l_next` are the public head of each entry.
    pub(super) fn links(self, process: &mut Process) -> Vec<Link> {
        let mut links = Vec::new();
        for space in self.spaces(process) {
            let mut at = process.read_u64(space.wrapping_add(MAP)).unwrap_or(0);
            while at != 0 && links.len() < MAX_LIBRARIES {
                let mut head = [0u8; 32];
                if process.read(at, &mut head).is_err() {
                    break;
                }
                let word = |i: usize| head[i * 8..i * 8 + 8].try_into().map(u64::from_le_bytes).unwrap_or(0);
                let name = process.read_c_string(word(1), MAX_PATH).unwrap_or_default();
                links.push(Link { bias: word(0), name, map: at });
                at = word(3);
            }
        }
        links
    }

    /// Returns where the structures of all name spaces are, that of the program first.
    fn spaces(self, process: &mut Process) -> Vec<u64> {
        let mut spaces = vec![self.address];
        let mut at = self.address;
        while spaces.len() < MAX_SPACES && process.read_u64(at).is_some_and(|word| word & 0xffff_ffff >= EXTENDED) {
            match process.read_u64(at.wrapping_add(NEXT)) {
                Some(next) if next != 0 && !spaces.contains(&next) => at = next,
                _ => break,
            }
            spaces.push(at);
        }
        spaces
    }
}

/// Returns where in `struct link_map` the number of the thread-local storage is, if this is a C library that tells
/// debuggers.
pub(super) fn tls_number_in_map(image: &Image) -> Option<u64> {
    let member = "link_map_l_tls_modid";
    (word(image, member, 0)? == u64::BITS).then(|| offset(image, member)).flatten()
}
