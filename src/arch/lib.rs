//! Facts about the machine: kinds of addresses, threads, directions, registers.
//!
//! Layer 0. No I/O, no debug info, no protocol: only vocabulary that every layer above shares.

mod addresses;
mod assembly;
mod data_flow;
mod debug_registers;
mod disasm;
mod division;
mod exits;
mod intel;
mod memory_operands;
mod memory_writes;
mod preserved_registers;
mod register_reads;
mod registers;
mod repeated;
mod return_emulation;
mod return_registers;
mod returned_argument;
mod stack_stores;
mod subregisters;
#[cfg(test)]
mod test_program;
mod tracked_values;
mod unoptimized_code;
mod value_sources;
mod ways_out;

pub use addresses::addresses_formed;
pub use assembly::{Assembly, Syntax, assembly};
pub use debug_registers::{DEBUG_REGISTERS, debug_registers, debug_registers_for_writes};
pub use disasm::{Flow, Instruction, MAX_INSTRUCTION, decode};
pub use division::{Divisor, divisor};
pub use exits::{Exits, Tail, exits};
pub use memory_operands::{MemoryAccess, accesses};
pub use memory_writes::{Store, stores, updates_memory};
pub use preserved_registers::{Reached, Untouched, certainly_untouched, direct_call, untouched};
pub use register_reads::{UseOfResult, reads_unpassed, use_of_result};
pub use registers::{Register, RegisterKind, RegisterLayout, Registers};
pub use repeated::{Repeated, repeated};
pub use return_emulation::{Program, Returned, follow_to_return};
pub use return_registers::sets_for_return;
pub use returned_argument::gives_back_first;
pub use stack_stores::is_stored_later;
pub use subregisters::RegisterPart;
pub use unoptimized_code::{Slot, stores_in_vain};
pub use value_sources::{
    Comparison, Listed, Onward, Operand, RegisterSet, Source, Written, call_target, comparison, listing, source,
    width_written,
};
pub use ways_out::{WaysOut, ways_out};

use std::fmt;

/// An instruction set that a recording can be made on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arch {
    /// AMD64 / Intel 64, System V ABI.
    X86_64,
    /// AArch64, AAPCS64.
    Aarch64,
}

/// An address as the linker wrote it into an ELF file (`p_vaddr`, `DW_AT_low_pc`, `st_value`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkAddr(pub u64);

/// An address in the address space of the recorded process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunAddr(pub u64);

/// What to add (wrapping) to a [`LinkAddr`] of a module to get its [`RunAddr`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bias(pub u64);

impl LinkAddr {
    /// Returns the address that this one has in a process that has the module loaded at `bias`.
    pub fn at(self, bias: Bias) -> RunAddr {
        RunAddr(self.0.wrapping_add(bias.0))
    }
}

impl RunAddr {
    /// Returns the address that the linker gave to this one in a module loaded at `bias`.
    pub fn linked(self, bias: Bias) -> LinkAddr {
        LinkAddr(self.0.wrapping_sub(bias.0))
    }
}

impl fmt::Display for RunAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl fmt::Display for LinkAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// A code address in a stack frame, and how it was come by.
///
/// A return address names the instruction *after* the call. That instruction may belong to another line, another
/// scope or (after a call to a `noreturn` function) another function, so look-ups for a caller must use the byte
/// before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrameAddress {
    /// The instruction that executes next: the innermost frame, or a frame that a signal interrupted.
    Pc(RunAddr),
    /// The address that a call pushed.
    Return(RunAddr),
}

impl FrameAddress {
    /// Returns the address as it is shown to a user.
    pub fn address(self) -> RunAddr {
        match self {
            Self::Pc(a) | Self::Return(a) => a,
        }
    }

    /// Returns the address to look up in line tables, scopes and unwind tables.
    pub fn for_lookup(self) -> RunAddr {
        match self {
            Self::Pc(a) => a,
            Self::Return(a) => RunAddr(a.0.saturating_sub(1)),
        }
    }
}

/// A thread of the recording, by the numbers it had when it was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadId {
    /// Thread-group (process) id.
    pub pid: u32,
    /// Thread id.
    pub tid: u32,
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.pid, self.tid)
    }
}

/// Which way in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The way the program ran.
    Forward,
    /// Towards the start of the recording.
    Reverse,
}
