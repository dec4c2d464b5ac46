//! Where what an instruction writes comes from.

mod vectors;

use super::memory_operands::accesses;
use super::memory_writes::register_value;
use super::preserved_registers::instruction;
use super::return_emulation::number;
use super::{Arch, MAX_INSTRUCTION, RunAddr};
use iced_x86::{
    FlowControl, Instruction, InstructionInfoFactory, MemorySize, Mnemonic, OpAccess, OpKind, Register, UsedRegister,
};

/// DWARF number of xmm0 (System V ABI for AMD64, figure 3.36); fifteen others follow.
const XMM0: u16 = 17;
/// Bytes of a general register.
const WORD: usize = 8;
/// Most instructions of a function that are listed.
const MOST_INSTRUCTIONS: usize = 50_000;
/// What a called function may change (System V ABI for AMD64, section 3.2.1), by DWARF number: rax, rdx, rcx, rsi, rdi
/// and r8 to r11.
const CALLER_SAVED: u64 = 0b1111_0011_0111 | XMMS;
/// The vector registers.
const XMMS: u64 = 0xffff << XMM0;
/// What the kernel changes: rax, rcx and r11.
const OF_KERNEL: u64 = 1 | 1 << 2 | 1 << 11;

/// Registers by DWARF number: the general ones and the vector registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegisterSet(u64);

impl RegisterSet {
    /// Returns whether a register is one of them.
    pub fn contains(self, number: u16) -> bool {
        1u64.checked_shl(u32::from(number)).is_some_and(|bit| self.0 & bit != 0)
    }

    /// Returns whether they have none in common.
    pub fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }
}

/// How an instruction goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onward {
    /// With the next one.
    Next,
    /// There or with the next one.
    Branch(Option<u64>),
    /// There, if that is known.
    Jump(Option<u64>),
    /// In a function, if it is known which.
    Call(Option<u64>),
    /// At its caller.
    Return,
    /// In the kernel.
    Kernel,
    /// Nowhere.
    Ends,
}

/// An instruction of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Where it is.
    pub at: u64,
    /// Where the next one is.
    pub next: u64,
    /// How it goes on.
    pub onward: Onward,
    /// The registers that it, or what it calls, may write.
    pub writes: RegisterSet,
    /// The registers that are in the address of its operand in memory.
    pub addressed_by: RegisterSet,
}

/// Lists the instructions of some code, found at `at`, from its beginning.
pub fn listing(arch: Arch, code: &[u8], at: RunAddr) -> Vec<Listed> {
    let mut list = Vec::new();
    if arch != Arch::X86_64 {
        return list;
    }
    let mut info = InstructionInfoFactory::new();
    let mut offset = 0;
    while let Some(rest) = code.get(offset..).filter(|rest| !rest.is_empty() && list.len() < MOST_INSTRUCTIONS) {
        let from = at.0.wrapping_add(offset as u64);
        let Some(i) = instruction(rest.get(..MAX_INSTRUCTION.min(rest.len())).unwrap_or(rest), from) else {
            offset += 1;
            continue;
        };
        offset += i.len();
        list.push(listed(&i, &mut info));
    }
    list
}

fn listed(i: &Instruction, info: &mut InstructionInfoFactory) -> Listed {
    let target = || {
        Some(i.near_branch_target()).filter(|_| {
            i.is_call_near()
                || i.is_jmp_short_or_near()
                || i.is_jcc_short_or_near()
                || i.is_loop()
                || i.is_jcx_short()
                || i.is_loopcc()
        })
    };
    let is_kernel = matches!(i.mnemonic(), Mnemonic::Syscall | Mnemonic::Sysenter);
    let onward = match i.flow_control() {
        _ if is_kernel => Onward::Kernel,
        FlowControl::Next => Onward::Next,
        FlowControl::ConditionalBranch => Onward::Branch(target()),
        FlowControl::UnconditionalBranch => Onward::Jump(target()),
        FlowControl::IndirectBranch => Onward::Jump(None),
        FlowControl::Call => Onward::Call(target()),
        FlowControl::IndirectCall => Onward::Call(None),
        FlowControl::Return => Onward::Return,
        FlowControl::Interrupt => Onward::Kernel,
        FlowControl::Exception | FlowControl::XbeginXabortXend => Onward::Ends,
    };
    let writes = match onward {
        Onward::Call(_) => CALLER_SAVED,
        Onward::Kernel => OF_KERNEL,
        _ => info
            .info(i)
            .used_registers()
            .iter()
            .filter(|used| is_written(used))
            .fold(0, |set, used| set | bit(used.register())),
    };
    let addressed_by = bit(i.memory_base()) | bit(i.memory_index());
    // String instructions and the stack's name no operand.
    let implied = info.info(i).used_memory().iter().fold(0, |set, used| set | bit(used.base()) | bit(used.index()));
    Listed {
        at: i.ip(),
        next: i.next_ip(),
        onward,
        writes: RegisterSet(writes),
        addressed_by: RegisterSet(addressed_by | implied),
    }
}

fn is_written(used: &UsedRegister) -> bool {
    matches!(used.access(), OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}

fn is_read(used: &UsedRegister) -> bool {
    matches!(used.access(), OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}

fn bit(register: Register) -> u64 {
    dwarf_number(register).and_then(|number| 1u64.checked_shl(u32::from(number))).unwrap_or(0)
}

/// Returns the DWARF number of a general register or a part of one, or of a vector register below 16.
fn dwarf_number(register: Register) -> Option<u16> {
    match register.full_register() {
        vector if vector.is_vector_register() => {
            u16::try_from(vector.number()).ok().filter(|number| *number < 16).map(|number| number + XMM0)
        }
        general => number(general).and_then(|number| u16::try_from(number).ok()),
    }
}

/// Something that an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Bytes of a register, by DWARF number.
    Register {
        /// Which.
        number: u16,
        /// The first of the bytes.
        offset: usize,
        /// How many.
        size: usize,
    },
    /// Its operand in memory.
    Memory {
        /// The first of the bytes that are meant.
        offset: usize,
        /// How many.
        size: usize,
    },
    /// A number in the instruction.
    Constant(u64),
}

/// What an instruction writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// A register, by DWARF number.
    Register(u16),
    /// Memory.
    Memory,
}

/// Where some bytes come from that an instruction has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// They were there before.
    Copied(Operand),
    /// So many of them, from the first, come from there; the others are their sign.
    SignExtended(Operand, usize),
    /// Only so many of them, from the first, are written; the others are zero.
    ZeroExtended(usize),
    /// They are this number, whatever was before.
    Constant(u64),
    /// They are the address of something.
    Address,
    /// They were computed.
    Computed {
        /// By this instruction: `add`.
        mnemonic: String,
        /// From these.
        inputs: Vec<Operand>,
        /// They are floating-point numbers.
        of_floats: bool,
    },
    /// They are the sum of rbp and a number: an address in the frame where rbp points to that, else computed of these.
    NearFrame {
        /// By this instruction.
        mnemonic: String,
        /// From these.
        inputs: Vec<Operand>,
    },
    /// They come from the one or from the other.
    Either(Operand, Operand),
    /// They come from as far behind the beginning of what a repeated instruction has read.
    Repeated,
    /// They are the address that a call returns to.
    ReturnAddress,
    /// They are a result of the kernel's.
    Kernel,
    /// The instruction does not write them.
    Kept,
    /// It is not known what the instruction does; its mnemonic.
    Unknown(String),
}

/// Finds where bytes come from that the instruction at the beginning of `code` writes: `length` from `offset` on,
/// counted from the beginning of what it writes to.
pub fn source(arch: Arch, code: &[u8], at: RunAddr, to: Written, offset: usize, length: usize) -> Source {
    let bytes = code.get(..MAX_INSTRUCTION.min(code.len())).filter(|_| arch == Arch::X86_64);
    match bytes.and_then(|bytes| instruction(bytes, at.0)) {
        Some(i) => Asked { i, to, offset, length }.answer(),
        None => Source::Unknown("no instruction".to_owned()),
    }
}

/// Finds where a call goes that names a register or memory: `Ok` is the address, `Err` where in memory that is.
/// `register` has the registers in front of it.
pub fn call_target(
    arch: Arch,
    code: &[u8],
    at: RunAddr,
    register: &dyn Fn(&str) -> Option<u64>,
) -> Option<Result<u64, u64>> {
    let bytes = code.get(..MAX_INSTRUCTION.min(code.len())).filter(|_| arch == Arch::X86_64)?;
    let i = instruction(bytes, at.0).filter(|i| i.flow_control() == FlowControl::IndirectCall)?;
    match i.op0_kind() {
        OpKind::Register => register_value(i.op0_register(), register).map(Ok),
        OpKind::Memory => {
            let found = accesses(arch, code, at, register);
            found.into_iter().find(|access| access.reads).map(|access| Err(access.address))
        }
        _ => None,
    }
}

/// Returns how many bytes the instruction at the beginning of `code` writes to a general register, zeros that come with
/// them apart. `None`: it does not write to it.
pub fn width_written(arch: Arch, code: &[u8], to: u16) -> Option<usize> {
    let bytes = code.get(..MAX_INSTRUCTION.min(code.len())).filter(|_| arch == Arch::X86_64)?;
    let i = instruction(bytes, 0)?;
    let asked = Asked { i, to: Written::Register(to), offset: 0, length: 1 };
    let mut info = InstructionInfoFactory::new();
    let used = info.info(&i).used_registers().iter();
    let written = used.filter(|used| is_written(used) && dwarf_number(used.register()) == Some(to));
    let width = written.map(|used| used.register().size()).max()?;
    // The decoder says that the whole register is written where 32 bits are.
    let named = (0..i.op_count()).find(|n| asked.is_named(*n));
    Some(named.map_or(width, |named| i.op_register(named).size()))
}

/// A question about an instruction.
struct Asked {
    i: Instruction,
    to: Written,
    offset: usize,
    length: usize,
}

impl Asked {
    fn answer(&self) -> Source {
        let i = &self.i;
        let end = self.offset.saturating_add(self.length);
        // A result of 32 bits clears the rest of a general register.
        if let Written::Register(number) = self.to
            && number < XMM0
            && self.writes_half()
        {
            if self.offset >= 4 {
                return Source::Constant(0);
            }
            if end > 4 {
                return Source::ZeroExtended(4 - self.offset);
            }
        }
        match i.mnemonic() {
            Mnemonic::Call => Source::ReturnAddress,
            Mnemonic::Syscall | Mnemonic::Sysenter | Mnemonic::Int => Source::Kernel,
            Mnemonic::Mov | Mnemonic::Movnti if self.is_plain_move() => self.moved(i.op_kind(1), 1),
            Mnemonic::Push => self.moved(i.op_kind(0), 0),
            Mnemonic::Pop if self.is_named(0) || self.to == Written::Memory => {
                self.within(Operand::Memory { offset: 0, size: self.width(0) }, false)
            }
            Mnemonic::Leave if self.to == Written::Register(6) => {
                self.within(Operand::Memory { offset: 0, size: WORD }, false)
            }
            Mnemonic::Movzx => self.narrower(1, false),
            Mnemonic::Movsx | Mnemonic::Movsxd => self.narrower(1, true),
            Mnemonic::Cdqe => self.sign_of_rax(4),
            Mnemonic::Cwde => self.sign_of_rax(2),
            Mnemonic::Cbw => self.sign_of_rax(1),
            Mnemonic::Xchg => self.exchanged(),
            Mnemonic::Cmpxchg if self.to == Written::Memory => match (self.operand(0), self.operand(1)) {
                (Some(old), Some(new)) => self.either(old, new),
                _ => self.unknown(),
            },
            Mnemonic::Lea => self.address(),
            Mnemonic::Movsb | Mnemonic::Movsw | Mnemonic::Movsq => self.string_copy(),
            Mnemonic::Movsd if i.is_string_instruction() => self.string_copy(),
            Mnemonic::Stosb | Mnemonic::Stosw | Mnemonic::Stosd | Mnemonic::Stosq if self.to == Written::Memory => {
                let size = i.memory_size().size().max(1);
                let rax = |offset| Operand::Register { number: 0, offset, size: size - offset };
                let into = self.offset % size;
                if into + self.length <= size { Source::Copied(rax(into)) } else { self.computed() }
            }
            Mnemonic::Xor | Mnemonic::Sub | Mnemonic::Pxor | Mnemonic::Xorps | Mnemonic::Xorpd
                if i.op_count() == 2 && self.is_same(0, 1) =>
            {
                Source::Constant(0)
            }
            Mnemonic::Vpxor | Mnemonic::Vxorps | Mnemonic::Vxorpd if i.op_count() == 3 && self.is_same(1, 2) => {
                Source::Constant(0)
            }
            _ if is_conditional_move(i.mnemonic()) => match (self.operand(0), self.operand(1)) {
                (Some(old), Some(new)) => self.either(old, new),
                _ => self.unknown(),
            },
            _ if self.is_vector() => {
                self.vector_move().or_else(|| self.vector_arithmetic()).unwrap_or_else(|| self.unknown())
            }
            _ if self.mnemonic().starts_with('f') => Source::Unknown(format!("{}, of the x87 unit", self.mnemonic())),
            _ => self.computed(),
        }
    }

    fn mnemonic(&self) -> String {
        format!("{:?}", self.i.mnemonic()).to_lowercase()
    }

    fn unknown(&self) -> Source {
        Source::Unknown(self.mnemonic())
    }

    /// Returns whether it only moves, between general registers, memory and constants.
    fn is_plain_move(&self) -> bool {
        let is_plain = |n: u32| self.i.op_kind(n) != OpKind::Register || self.i.op_register(n).is_gpr();
        is_plain(0) && is_plain(1)
    }

    /// Returns whether an operand is the register that is written.
    fn is_named(&self, n: u32) -> bool {
        self.i.op_kind(n) == OpKind::Register
            && dwarf_number(self.i.op_register(n)).map(Written::Register) == Some(self.to)
    }

    fn is_same(&self, one: u32, other: u32) -> bool {
        let is_register = |n| self.i.op_kind(n) == OpKind::Register;
        is_register(one) && is_register(other) && self.i.op_register(one) == self.i.op_register(other)
    }

    /// Returns whether the general register that is written is so with 32 bits.
    fn writes_half(&self) -> bool {
        let mut info = InstructionInfoFactory::new();
        let used = info.info(&self.i).used_registers();
        let of_it = used
            .iter()
            .filter(|used| is_written(used) && dwarf_number(used.register()).map(Written::Register) == Some(self.to));
        // The decoder says that the whole register is written.
        let named = (0..self.i.op_count()).filter(|n| self.is_named(*n)).map(|n| self.i.op_register(n)).next();
        match named {
            Some(register) => register.is_gpr32(),
            None => of_it.into_iter().any(|used| used.register().is_gpr32()),
        }
    }

    fn is_vector(&self) -> bool {
        matches!(self.to, Written::Register(XMM0..))
            || (0..self.i.op_count())
                .any(|n| self.i.op_kind(n) == OpKind::Register && self.i.op_register(n).is_vector_register())
    }

    /// Returns how many bytes an operand has.
    fn width(&self, n: u32) -> usize {
        match self.i.op_kind(n) {
            OpKind::Register => self.i.op_register(n).size(),
            _ if self.i.memory_size() == MemorySize::Unknown => WORD,
            _ => self.i.memory_size().size(),
        }
    }

    /// Returns an operand as a whole.
    fn operand(&self, n: u32) -> Option<Operand> {
        Some(match self.i.op_kind(n) {
            OpKind::Register => {
                let register = self.i.op_register(n);
                let offset = usize::from(is_high(register));
                Operand::Register { number: dwarf_number(register)?, offset, size: register.size() }
            }
            OpKind::Memory => Operand::Memory { offset: 0, size: self.i.memory_size().size() },
            OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64 => return None,
            OpKind::Immediate8
            | OpKind::Immediate16
            | OpKind::Immediate32
            | OpKind::Immediate64
            | OpKind::Immediate8to16
            | OpKind::Immediate8to32
            | OpKind::Immediate8to64
            | OpKind::Immediate32to64 => Operand::Constant(self.i.immediate(n)),
            _ => return None,
        })
    }

    /// Returns the offset of the bytes in what the first operand is.
    fn offset_in_first(&self) -> Option<usize> {
        let is_high = self.i.op_kind(0) == OpKind::Register && is_high(self.i.op_register(0));
        self.offset.checked_sub(usize::from(is_high))
    }

    /// Returns the source of bytes that are those of an operand.
    fn moved(&self, kind: OpKind, n: u32) -> Source {
        let Some(operand) = self.operand(n) else { return self.unknown() };
        if n == 1 && self.i.op_kind(0) == OpKind::Register && self.to != Written::Memory && !self.is_named(0) {
            return Source::Kept;
        }
        // What is pushed is as wide as the stack.
        let _ = kind;
        self.within(operand, n == 1)
    }

    /// Returns the source of bytes that are those of this. `is_first`: written to the first operand, which may be a
    /// part of a register.
    fn within(&self, operand: Operand, is_first: bool) -> Source {
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
    fn narrower(&self, n: u32, is_signed: bool) -> Source {
        let size = self.width(n);
        let Some(operand) = self.operand(n) else { return self.unknown() };
        self.extended(operand, size, is_signed)
    }

    fn sign_of_rax(&self, size: usize) -> Source {
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

    fn exchanged(&self) -> Source {
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

    fn either(&self, old: Operand, new: Operand) -> Source {
        match (self.within(old, true), self.within(new, true)) {
            (Source::Copied(old), Source::Copied(new)) => Source::Either(old, new),
            _ => self.unknown(),
        }
    }

    fn address(&self) -> Source {
        let is_object = |register| matches!(register, Register::RIP | Register::EIP | Register::RSP);
        let base = self.i.memory_base();
        if is_object(base) || base == Register::None && self.i.memory_index() == Register::None {
            return Source::Address;
        }
        let mut inputs = Vec::new();
        let index = self.i.memory_index();
        for register in [base, index] {
            if let Some(number) = dwarf_number(register).filter(|_| register != Register::None) {
                let operand = Operand::Register { number, offset: 0, size: register.size() };
                if !inputs.contains(&operand) {
                    inputs.push(operand);
                }
            }
        }
        if self.i.memory_displacement64() != 0 {
            inputs.push(Operand::Constant(self.i.memory_displacement64()));
        }
        let scale = self.i.memory_index_scale();
        let mnemonic = match (base, index) {
            (_, Register::None) => "lea".to_owned(),
            (Register::None, _) => format!("lea (times {scale})"),
            _ if base == index => format!("lea (times {})", scale + 1),
            _ if scale == 1 => "lea".to_owned(),
            _ => format!("lea (the second times {scale})"),
        };
        match base {
            Register::RBP => Source::NearFrame { mnemonic, inputs },
            _ => Source::Computed { mnemonic, inputs, of_floats: false },
        }
    }

    fn string_copy(&self) -> Source {
        if self.to != Written::Memory {
            return self.computed();
        }
        match self.i.has_rep_prefix() || self.i.has_repne_prefix() {
            true => Source::Repeated,
            false => self.within(Operand::Memory { offset: 0, size: self.i.memory_size().size() }, false),
        }
    }

    /// Returns the source of what is computed, from all that the instruction reads but for addresses.
    fn computed(&self) -> Source {
        let mut info = InstructionInfoFactory::new();
        let read: Vec<Register> = info
            .info(&self.i)
            .used_registers()
            .iter()
            .filter(|used| is_read(used))
            .map(UsedRegister::register)
            .collect();
        let mut inputs: Vec<Operand> = Vec::new();
        for n in 0..self.i.op_count() {
            let is_input = match self.i.op_kind(n) {
                OpKind::Register => {
                    let register = self.i.op_register(n);
                    read.iter().any(|used| used.full_register() == register.full_register())
                }
                OpKind::Memory => info.info(&self.i).used_memory().iter().any(|used| {
                    matches!(
                        used.access(),
                        OpAccess::Read | OpAccess::ReadWrite | OpAccess::ReadCondWrite | OpAccess::CondRead
                    )
                }),
                _ => true,
            };
            if let Some(operand) = self.operand(n).filter(|operand| is_input && !inputs.contains(operand)) {
                inputs.push(operand);
            }
        }
        // Division and the like read what they do not name.
        for register in read {
            let is_address = [self.i.memory_base(), self.i.memory_index()]
                .iter()
                .any(|of| *of != Register::None && of.full_register() == register.full_register());
            let Some(number) = dwarf_number(register).filter(|number| !is_address && *number != 7) else { continue };
            let is_known =
                |operand: &Operand| matches!(operand, Operand::Register { number: known, .. } if *known == number);
            if !inputs.iter().any(is_known) {
                inputs.push(Operand::Register {
                    number,
                    offset: usize::from(is_high(register)),
                    size: register.size(),
                });
            }
        }
        Source::Computed { mnemonic: self.mnemonic(), inputs, of_floats: false }
    }
}

fn is_high(register: Register) -> bool {
    matches!(register, Register::AH | Register::BH | Register::CH | Register::DH)
}

fn is_conditional_move(mnemonic: Mnemonic) -> bool {
    let name = format!("{mnemonic:?}");
    name.starts_with("Cmov")
}

#[cfg(test)]
mod tests;
