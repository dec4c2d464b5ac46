//! Memory that several mappings share, of one process or of several: what is written by one of them is there for all.

use rr::{Mapped, Mappings};
use std::collections::BTreeSet;

/// Most addresses at which it is looked for.
const MOST: usize = 64;

/// Memory that is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shared {
    /// What is shared, by device and inode; and where in it the memory is.
    pub(super) inode: (u64, u64),
    pub(super) offset: u64,
    /// What it was mapped as.
    pub(super) name: String,
    /// Where the process that is asked about has it, and how much.
    pub(super) own: u64,
    length: u64,
    /// Where the memory is, in whichever process.
    pub(super) addresses: BTreeSet<u64>,
    /// There are more addresses.
    pub(super) is_cut: bool,
}

impl Shared {
    /// Returns what a process has at an address up to an event, if that is shared.
    pub(super) fn at(mappings: &Mappings, pid: u32, event: u64, address: u64, length: u64) -> Option<Self> {
        let mapped = mappings.at(pid, event, address)?;
        let inode = mapped.shared?;
        let offset = mapped.offset.checked_add(address.checked_sub(mapped.start)?)?;
        let (mut addresses, mut is_cut) = (BTreeSet::from([address]), false);
        for other in mappings.all().filter(|other| other.shared == Some(inode)) {
            let Some(at) = offset.checked_sub(other.offset).and_then(|into| other.start.checked_add(into)) else {
                continue;
            };
            if at < other.end && !addresses.contains(&at) {
                is_cut |= addresses.len() == MOST;
                if addresses.len() < MOST {
                    addresses.insert(at);
                }
            }
        }
        Some(Self { inode, offset, name: mapped.name.clone(), own: address, length, addresses, is_cut })
    }

    /// Returns where a process has up to an event what the process has at an address that is asked about; the inverse of
    /// [`Shared::own_of`].
    pub(super) fn other_of(&self, mappings: &Mappings, (pid, event): (u32, u64), own: u64) -> Option<u64> {
        let into = own.checked_sub(self.own)?;
        let mut all = self.addresses.iter().filter_map(|address| address.checked_add(into));
        all.find(|address| self.own_of(mappings, (pid, event), *address, None) == Some(own))
    }

    /// Returns where a file is mapped such that it is shared, from a byte on; `None` if it is not.
    pub(super) fn of(mappings: &Mappings, inode: (u64, u64), at: u64, length: u64) -> Option<Self> {
        let holds = |mapped: &&Mapped| {
            let size = mapped.end.saturating_sub(mapped.start);
            mapped.shared == Some(inode) && at.checked_sub(mapped.offset).is_some_and(|into| into < size)
        };
        let mapped = mappings.all().find(holds)?;
        Self::at(mappings, mapped.pid, mapped.event, mapped.start.checked_add(at.checked_sub(mapped.offset)?)?, length)
    }

    /// Returns where the process that is asked about has what a process has written at an address, with this mapped there up
    /// to an event; `None` if it has not. `by_rr`: between which events, if no instruction wrote it: where that is when the
    /// memory was mapped, nothing was written, but what was in it came to be there.
    pub(super) fn own_of(
        &self,
        mappings: &Mappings,
        (pid, event): (u32, u64),
        address: u64,
        by_rr: Option<(u64, u64)>,
    ) -> Option<u64> {
        let mapped = mappings.at(pid, event, address).filter(|mapped| mapped.shared == Some(self.inode))?;
        if by_rr.is_some_and(|(from, to)| (from..=to).contains(&mapped.event)) {
            return None;
        }
        let at = mapped.offset.checked_add(address.checked_sub(mapped.start)?)?;
        let into = at.checked_sub(self.offset).filter(|into| *into < self.length)?;
        self.own.checked_add(into)
    }
}
