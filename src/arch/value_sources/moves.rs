//! Where bytes come from that are moved between general registers and memory: as they are, wider, or exchanged.

use super::{Asked, Operand, Source, Written, is_high};
use iced_x86::OpKind;

impl Asked {
    /// Returns the offset of the bytes in what the first operand is.
    fn offset_in_first(&self) -> Option<usize> {
        let is_high = self.i.op_kind(0) == OpKind::Register && is_high(self.i.op_register(0));
        self.offset.checked_sub(usize::from(is_high))
    }

    /// Returns the source of bytes that are those of an operand. What is pushed is as wide as the stack.
    pub(super) fn moved(&self, n: u32) -> Source {
        let Some(operand) = self.operand(n) else { return self.unknown() };
        if n == 1 && self.i.op_kind(0) == OpKind::Register && self.to != Written::Memory && !self.is_named(0) {
            return Source::Kept;
        }
        self.within(operand, n == 1)
    }

    /// Returns the source of bytes that are those of this. `is_first`: written to the first operand, which may be a
    /// part of a register.
    pub(super) fn within(&self, operand: Operand, is_first: bool) -> Source {
        let Some(into) = (if is_first { self.offset_in_first() } else { Some(self.offset) }) else {
            return Source::Kept;
        };
        match operand {
            Operand::Constant(value) => {
                let bits = u32::try_from(into * 8).unwrap_or(u32::MAX);
                Source::Constant(value.checked_shr(bits).unwrap_or(0))
            }
            Operand::Register { number, offset, size } => {
                self.part(into, size, |into, length| Operand::Register { number, offset: offset + into, size: length })
            }
            Operand::Memory { offset, size } => {
                self.part(into, size, |into, length| Operand::Memory { offset: offset + into, size: length })
            }
        }
    }

    fn part(&self, into: usize, size: usize, operand: impl Fn(usize, usize) -> Operand) -> Source {
        if into >= size {
            Source::Kept
        } else if into + self.length <= size {
            Source::Copied(operand(into, self.length))
        } else {
            // Of a part of a register, or of more than one, nobody has written all.
            Source::Unknown(format!("{}, which writes only a part of it", self.mnemonic()))
        }
    }

    /// Returns the source of bytes that are those of a narrower operand, and its sign or zeros.
    pub(super) fn narrower(&self, n: u32, is_signed: bool) -> Source {
        let size = self.width(n);
        let Some(operand) = self.operand(n) else { return self.unknown() };
        self.extended(operand, size, is_signed)
    }

    pub(super) fn sign_of_rax(&self, size: usize) -> Source {
        if self.to != Written::Register(0) {
            return Source::Kept;
        }
        self.extended(Operand::Register { number: 0, offset: 0, size }, size, true)
    }

    fn extended(&self, operand: Operand, size: usize, is_signed: bool) -> Source {
        let end = self.offset + self.length;
        if end <= size {
            return self.within(operand, false);
        }
        match (is_signed, self.offset < size) {
            (false, false) => Source::Constant(0),
            (false, true) => Source::ZeroExtended(size - self.offset),
            (true, true) => {
                let kept = size - self.offset;
                let part = match operand {
                    Operand::Register { number, offset, .. } => {
                        Operand::Register { number, offset: offset + self.offset, size: kept }
                    }
                    Operand::Memory { offset, .. } => Operand::Memory { offset: offset + self.offset, size: kept },
                    constant @ Operand::Constant(_) => constant,
                };
                Source::SignExtended(part, kept)
            }
            (true, false) => self.computed(),
        }
    }

    pub(super) fn exchanged(&self) -> Source {
        let other = if self.to == Written::Memory || !self.is_named(0) { (0, 1) } else { (1, 0) };
        let (first, second) = (self.operand(0), self.operand(1));
        let from = match (self.to, first, second) {
            // Memory is the first operand.
            (Written::Memory, Some(Operand::Memory { .. }), Some(register)) => Some(register),
            (Written::Memory, Some(register), Some(Operand::Memory { .. })) => Some(register),
            (_, first, second) => {
                if other.0 == 1 {
                    second
                } else {
                    first
                }
            }
        };
        from.map_or_else(|| self.unknown(), |from| self.within(from, false))
    }

    pub(super) fn either(&self, old: Operand, new: Operand) -> Source {
        match (self.within(old, true), self.within(new, true)) {
            (Source::Copied(old), Source::Copied(new)) => Source::Either(old, new),
            _ => self.unknown(),
        }
    }

    pub(super) fn string_copy(&self) -> Source {
        if self.to != Written::Memory {
            return self.computed();
        }
        match self.i.has_rep_prefix() || self.i.has_repne_prefix() {
            true => Source::Repeated,
            false => self.within(Operand::Memory { offset: 0, size: self.i.memory_size().size() }, false),
        }
    }
}
