//! How gimli reads sections: from bytes in memory. Both supported machines are little-endian.

/// A piece of a debug section.
pub(crate) type Slice<'a> = gimli::EndianSlice<'a, gimli::LittleEndian>;
pub(crate) type Unit<'a> = gimli::Unit<Slice<'a>>;
pub(crate) type UnitRef<'d, 'a> = gimli::UnitRef<'d, Slice<'a>>;
pub(crate) type Die<'a> = gimli::DebuggingInformationEntry<Slice<'a>>;

/// Returns whether a linker put this address where it discarded the code: 0 (GNU ld), or -1 and -2 (lld).
pub(crate) fn is_tombstone(address: u64) -> bool {
    address == 0 || address >= u64::MAX - 1
}
