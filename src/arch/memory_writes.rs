//! What an instruction writes to memory, as far as the registers in front of it tell.

use super::preserved_registers::instruction;
use super::{Arch, MAX_INSTRUCTION, RunAddr};
use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register, UsedMemory};

/// The bit of `eflags` that has string instructions go down.
const DIRECTION_FLAG: u64 = 1 << 10;

/// Bytes that an instruction may write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// Where they begin.
    pub address: u64,
    /// How many.
    pub length: u64,
    /// What it writes, if that is a register or a constant.
    pub bytes: Option<Vec<u8>>,
}

/// Returns whether the instruction that `code`, found at `at`, begins with reads memory and writes it: `add`, `xchg`.
pub fn updates_memory(arch: Arch, code: &[u8], at: RunAddr) -> bool {
    let code = code.get(..MAX_INSTRUCTION.min(code.len())).filter(|_| arch == Arch::X86_64);
    let Some(i) = code.and_then(|code| instruction(code, at.0)) else { return false };
    let mut info = InstructionInfoFactory::new();
    let is_update = |access| matches!(access, OpAccess::ReadWrite | OpAccess::ReadCondWrite);
    info.info(&i).used_memory().iter().any(|memory| is_update(memory.access()))
}

/// Finds what the instruction that `code`, found at `at`, begins with may write. `None` if that cannot be told: it
/// enters the kernel, or where it writes is not known. `register` has the registers in front of it.
pub fn stores(arch: Arch, code: &[u8], at: RunAddr, register: &dyn Fn(&str) -> Option<u64>) -> Option<Vec<Store>> {
    if arch != Arch::X86_64 {
        return None;
    }
    let i = instruction(code.get(..MAX_INSTRUCTION.min(code.len()))?, at.0)?;
    let is_kernel = matches!(i.mnemonic(), Mnemonic::Syscall | Mnemonic::Sysenter);
    let is_plain =
        !matches!(i.flow_control(), FlowControl::Interrupt | FlowControl::XbeginXabortXend | FlowControl::Exception);
    if is_kernel || !is_plain {
        return None;
    }
    let mut info = InstructionInfoFactory::new();
    let used = info.info(&i).used_memory();
    used.iter().filter(|memory| is_written(memory)).map(|memory| store(&i, memory, register)).collect()
}

fn is_written(memory: &UsedMemory) -> bool {
    matches!(memory.access(), OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}

fn store(i: &Instruction, memory: &UsedMemory, register: &dyn Fn(&str) -> Option<u64>) -> Option<Store> {
    // Of a repeated instruction, only the instruction knows the size of one turn; of one that compresses, the size is
    // told of one element, and all may be written.
    let sizes = match is_compressing(i) {
        true => [i.op1_register().size(), 0],
        false => [memory.memory_size().size(), i.memory_size().size()],
    };
    let size = u64::try_from(sizes.into_iter().find(|size| *size > 0)?).ok()?;
    if memory.vsib_size() != 0 {
        return None;
    }
    let address = memory.virtual_address(0, |wanted, _, _| match wanted {
        Register::ES | Register::CS | Register::SS | Register::DS => Some(0),
        Register::FS => register("fs_base"),
        Register::GS => register("gs_base"),
        _ => register_value(wanted, register),
    })?;
    if i.is_string_instruction() && (i.has_rep_prefix() || i.has_repne_prefix()) {
        let length = register("rcx")?.checked_mul(size)?;
        let goes_down = register("eflags")? & DIRECTION_FLAG != 0;
        let below = if goes_down { length.saturating_sub(size) } else { 0 };
        return Some(Store { address: address.wrapping_sub(below), length, bytes: None });
    }
    let is_move = matches!(i.mnemonic(), Mnemonic::Mov | Mnemonic::Movnti) && i.op0_kind() == OpKind::Memory;
    let moved = if is_move { source(i, register) } else { None };
    let bytes = moved.and_then(|value| Some(value.to_le_bytes().get(..usize::try_from(size).ok()?)?.to_vec()));
    Some(Store { address, length: size, bytes })
}

/// Returns whether it writes those elements of a vector that a mask names, one behind the other.
fn is_compressing(i: &Instruction) -> bool {
    use Mnemonic as M;
    matches!(
        i.mnemonic(),
        M::Vcompresspd | M::Vcompressps | M::Vpcompressb | M::Vpcompressd | M::Vpcompressq | M::Vpcompressw
    )
}

/// Returns the value that a move writes.
fn source(i: &Instruction, register: &dyn Fn(&str) -> Option<u64>) -> Option<u64> {
    match i.op1_kind() {
        OpKind::Register if i.op1_register().is_gpr() => register_value(i.op1_register(), register),
        OpKind::Register | OpKind::Memory => None,
        _ => Some(i.immediate(1)),
    }
}

/// Returns the value of a general register or a part of one.
pub(super) fn register_value(wanted: Register, register: &dyn Fn(&str) -> Option<u64>) -> Option<u64> {
    let whole = register(&format!("{:?}", wanted.full_register()).to_lowercase())?;
    Some(match wanted {
        Register::AH | Register::BH | Register::CH | Register::DH => whole >> 8 & 0xff,
        _ => match wanted.size() {
            1 => whole & 0xff,
            2 => whole & 0xffff,
            4 => whole & 0xffff_ffff,
            _ => whole,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn register(name: &str) -> Option<u64> {
        Some(match name {
            "rax" => 0x1122_3344_5566_7788,
            "rcx" => 3,
            "rdi" => 0x5000,
            "rsp" => 0x7000,
            "eflags" => 0x246,
            "fs_base" => 0x10_0000,
            _ => return None,
        })
    }

    /// Address, length and bytes of what is written.
    type Written = (u64, u64, Option<Vec<u8>>);

    fn of(code: &[u8]) -> Option<Vec<Written>> {
        let found = stores(Arch::X86_64, code, RunAddr(0x1000), &register)?;
        Some(found.into_iter().map(|s| (s.address, s.length, s.bytes)).collect())
    }

    #[test]
    fn what_reads_memory_that_it_writes_is_known() {
        let is_update = |code: &[u8]| updates_memory(Arch::X86_64, code, RunAddr(0x1000));
        // add qword [rdi], 1; xchg [rdi], rax; lock xadd [rdi], rax; inc dword [rdi]
        for code in [&[0x48, 0x83, 0x07, 1][..], &[0x48, 0x87, 7], &[0xf0, 0x48, 0x0f, 0xc1, 7], &[0xff, 7]] {
            assert!(is_update(code), "{code:02x?}");
        }
        // mov [rdi], rax; mov rax, [rdi]; push rax; nothing
        for code in [&[0x48, 0x89, 7][..], &[0x48, 0x8b, 7], &[0x50], &[]] {
            assert!(!is_update(code), "{code:02x?}");
        }
    }

    #[test]
    fn a_move_writes_what_it_says() {
        // mov %eax,(%rdi); mov %ah,1(%rdi); movl $-2,8(%rdi); movq $-1,(%rdi); mov %ax,0x2000(%rip); mov %rax,%fs:0x10
        assert_eq!(of(&[0x89, 0x07]), Some(vec![(0x5000, 4, Some(vec![0x88, 0x77, 0x66, 0x55]))]));
        assert_eq!(of(&[0x88, 0x67, 1]), Some(vec![(0x5001, 1, Some(vec![0x77]))]));
        assert_eq!(
            of(&[0xc7, 0x47, 8, 0xfe, 0xff, 0xff, 0xff]),
            Some(vec![(0x5008, 4, Some(vec![0xfe, 255, 255, 255]))])
        );
        assert_eq!(of(&[0x48, 0xc7, 0x07, 0xff, 0xff, 0xff, 0xff]), Some(vec![(0x5000, 8, Some(vec![255; 8]))]));
        assert_eq!(of(&[0x66, 0x89, 0x05, 0, 0x10, 0, 0]), Some(vec![(0x2007, 2, Some(vec![0x88, 0x77]))]));
        let tls = [0x64, 0x48, 0x89, 0x04, 0x25, 0x10, 0, 0, 0];
        let rax = register("rax").map(|rax| rax.to_le_bytes().to_vec());
        assert_eq!(of(&tls), Some(vec![(0x10_0010, 8, rax)]));
    }

    #[test]
    fn others_write_somewhere() {
        // addl $1,(%rdi); xchg %eax,(%rdi); push %rax; call; movups %xmm0,(%rdi); stosl; rep stosq
        assert_eq!(of(&[0x83, 0x07, 1]), Some(vec![(0x5000, 4, None)]));
        assert_eq!(of(&[0x87, 0x07]), Some(vec![(0x5000, 4, None)]));
        assert_eq!(of(&[0x50]), Some(vec![(0x6ff8, 8, None)]));
        assert_eq!(of(&[0xe8, 0, 0, 0, 0]), Some(vec![(0x6ff8, 8, None)]));
        assert_eq!(of(&[0x0f, 0x11, 0x07]), Some(vec![(0x5000, 16, None)]));
        assert_eq!(of(&[0xab]), Some(vec![(0x5000, 4, None)]));
        assert_eq!(of(&[0xf3, 0x48, 0xab]), Some(vec![(0x5000, 24, None)]));
        // vmovdqu8 %ymm16,(%rdi){%k1}; vpcompressd %zmm3,(%rdi){%k1}
        assert_eq!(of(&[0x62, 0xe1, 0x7f, 0x29, 0x7f, 0x07]), Some(vec![(0x5000, 32, None)]));
        assert_eq!(of(&[0x62, 0xf2, 0x7d, 0x49, 0x8b, 0x1f]), Some(vec![(0x5000, 64, None)]));
    }

    #[test]
    fn what_only_reads_writes_nothing_and_the_kernel_anything() {
        // mov (%rdi),%eax; cmpl $1,(%rdi); nop; syscall; int3; of rbx nothing is known: mov %eax,(%rbx)
        for code in [&[0x8b, 0x07][..], &[0x83, 0x3f, 1], &[0x90]] {
            assert_eq!(of(code), Some(Vec::new()));
        }
        for code in [&[0x0f, 0x05][..], &[0xcc], &[0x89, 0x03], &[]] {
            assert_eq!(of(code), None);
        }
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..20), at: u64, value: u64) {
            stores(Arch::X86_64, &bytes, RunAddr(at), &|_| Some(value));
        }
    }
}
