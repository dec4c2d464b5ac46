//! Where bytes come from that are moved between vector registers, general ones and memory, or computed in the former.

use super::{Asked, Operand, Source};
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// Bytes of the parts of wide registers that shuffles stay in.
const PART: usize = 16;

/// Where a byte comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// This byte of the operand of this number.
    Operand(u32, usize),
    Zero,
}

/// Numbers in vector registers that an instruction computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lanes {
    /// Bytes of each result.
    size: usize,
    /// Bytes of each number that it reads.
    reads: usize,
    /// Only the first is computed, the others are those of the first source.
    is_scalar: bool,
    /// What it reads are floating-point numbers.
    is_float: bool,
    /// It reads its last operand only.
    is_unary: bool,
}

/// Returns the operands that are not immediate: the first source, which may be what is written, and the last one.
fn sources(i: &Instruction) -> Option<(u32, u32)> {
    let is_place = |n: &u32| matches!(i.op_kind(*n), OpKind::Register | OpKind::Memory);
    let places: Vec<u32> = (0..i.op_count()).filter(is_place).collect();
    let last = *places.last()?;
    Some((u32::from(places.len() > 2), last))
}

/// Returns the size of the elements that an instruction interleaves, and whether those of the high half.
fn unpacked(mnemonic: Mnemonic) -> Option<(usize, bool)> {
    use Mnemonic as M;
    Some(match mnemonic {
        M::Punpcklbw | M::Vpunpcklbw => (1, false),
        M::Punpckhbw | M::Vpunpckhbw => (1, true),
        M::Punpcklwd | M::Vpunpcklwd => (2, false),
        M::Punpckhwd | M::Vpunpckhwd => (2, true),
        M::Punpckldq | M::Vpunpckldq | M::Unpcklps | M::Vunpcklps => (4, false),
        M::Punpckhdq | M::Vpunpckhdq | M::Unpckhps | M::Vunpckhps => (4, true),
        M::Punpcklqdq | M::Vpunpcklqdq | M::Unpcklpd | M::Vunpcklpd => (8, false),
        M::Punpckhqdq | M::Vpunpckhqdq | M::Unpckhpd | M::Vunpckhpd => (8, true),
        _ => return None,
    })
}

/// Returns the size of the element that an instruction puts into a vector register, or takes out of it.
fn element(mnemonic: Mnemonic) -> Option<usize> {
    use Mnemonic as M;
    Some(match mnemonic {
        M::Pinsrb | M::Vpinsrb | M::Pextrb | M::Vpextrb => 1,
        M::Pinsrw | M::Vpinsrw | M::Pextrw | M::Vpextrw => 2,
        M::Pinsrd | M::Vpinsrd | M::Pextrd | M::Vpextrd | M::Extractps | M::Vextractps => 4,
        M::Pinsrq | M::Vpinsrq | M::Pextrq | M::Vpextrq => 8,
        _ => return None,
    })
}

fn is_whole_move(mnemonic: Mnemonic) -> bool {
    use Mnemonic as M;
    matches!(
        mnemonic,
        M::Movaps
            | M::Movups
            | M::Movapd
            | M::Movupd
            | M::Movdqa
            | M::Movdqu
            | M::Lddqu
            | M::Movntps
            | M::Movntpd
            | M::Movntdq
            | M::Vmovaps
            | M::Vmovups
            | M::Vmovapd
            | M::Vmovupd
            | M::Vmovdqa
            | M::Vmovdqu
            | M::Vlddqu
            | M::Vmovntps
            | M::Vmovntpd
            | M::Vmovntdq
            | M::Vmovdqu8
            | M::Vmovdqu16
            | M::Vmovdqu32
            | M::Vmovdqu64
            | M::Vmovdqa32
            | M::Vmovdqa64
    )
}

/// Returns where a byte of what the instruction writes comes from. `None`: it does not only move bytes, or is not
/// known.
fn moved(i: &Instruction, byte: usize) -> Option<Origin> {
    use Mnemonic as M;
    let (first, last) = sources(i)?;
    let is_stored = i.op_kind(0) == OpKind::Memory;
    let is_loaded = i.op_kind(last) == OpKind::Memory;
    let (within, part) = (byte % PART, byte / PART * PART);
    let shift = usize::from(i.immediate8());
    let of_first = Origin::Operand(first, byte);
    let of_last = |at: usize| Origin::Operand(last, at);
    // The low bytes of a register, and the rest of what comes before, or zeros.
    let low = |size: usize, rest: Origin| if byte < size { of_last(byte) } else { rest };
    if let Some((size, is_high)) = unpacked(i.mnemonic()) {
        let number = within / size;
        let at = part + (number / 2) * size + if is_high { PART / 2 } else { 0 } + within % size;
        return Some(Origin::Operand(if number.is_multiple_of(2) { first } else { last }, at));
    }
    if let Some(size) = element(i.mnemonic()) {
        let at = shift % (PART / size) * size;
        let is_inserted = i.op_register(0).is_vector_register() && !is_stored;
        return Some(match is_inserted {
            true if (at..at + size).contains(&byte) => of_last(byte - at),
            true => of_first,
            false if byte < size => of_last(at + byte),
            false => Origin::Zero,
        });
    }
    if is_whole_move(i.mnemonic()) {
        return Some(of_last(byte));
    }
    Some(match i.mnemonic() {
        M::Movss | M::Vmovss | M::Movsd | M::Vmovsd if i.is_string_instruction() => return None,
        M::Movss | M::Vmovss => low(4, if is_loaded { Origin::Zero } else { of_first }),
        M::Movsd | M::Vmovsd => low(8, if is_loaded { Origin::Zero } else { of_first }),
        M::Movd | M::Vmovd => low(4, Origin::Zero),
        M::Movq | M::Vmovq => low(8, Origin::Zero),
        M::Movlps | M::Vmovlps | M::Movlpd | M::Vmovlpd => low(8, of_first),
        M::Movhps | M::Vmovhps | M::Movhpd | M::Vmovhpd if is_stored => of_last(byte + 8),
        M::Movhps | M::Vmovhps | M::Movhpd | M::Vmovhpd | M::Movlhps | M::Vmovlhps => match byte.checked_sub(8) {
            Some(at) => of_last(at),
            None => of_first,
        },
        M::Movhlps | M::Vmovhlps => low(0, if byte < 8 { of_last(byte + 8) } else { of_first }),
        M::Movddup | M::Vmovddup => of_last(part + within % 8),
        M::Pshufd | M::Vpshufd => of_last(part + (shift >> (2 * (within / 4)) & 3) * 4 + within % 4),
        M::Shufps | M::Vshufps => {
            let at = part + (shift >> (2 * (within / 4)) & 3) * 4 + within % 4;
            Origin::Operand(if within < 8 { first } else { last }, at)
        }
        M::Shufpd | M::Vshufpd => {
            let at = part + (shift >> (byte / 8) & 1) * 8 + within % 8;
            Origin::Operand(if within < 8 { first } else { last }, at)
        }
        M::Psrldq | M::Vpsrldq if within + shift < PART => of_last(byte + shift),
        M::Pslldq | M::Vpslldq if within >= shift => of_last(byte - shift),
        M::Psrldq | M::Vpsrldq | M::Pslldq | M::Vpslldq => Origin::Zero,
        _ => return None,
    })
}

/// Returns what an instruction computes with, if it computes with numbers in vector registers.
fn lanes(i: &Instruction, name: &str) -> Option<Lanes> {
    let scalar = |size, reads, is_float| Lanes { size, reads, is_scalar: true, is_float, is_unary: true };
    let converted = match name {
        "cvtsi2sd" => Some(scalar(8, 0, false)),
        "cvtsi2ss" => Some(scalar(4, 0, false)),
        "cvtss2sd" => Some(scalar(8, 4, true)),
        "cvtsd2ss" => Some(scalar(4, 8, true)),
        // The result is in a general register.
        "cvtsd2si" | "cvttsd2si" => Some(scalar(8, 8, true)),
        "cvtss2si" | "cvttss2si" => Some(scalar(8, 4, true)),
        _ => None,
    };
    if converted.is_some() {
        return converted;
    }
    let is_any = |starts: &[&str]| starts.iter().any(|start| name.starts_with(start));
    let ending = |ending: &str| match ending {
        "sd" => Some((8, true)),
        "ss" => Some((4, true)),
        "pd" => Some((8, false)),
        "ps" => Some((4, false)),
        _ => None,
    };
    if let Some((size, is_scalar)) = name.get(name.len().saturating_sub(2)..).and_then(ending) {
        let is_unary = is_any(&["sqrt", "round", "rcp", "rsqrt"]);
        let is_known = is_any(&["add", "sub", "mul", "div", "min", "max", "fmadd", "fmsub", "fnmadd", "fnmsub"]);
        // Of the sum of neighbours, and of what is added and subtracted in turns, nobody asks.
        let is_other = is_any(&["addsub", "addsubp"]);
        return ((is_known || is_unary) && !is_other).then_some(Lanes {
            size,
            reads: size,
            is_scalar,
            is_float: true,
            is_unary,
        });
    }
    let whole = |size| Some(Lanes { size, reads: size, is_scalar: false, is_float: false, is_unary: false });
    match i.mnemonic() {
        Mnemonic::Paddb | Mnemonic::Vpaddb | Mnemonic::Psubb | Mnemonic::Vpsubb => whole(1),
        Mnemonic::Paddw | Mnemonic::Vpaddw | Mnemonic::Psubw | Mnemonic::Vpsubw => whole(2),
        Mnemonic::Pmullw | Mnemonic::Vpmullw => whole(2),
        Mnemonic::Paddd | Mnemonic::Vpaddd | Mnemonic::Psubd | Mnemonic::Vpsubd => whole(4),
        Mnemonic::Pmulld | Mnemonic::Vpmulld => whole(4),
        Mnemonic::Paddq | Mnemonic::Vpaddq | Mnemonic::Psubq | Mnemonic::Vpsubq => whole(8),
        _ => None,
    }
}

/// Returns whether an instruction combines bits; each byte is made of those at the same place. And whether of
/// floating-point numbers.
fn of_bits(name: &str) -> Option<bool> {
    match name {
        "andps" | "andpd" | "andnps" | "andnpd" | "orps" | "orpd" | "xorps" | "xorpd" => Some(true),
        "pand" | "pandn" | "por" | "pxor" => Some(false),
        _ => None,
    }
}

impl Asked {
    /// Returns the source of bytes that an instruction moves which knows vector registers. `None`: it does not only
    /// move bytes.
    pub(super) fn vector_move(&self) -> Option<Source> {
        let i = &self.i;
        // A mask leaves bytes out.
        if i.op_mask() != Register::None {
            return None;
        }
        let origins: Vec<Origin> =
            (self.offset..self.offset.checked_add(self.length)?).map(|byte| moved(i, byte)).collect::<Option<_>>()?;
        let zeros = origins.iter().rev().take_while(|origin| **origin == Origin::Zero).count();
        let kept = origins.len() - zeros;
        let Some(Origin::Operand(n, from)) = origins.first().copied() else {
            return Some(if kept == 0 { Source::Constant(0) } else { self.unknown() });
        };
        let is_next = |(into, origin): (usize, &Origin)| *origin == Origin::Operand(n, from + into);
        if !origins.iter().take(kept).enumerate().all(is_next) {
            return Some(Source::Unknown(format!("{}, which puts several parts together", self.mnemonic())));
        }
        if zeros > 0 {
            return Some(Source::ZeroExtended(kept));
        }
        Some(self.part_of_operand(n, from, kept).map_or_else(|| self.unknown(), Source::Copied))
    }

    /// Returns the source of what is computed in vector registers: the numbers at its place. `None`: it is not known
    /// what the instruction reads.
    pub(super) fn vector_arithmetic(&self) -> Option<Source> {
        let i = &self.i;
        if i.op_mask() != Register::None {
            return None;
        }
        let name = self.mnemonic();
        let name = name.strip_prefix('v').unwrap_or(&name);
        // Of a fused multiplication and addition all three are read; else what is written, if there is no other.
        let (first, last) = sources(i)?;
        let first = if name.starts_with('f') { 0 } else { first };
        if let Some(of_floats) = of_bits(name) {
            return self.made_of(first..=last, (self.offset, self.length), of_floats);
        }
        let Lanes { size, reads, is_scalar, is_float, is_unary } = lanes(i, name)?;
        let (number, end) = (self.offset / size, self.offset.checked_add(self.length)?);
        if is_scalar && self.offset >= size {
            return self.part_of_operand(first, self.offset, self.length).map(Source::Copied);
        }
        if end > (number + 1) * size {
            return None;
        }
        let operands = if is_unary { last..=last } else { first..=last };
        if reads == 0 {
            let inputs = operands.filter_map(|n| self.operand(n)).collect();
            return Some(Source::Computed { mnemonic: self.mnemonic(), inputs, of_floats: false });
        }
        self.made_of(operands, (number * reads, reads), is_float)
    }

    /// Returns that the same bytes of all these operands are what something is computed of.
    fn made_of(
        &self,
        operands: std::ops::RangeInclusive<u32>,
        (from, length): (usize, usize),
        of_floats: bool,
    ) -> Option<Source> {
        let mut inputs: Vec<Operand> = Vec::new();
        for n in operands.filter(|n| matches!(self.i.op_kind(*n), OpKind::Register | OpKind::Memory)) {
            let input = self.part_of_operand(n, from, length)?;
            if !inputs.contains(&input) {
                inputs.push(input);
            }
        }
        Some(Source::Computed { mnemonic: self.mnemonic(), inputs, of_floats })
    }

    /// Returns some bytes of an operand.
    fn part_of_operand(&self, n: u32, from: usize, length: usize) -> Option<Operand> {
        Some(match self.operand(n)? {
            Operand::Register { number, offset, .. } => {
                Operand::Register { number, offset: offset + from, size: length }
            }
            Operand::Memory { .. } => Operand::Memory { offset: from, size: length },
            Operand::Constant(_) => return None,
        })
    }
}
