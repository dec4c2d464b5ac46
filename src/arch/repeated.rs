//! Repeated string instructions, round by round.
//!
//! A replay without a debugger sees such an instruction once, with the registers in front of its first round. A debugger
//! stops in front of each round. What both know together is which registers a round begins with.

use super::preserved_registers::instruction;
use super::{Arch, MAX_INSTRUCTION, RunAddr};
use iced_x86::{Code, OpKind, Register};

/// DWARF numbers of the registers that a round changes (System V ABI for AMD64, figure 3.36).
const RCX: usize = 2;
const RSI: usize = 4;
const RDI: usize = 5;

/// What each round of a repeated string instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// Bytes of one round: 1, 2, 4 or 8.
    size: u64,
    /// Whether it moves on in rsi, and in rdi.
    has_source: bool,
    has_destination: bool,
    /// Whether what rdi points to is written.
    writes: bool,
}

/// Returns what the instruction that `code`, found at `at`, begins with does in each round. `None`: it is not a repeated
/// string instruction, or one whose addresses are of 32 bits.
pub fn repeated(arch: Arch, code: &[u8], at: RunAddr) -> Option<Repeated> {
    let code = code.get(..MAX_INSTRUCTION.min(code.len())).filter(|_| arch == Arch::X86_64)?;
    let i = instruction(code, at.0)?;
    let is_repeated = i.is_string_instruction() && (i.has_rep_prefix() || i.has_repne_prefix());
    let kinds = (0..i.op_count()).map(|number| i.op_kind(number));
    let has = |wanted: OpKind| kinds.clone().any(|kind| kind == wanted);
    let (has_source, has_destination) = (has(OpKind::MemorySegRSI), has(OpKind::MemoryESRDI));
    let is_plain = is_repeated && (has_source || has_destination) && i.segment_prefix() == Register::None;
    let writes = has_destination
        && matches!(
            i.code(),
            Code::Stosb_m8_AL
                | Code::Stosw_m16_AX
                | Code::Stosd_m32_EAX
                | Code::Stosq_m64_RAX
                | Code::Movsb_m8_m8
                | Code::Movsw_m16_m16
                | Code::Movsd_m32_m32
                | Code::Movsq_m64_m64
                | Code::Insb_m8_DX
                | Code::Insw_m16_DX
                | Code::Insd_m32_DX
        );
    let size = u64::try_from(i.memory_size().size()).ok().filter(|size| *size > 0)?;
    is_plain.then_some(Repeated { size, has_source, has_destination, writes })
}

impl Repeated {
    /// Returns the registers, by DWARF number, in front of so many rounds more.
    #[must_use]
    pub fn after(&self, registers: &[u64; 16], rounds: u64, goes_down: bool) -> [u64; 16] {
        let mut later = *registers;
        let way = self.size.wrapping_mul(rounds);
        let moved = |from: u64| if goes_down { from.wrapping_sub(way) } else { from.wrapping_add(way) };
        if self.has_source {
            later[RSI] = moved(later[RSI]);
        }
        if self.has_destination {
            later[RDI] = moved(later[RDI]);
        }
        later[RCX] = later[RCX].wrapping_sub(rounds);
        later
    }

    /// Returns the registers, by DWARF number, in front of the round that accesses a byte, seen from the registers in
    /// front of the first. `None`: none does, or several may.
    #[must_use]
    pub fn at_access(&self, registers: &[u64; 16], address: u64, is_write: bool) -> Option<[u64; 16]> {
        let by = |base: u64| {
            let (up, down) = (address.wrapping_sub(base), base.wrapping_sub(address));
            let (rounds, goes_down) = if up < self.size.saturating_mul(registers[RCX]) {
                (up / self.size, false)
            } else {
                (down.div_ceil(self.size), true)
            };
            (rounds < registers[RCX]).then_some((rounds, goes_down))
        };
        let destination = (self.has_destination && is_write == self.writes).then(|| by(registers[RDI])).flatten();
        let source = (self.has_source && !is_write).then(|| by(registers[RSI])).flatten();
        let (rounds, goes_down) = match (destination, source) {
            (Some(one), None) | (None, Some(one)) => one,
            (Some(one), Some(other)) if one == other => one,
            _ => return None,
        };
        Some(self.after(registers, rounds, goes_down))
    }

    /// Returns how many rounds come in front of the first whose registers, by DWARF number, are looked for; 0 is not
    /// looked at. Looks at so many at most.
    pub fn rounds_to(&self, registers: &[u64; 16], most: u64, is_it: impl Fn(&[u64; 16]) -> bool) -> Option<u64> {
        let is_there = |rounds: &u64| [false, true].iter().any(|down| is_it(&self.after(registers, *rounds, *down)));
        (1..registers[RCX].min(most)).find(is_there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: u64 = 5;

    fn registers() -> [u64; 16] {
        let mut registers = [0; 16];
        (registers[RCX], registers[RSI], registers[RDI]) = (COUNT, 0x1000, 0x2000);
        registers
    }

    fn of(code: &[u8]) -> Option<Repeated> {
        repeated(Arch::X86_64, code, RunAddr(0x4000))
    }

    fn three(registers: [u64; 16]) -> (u64, u64, u64) {
        (registers[RCX], registers[RSI], registers[RDI])
    }

    #[test]
    fn other_instructions_are_none() {
        // stosb; mov [rdi], rax; rep stosb with 32-bit addresses; rep movsb from fs; repz ret; nothing
        let others: [&[u8]; 6] =
            [&[0xaa], &[0x48, 0x89, 7], &[0x67, 0xf3, 0xaa], &[0x64, 0xf3, 0xa4], &[0xf3, 0xc3], &[]];
        for code in others {
            assert_eq!(of(code), None, "{code:02x?}");
        }
        assert_eq!(repeated(Arch::Aarch64, &[0xf3, 0xaa], RunAddr(0)), None);
    }

    #[test]
    fn a_written_byte_names_its_round() {
        // rep stosb; rep movsq
        let (fill, copy) = (of(&[0xf3, 0xaa]).unwrap(), of(&[0xf3, 0x48, 0xa5]).unwrap());
        let at = |it: Repeated, address| it.at_access(&registers(), address, true).map(three);
        assert_eq!(at(fill, 0x2000), Some((5, 0x1000, 0x2000)));
        assert_eq!(at(fill, 0x2004), Some((1, 0x1000, 0x2004)));
        assert_eq!(at(fill, 0x2005), None);
        assert_eq!(at(fill, 0x1ffd), Some((2, 0x1000, 0x1ffd)));
        assert_eq!(at(copy, 0x2011), Some((3, 0x1010, 0x2010)));
        assert_eq!(at(copy, 0x2028), None);
        assert_eq!(at(copy, 0x1ff5), Some((3, 0xff0, 0x1ff0)));
    }

    #[test]
    fn a_byte_that_is_read_names_its_round_unless_two_may_read_it() {
        // rep lodsw; repne scasb; repe cmpsb; rep movsb
        let (load, scan) = (of(&[0xf3, 0x66, 0xad]).unwrap(), of(&[0xf2, 0xae]).unwrap());
        let (compare, copy) = (of(&[0xf3, 0xa6]).unwrap(), of(&[0xf3, 0xa4]).unwrap());
        let at = |it: Repeated, address| it.at_access(&registers(), address, false).map(three);
        assert_eq!(at(load, 0x1003), Some((4, 0x1002, 0x2000)));
        assert_eq!(at(scan, 0x2003), Some((2, 0x1000, 0x2003)));
        assert_eq!(at(compare, 0x1001), Some((4, 0x1001, 0x2001)));
        assert_eq!(at(compare, 0x2001), Some((4, 0x1001, 0x2001)));
        assert_eq!(at(copy, 0x1002), Some((3, 0x1002, 0x2002)));
        assert_eq!(at(copy, 0x2002), None, "it is written, not read");
        let mut near = registers();
        near[RDI] = near[RSI] + 1;
        assert_eq!(compare.at_access(&near, near[RSI] + 2, false), None);
    }

    #[test]
    fn a_round_is_found_by_its_registers() {
        let fill = of(&[0xf3, 0xaa]).unwrap();
        let third = fill.after(&registers(), 3, true);
        assert_eq!(three(third), (2, 0x1000, 0x1ffd));
        assert_eq!(fill.rounds_to(&registers(), 100, |now| *now == third), Some(3));
        assert_eq!(fill.rounds_to(&registers(), 3, |now| *now == third), None);
        assert_eq!(fill.rounds_to(&registers(), 100, |now| *now == registers()), None);
    }
}
