//! What has to be known about an instruction before it is single-stepped.
//!
//! No length decoder is needed: a step shows by itself where the next instruction begins.

/// The longest x86 instruction.
pub const MAX_LENGTH: usize = 15;

/// `int3`.
pub const BREAKPOINT: u8 = 0xcc;

/// How an instruction of 64-bit code matters to counting by single steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Nothing to do but step it.
    Ordinary,
    /// Counts when it completes, taken or not: Jcc, `LOOP`, `LOOPE`, `LOOPNE`, `JRCXZ`.
    ConditionalBranch,
    /// `syscall`, `sysenter` or `int 0x80`: entered by the tracer's own request, not by a step.
    SystemCall,
    /// `pushf` of either size, which stores the trap flag a step has set.
    PushFlags,
    /// `popf` of either size and `iret`, which may set the trap flag.
    PopFlags,
    /// `int3`, `int 3` or `int1`: raises `SIGTRAP` by itself.
    Trap,
    /// `cpuid`, of this length. Stepping over it can run the following instruction too, in some virtual machines.
    CpuId { length: u8 },
    /// `rdrand` or `rdseed` of so many bytes into this register.
    Random { register: u8, bytes: u8 },
}

/// Classifies the instruction at the start of `code`, which is 64-bit code and may be cut off.
///
/// Cut-off or overlong instructions are [`Class::Ordinary`]: they fault instead of completing.
pub fn classify(code: &[u8]) -> Class {
    let code = &code[..code.len().min(MAX_LENGTH)];
    let is_prefix =
        |byte: &u8| matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3);
    let prefixes = code.iter().take_while(|byte| is_prefix(byte)).count();
    let Some(&opcode) = code.get(prefixes) else {
        return Class::Ordinary;
    };
    match (opcode, code.get(prefixes + 1)) {
        (0x70..=0x7f | 0xe0..=0xe3, _) | (0x0f, Some(0x80..=0x8f)) => Class::ConditionalBranch,
        (0x0f, Some(0x05 | 0x34)) | (0xcd, Some(0x80)) => Class::SystemCall,
        (0x9c, _) => Class::PushFlags,
        (0x9d | 0xcf, _) => Class::PopFlags,
        (0xcc | 0xf1, _) | (0xcd, Some(0x03)) => Class::Trap,
        (0x0f, Some(0xa2)) => Class::CpuId { length: prefixes as u8 + 2 },
        (0x0f, Some(0xc7)) => random(&code[..prefixes], code.get(prefixes + 2)),
        _ => Class::Ordinary,
    }
}

/// Classifies an instruction of the group of `rdrand` by its prefixes and what follows its opcode.
fn random(prefixes: &[u8], modrm: Option<&u8>) -> Class {
    const WIDE: u8 = 8;
    const HIGH: u8 = 1;
    // With a repeat prefix these are `senduipi` and `rdpid`; with a lock they fault.
    let is_other = prefixes.iter().any(|prefix| matches!(prefix, 0xf0 | 0xf2 | 0xf3));
    let Some(&modrm @ 0xf0..=0xff) = modrm.filter(|_| !is_other) else {
        return Class::Ordinary;
    };
    let rex = prefixes.last().copied().filter(|prefix| matches!(prefix, 0x40..=0x4f)).unwrap_or(0);
    let bytes = if rex & WIDE != 0 {
        8
    } else if prefixes.contains(&0x66) {
        2
    } else {
        4
    };
    Class::Random { register: modrm & 7 | (rex & HIGH) << 3, bytes }
}

/// Returns whether the instruction at the start of `code` stores the x87 instruction pointer: `FNSTENV`, `FNSAVE`,
/// `FXSAVE` and the `XSAVE` family.
pub fn stores_x87_pointer(code: &[u8]) -> bool {
    let is_prefix = |byte: &u8| matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf2 | 0xf3);
    let prefixes = code.iter().take_while(|byte| is_prefix(byte)).count();
    let register = |modrm: u8| (modrm < 0xc0).then_some(modrm >> 3 & 7);
    match code[prefixes..] {
        [0xd9 | 0xdd, modrm, ..] => register(modrm) == Some(6),
        [0x0f, 0xae, modrm, ..] => matches!(register(modrm), Some(0 | 4 | 6)),
        [0x0f, 0xc7, modrm, ..] => matches!(register(modrm), Some(4 | 5)),
        _ => false,
    }
}

/// Returns whether the instruction at the start of `code` is a repeated string instruction.
pub fn is_repeated(code: &[u8]) -> bool {
    let is_prefix = |byte: &u8| matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf2 | 0xf3);
    let prefixes = code.iter().take_while(|byte| is_prefix(byte)).count();
    let is_string = matches!(code.get(prefixes), Some(0x6c..=0x6f | 0xa4..=0xa7 | 0xaa..=0xaf));
    is_string && code.iter().take(prefixes).any(|byte| matches!(byte, 0xf2 | 0xf3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_short_jump_is_conditional_but_jmp() {
        for opcode in 0x70..=0x7f {
            assert_eq!(classify(&[opcode, 0xfe]), Class::ConditionalBranch);
        }
        assert_eq!(classify(&[0xeb, 0xfe]), Class::Ordinary);
        assert_eq!(classify(&[0xe9, 0, 0, 0, 0]), Class::Ordinary);
        assert_eq!(classify(&[0xe8, 0, 0, 0, 0]), Class::Ordinary);
    }

    #[test]
    fn near_jumps_loops_and_jrcxz_count() {
        for opcode in 0x80..=0x8f {
            assert_eq!(classify(&[0x0f, opcode, 0, 0, 0, 0]), Class::ConditionalBranch);
        }
        for opcode in 0xe0..=0xe3 {
            assert_eq!(classify(&[opcode, 0xfe]), Class::ConditionalBranch);
        }
        assert_eq!(classify(&[0x67, 0xe3, 0x00]), Class::ConditionalBranch);
        assert_eq!(classify(&[0x0f, 0x90, 0xc0]), Class::Ordinary);
    }

    #[test]
    fn prefixes_do_not_hide_a_branch() {
        assert_eq!(classify(&[0x2e, 0x75, 0x00]), Class::ConditionalBranch);
        assert_eq!(classify(&[0xf2, 0x0f, 0x84, 0, 0, 0, 0]), Class::ConditionalBranch);
        assert_eq!(classify(&[0x48, 0x75, 0x00]), Class::ConditionalBranch);
    }

    #[test]
    fn bytes_of_other_instructions_are_not_mistaken_for_branches() {
        // movabs rax, imm64 full of 0x75; vmovups; lea; rep stosb.
        assert_eq!(classify(&[0x48, 0xb8, 0x75, 0x75, 0x75, 0x75, 0x75, 0x75, 0x75, 0x75]), Class::Ordinary);
        assert_eq!(classify(&[0xc5, 0xfc, 0x10, 0x75, 0x00]), Class::Ordinary);
        assert_eq!(classify(&[0x62, 0x75, 0x75, 0x75, 0x75, 0x75]), Class::Ordinary);
        assert_eq!(classify(&[0xf3, 0xaa]), Class::Ordinary);
    }

    #[test]
    fn system_calls_in_all_spellings() {
        assert_eq!(classify(&[0x0f, 0x05]), Class::SystemCall);
        assert_eq!(classify(&[0x0f, 0x34]), Class::SystemCall);
        assert_eq!(classify(&[0xcd, 0x80]), Class::SystemCall);
        assert_eq!(classify(&[0x48, 0x0f, 0x05]), Class::SystemCall);
    }

    #[test]
    fn traps() {
        assert_eq!(classify(&[0xcc]), Class::Trap);
        assert_eq!(classify(&[0xf1]), Class::Trap);
        assert_eq!(classify(&[0xcd, 0x03]), Class::Trap);
        assert_eq!(classify(&[0xcd, 0x81]), Class::Ordinary);
    }

    #[test]
    fn flags_are_pushed_and_popped_in_both_sizes() {
        assert_eq!(classify(&[0x9c]), Class::PushFlags);
        assert_eq!(classify(&[0x66, 0x9c]), Class::PushFlags);
        assert_eq!(classify(&[0x9d]), Class::PopFlags);
        assert_eq!(classify(&[0x66, 0x9d]), Class::PopFlags);
        assert_eq!(classify(&[0x48, 0xcf]), Class::PopFlags);
        assert_eq!(classify(&[0x9e]), Class::Ordinary);
    }

    #[test]
    fn cpuid_tells_its_length() {
        assert_eq!(classify(&[0x0f, 0xa2]), Class::CpuId { length: 2 });
        assert_eq!(classify(&[0x66, 0x48, 0x0f, 0xa2]), Class::CpuId { length: 4 });
    }

    #[test]
    fn random_numbers_of_the_processor() {
        let random = |register, bytes| Class::Random { register, bytes };
        assert_eq!(classify(&[0x0f, 0xc7, 0xf0]), random(0, 4));
        assert_eq!(classify(&[0x48, 0x0f, 0xc7, 0xf9]), random(1, 8));
        assert_eq!(classify(&[0x66, 0x41, 0x0f, 0xc7, 0xf2]), random(10, 2));
        for other in [&[0xf3, 0x0f, 0xc7, 0xf8][..], &[0x0f, 0xc7, 0x30], &[0x0f, 0xc7, 0xc8], &[0x0f, 0xc7]] {
            assert_eq!(classify(other), Class::Ordinary, "{other:02x?}");
        }
    }

    #[test]
    fn cut_off_code_is_ordinary() {
        assert_eq!(classify(&[]), Class::Ordinary);
        assert_eq!(classify(&[0x0f]), Class::Ordinary);
        assert_eq!(classify(&[0x66; 20]), Class::Ordinary);
        let mut overlong = [0x66; 17];
        overlong[15] = 0x75;
        assert_eq!(classify(&overlong), Class::Ordinary);
    }

    #[test]
    fn instructions_that_store_the_instruction_pointer() {
        // fnstenv [rax]; fnsave [rax]; fxsave64 [rax]; xsave [rax]; xsaveopt [rax]; xsavec [rsp+0x40]; xsaves [rax].
        let storing: [&[u8]; 7] = [
            &[0xd9, 0x30],
            &[0xdd, 0x30],
            &[0x48, 0x0f, 0xae, 0x00],
            &[0x0f, 0xae, 0x20],
            &[0x0f, 0xae, 0x30],
            &[0x0f, 0xc7, 0x64, 0x24, 0x40],
            &[0x0f, 0xc7, 0x28],
        ];
        assert!(storing.iter().all(|code| stores_x87_pointer(code)));
        // fcos; fnstcw [rax]; mfence; lfence; xrstor [rax]; cmpxchg8b [rax]; nothing.
        let others: [&[u8]; 7] = [
            &[0xd9, 0xff],
            &[0xd9, 0x38],
            &[0x0f, 0xae, 0xf0],
            &[0x0f, 0xae, 0xe8],
            &[0x0f, 0xae, 0x28],
            &[0x0f, 0xc7, 0x08],
            &[],
        ];
        assert!(!others.iter().any(|code| stores_x87_pointer(code)));
    }
}
