//! Where things are in the region: an anonymous mapping in every driven address space, at a fixed address below 2 GiB,
//! so that each slot and stub is reachable by a 32-bit absolute address and needs no register.

/// Address of the region, where few programs want anything: behind the lowest GiB, which large programs without
/// position-independent code fill, behind where `MAP_32BIT` begins and where Lisps have their images (0x50000000 and
/// some 190 MiB), and as far below rr's own pages, from which rr places threads' stacks downwards in chaos mode.
pub const REGION: u64 = 0x5c00_0000;
/// Its size in bytes (reserved, not committed).
pub const SIZE: u64 = 48 << 20;

/// Offset of the magic number that says "initialised here".
pub const MAGIC: u64 = 0;

/// rr's page in a tracee: its filter treats system calls from there by their address. Those of the page before it,
/// which has the functions of the vDSO, are like any other.
pub const RR_PAGE: std::ops::Range<u64> = 0x7000_0000..0x7000_1000;
/// From this address of rr's page on, system calls are such that rr's filter lets pass.
pub const UNTRACED: u64 = 0x7000_0006;
/// The function for calls with an effect that rr has a replay repeat: writes to memory through a file among them.
pub const REPLAY_ASSIST: u64 = 0x7000_0018;

/// Offsets of the 8-byte slots.
pub mod slot {
    /// Not 0 if system calls of rr's page may be made without leaving the cache.
    pub const PASS: u64 = 0x38;
    /// Branches until the next overflow, as the counting code of the translations has it.
    pub const COUNT: u64 = 0x40;
    /// Where an indirect branch goes, on its way through the dispatcher.
    pub const TARGET: u64 = 0x48;
    /// The program's rcx while translated code uses the register.
    pub const RCX: u64 = 0x50;
    pub const RAX: u64 = 0x58;
    pub const RDX: u64 = 0x60;
    /// The program's value of the one register a rip-relative operand needed ([`super::super::block::Spill`] but rcx).
    pub const SPILL: u64 = 0x68;
    /// Number of the exit just taken.
    pub const EXIT: u64 = 0x70;
    /// What `syscall` overwrites, as the program had it.
    pub const EXIT_RCX: u64 = 0x78;
    pub const EXIT_R11: u64 = 0x80;
    /// Where in the cache the dispatcher goes.
    pub const CACHED: u64 = 0x88;
    /// The word below the stack pointer before an indirect call wrote its return address there.
    pub const BELOW_STACK: u64 = 0x90;
    /// Where the program goes after a system call of rr's page.
    pub const RETURN: u64 = 0x98;
    /// Where the next entry of a probe goes.
    pub const BUFFER_AT: u64 = 0xa0;
    /// The address of the memory a probe looks at.
    pub const PROBED: u64 = 0xa8;
    /// How far into the region that is, if it is.
    pub const DOUBT: u64 = 0xb0;
    /// The bases of the segments fs and gs, where writes are looked at.
    pub const SEGMENTS: u64 = 0xb8;
    /// The count of a repeated instruction, and zeros behind it.
    pub const REPEATS: u64 = 0xc8;
    /// Where an instruction writes to that is told of.
    pub const WRITTEN: u64 = 0xd8;
    /// The address of the instruction that a probe is at.
    pub const INSTRUCTION: u64 = 0xe0;
    /// Where the first byte is that is watched, negated, and where the last one ends.
    pub const WATCHED: u64 = 0xe8;
    /// Not 0 if an entry that tells of watched memory may be longer than most.
    pub const LONG: u64 = 0xf8;
}

/// Offset of the dispatcher for indirect branches.
pub const DISPATCHER: u64 = 0x2000;
/// Offset of the common exit.
pub const COMMON_EXIT: u64 = 0x2800;
/// Offset of room for what `fxsave` writes.
pub const SCRATCH: u64 = 0x3000;
/// Offset of what rr's page returns to from a system call.
pub const RETURNED: u64 = 0x2c00;
/// Offset of the table of system calls, a byte each by their numbers: not 0 if the tracer must see the call. There is
/// no room for numbers above those of all kernels; it does not matter what is found for one.
pub const CALLS: u64 = 0x4000;
/// Offset of the table of indirect branch targets: pairs of program address and cache address.
pub const TABLE: u64 = 0x1_0000;
/// Entries of the table.
pub const TABLE_ENTRIES: u64 = 1 << 16;
/// Offset of the marks of blocks, a byte each by their numbers: not 0 if the block was run.
pub const MARKS: u64 = 0x11_0000;
/// How many blocks have one.
pub const MARK_COUNT: u64 = 1 << 16;
/// Offset of the translated code.
pub const CODE: u64 = 0x12_0000;
/// Offset of the entries of probes, up to the region's end. Without probes, translated code may reach so far.
pub const BUFFER: u64 = SIZE - (1 << 20);
/// The address of its middle. No entry is so long that there is no room for it before.
pub const BUFFER_HALF: u64 = REGION + BUFFER + (SIZE - BUFFER) / 2;
/// Where writes are looked at: a table of a byte for each block of 256 bytes, by bits 8 to 23 of its address, not 0 if
/// something in it is watched; two of blocks of 16 MiB, by bits 24 to 39, of which the second has the neighbours, too.
/// Without probes, translated code may reach so far, too.
pub const FILTERS: u64 = BUFFER - 3 * FILTER_SIZE;
/// Bytes of each of them.
pub const FILTER_SIZE: u64 = 1 << 16;
/// Offset of the counters of pieces, eight bytes each. Where nothing is counted, translated code may reach so far.
pub const COUNTERS: u64 = FILTERS - 8 * COUNTER_COUNT;
/// How many there are.
pub const COUNTER_COUNT: u64 = 1 << 20;
