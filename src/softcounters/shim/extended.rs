//! The vector registers of a tracee and its registers of masks, in the layout of `xsave` without compaction.

use std::arch::x86_64::__cpuid_count;
use std::sync::OnceLock;

use super::sys;

/// Numbers of the components.
const X87: u32 = 0;
const SSE: u32 = 1;
/// The upper halves of ymm0 to ymm15.
const AVX: u32 = 2;
const OPMASKS: u32 = 5;
/// The upper halves of zmm0 to zmm15.
const UPPER: u32 = 6;
/// zmm16 to zmm31.
const MORE: u32 = 7;

/// Where in the legacy part the status of the x87 unit is, its registers, and those of SSE.
const X87_STATUS: usize = 2;
const X87_REGISTERS: usize = 32;
const SSE_REGISTERS: usize = 160;
/// Where it is said which components are not as they begin.
const IN_USE: usize = 512;
/// Where the first component behind the header may be.
const EXTENDED: usize = 576;

/// Where components are, by their numbers; 0 for those that the processor has not.
pub type Offsets = [usize; MORE as usize + 1];

/// The registers.
#[derive(Debug)]
pub struct Extended {
    area: Vec<u8>,
    offsets: Offsets,
}

impl Extended {
    /// Reads those of a tracee, if the kernel tells them.
    pub fn of(tid: i32) -> Option<Extended> {
        Some(Extended::new(sys::extended_state(tid).ok()?, offsets()))
    }

    pub fn new(area: Vec<u8>, offsets: Offsets) -> Extended {
        Extended { area, offsets }
    }

    /// Returns a register of masks.
    pub fn opmask(&self, number: u8) -> Option<u64> {
        self.bytes(OPMASKS, usize::from(number) * 8).map(u64::from_le_bytes)
    }

    /// Returns a register of MMX, which is one of the x87 unit's: these are kept from the top of its stack on.
    pub fn mmx(&self, number: u8) -> Option<[u8; 8]> {
        let [_, status] = self.bytes(X87, X87_STATUS)?;
        let top = status >> 3 & 7;
        self.bytes(X87, X87_REGISTERS + usize::from(number.wrapping_sub(top) & 7) * 16)
    }

    /// Returns a byte of a vector register.
    pub fn vector_byte(&self, number: u8, at: u32) -> Option<u8> {
        self.vector(number, at).map(|[byte]| byte)
    }

    /// Returns a signed number of 4 or 8 bytes of a vector register.
    pub fn signed(&self, number: u8, index: u32, size: u32) -> Option<i64> {
        match size {
            4 => self.vector(number, index * 4).map(i32::from_le_bytes).map(i64::from),
            _ => self.vector(number, index * 8).map(i64::from_le_bytes),
        }
    }

    /// Returns bytes of a vector register that one component has.
    fn vector<const N: usize>(&self, number: u8, at: u32) -> Option<[u8; N]> {
        let (number, at) = (usize::from(number), at as usize);
        match (number, at) {
            (16.., _) => self.bytes(MORE, (number - 16) * 64 + at),
            (_, ..16) => self.bytes(SSE, SSE_REGISTERS + number * 16 + at),
            (_, ..32) => self.bytes(AVX, number * 16 + at - 16),
            _ => self.bytes(UPPER, number * 32 + at - 32),
        }
    }

    /// Returns bytes of a component; zeros if it is as it begins, since then nothing else need be there.
    fn bytes<const N: usize>(&self, component: u32, at: usize) -> Option<[u8; N]> {
        let start = *self.offsets.get(component as usize)?;
        if component > SSE && start < EXTENDED {
            return None;
        }
        let bytes = *self.area.get(start + at..)?.first_chunk()?;
        let in_use = u64::from_le_bytes(*self.area.get(IN_USE..)?.first_chunk()?);
        Some(if in_use >> component & 1 == 0 { [0; N] } else { bytes })
    }
}

/// Returns where this processor has the components.
pub fn offsets() -> Offsets {
    const LEAF: u32 = 0xd;
    static OFFSETS: OnceLock<Offsets> = OnceLock::new();
    *OFFSETS.get_or_init(|| {
        let mut offsets = Offsets::default();
        if __cpuid_count(0, 0).eax < LEAF {
            return offsets;
        }
        for component in [AVX, OPMASKS, UPPER, MORE] {
            offsets[component as usize] = __cpuid_count(LEAF, component).ebx as usize;
        }
        offsets
    })
}
