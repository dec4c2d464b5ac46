//! Machine code, as far as translations need it.

use super::layout::REGION;

/// A general register, by its number in the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register(pub u8);

pub const RAX: Register = Register(0);
pub const RCX: Register = Register(1);
pub const RDX: Register = Register(2);
pub const RBX: Register = Register(3);
pub const RSI: Register = Register(6);
pub const RDI: Register = Register(7);
pub const R11: Register = Register(11);

/// Code being written.
#[derive(Debug, Default)]
pub struct Assembler {
    pub code: Vec<u8>,
}

impl Assembler {
    /// Returns the offset of what is written next.
    pub fn here(&self) -> u32 {
        self.code.len() as u32
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.code.extend_from_slice(bytes);
    }

    pub fn imm32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes an instruction with a 64-bit operand at an absolute address: `opcode` with ModRM.reg `reg`.
    fn absolute(&mut self, opcode: u8, reg: u8, offset: u64) {
        let rex = 0x48 | (reg >> 3 & 1) << 2;
        self.bytes(&[rex, opcode, 0x04 | (reg & 7) << 3, 0x25]);
        self.imm32((REGION + offset) as u32);
    }

    /// Writes `mov [slot], register`, at an offset in the region.
    pub fn store(&mut self, offset: u64, register: Register) {
        self.absolute(0x89, register.0, offset);
    }

    /// Writes `mov register, [slot]`.
    pub fn load(&mut self, register: Register, offset: u64) {
        self.absolute(0x8b, register.0, offset);
    }

    /// Writes `mov dword ptr [slot], value`; returns the offset of the value.
    pub fn store_imm32(&mut self, offset: u64, value: u32) -> u32 {
        self.bytes(&[0xc7, 0x04, 0x25]);
        self.imm32((REGION + offset) as u32);
        self.imm32(value);
        self.here() - 4
    }

    /// Writes `jmp [slot]`.
    pub fn jump_through(&mut self, offset: u64) {
        self.bytes(&[0xff, 0x24, 0x25]);
        self.imm32((REGION + offset) as u32);
    }

    /// Writes `mov register, dword ptr [slot]`, for the eight lower registers.
    pub fn load_half(&mut self, register: Register, offset: u64) {
        self.bytes(&[0x8b, 0x04 | register.0 << 3, 0x25]);
        self.imm32((REGION + offset) as u32);
    }

    /// Writes `fxsave64` at an offset in the region.
    pub fn save_x87(&mut self, offset: u64) {
        self.bytes(&[0x48, 0x0f, 0xae, 0x04, 0x25]);
        self.imm32((REGION + offset) as u32);
    }

    /// Writes `mov register, value`, in its shortest form that leaves the flags alone; for the eight lower registers.
    pub fn load_immediate(&mut self, register: Register, value: u64) {
        match u32::try_from(value) {
            Ok(value) => {
                self.bytes(&[0xb8 | register.0]);
                self.imm32(value);
            }
            Err(_) => {
                self.bytes(&[0x48, 0xb8 | register.0]);
                self.bytes(&value.to_le_bytes());
            }
        }
    }

    /// Writes `lea register, [register + value]`, for the eight lower registers but rsp.
    pub fn add(&mut self, register: Register, value: i8) {
        self.bytes(&[0x48, 0x8d, 0x40 | register.0 << 3 | register.0, value as u8]);
    }

    /// Writes `jmp` to a place not known yet; returns the offset of its rel32.
    pub fn jump(&mut self) -> u32 {
        self.bytes(&[0xe9, 0, 0, 0, 0]);
        self.here() - 4
    }

    /// Writes a conditional jump to a place not known yet; returns the offset of its rel32.
    pub fn jump_if(&mut self, condition: u8) -> u32 {
        self.bytes(&[0x0f, 0x80 | condition, 0, 0, 0, 0]);
        self.here() - 4
    }

    /// Writes `jrcxz` to a place not known yet but near; returns the offset of its rel8.
    pub fn jump_if_rcx_is_zero(&mut self) -> u32 {
        self.bytes(&[0xe3, 0]);
        self.here() - 1
    }

    /// Makes the rel8 at `field` lead to here.
    pub fn aim_short(&mut self, field: u32) {
        self.code[field as usize] = (self.here() - field - 1) as u8;
    }

    /// Makes the rel32 at `field` lead to `to`.
    pub fn aim(&mut self, field: u32, to: u32) {
        let from = field as usize;
        self.code[from..from + 4].copy_from_slice(&to.wrapping_sub(field + 4).to_le_bytes());
    }
}
