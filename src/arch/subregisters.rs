//! Names for parts of registers: `$eax`, `$ax`, `$al`.

use super::Arch;

/// A part of a register, which has a name of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterPart {
    /// The whole register.
    pub whole: &'static str,
    /// First byte, from the least significant.
    pub offset: usize,
    /// In bytes.
    pub size: usize,
}

/// Each general register with its names for 4, 2 and 1 bytes, and for the second byte (AMD64 manual volume 1, figure
/// 3-3).
const X86_64: [(&str, &str, &str, &str, &str); 16] = [
    ("rax", "eax", "ax", "al", "ah"),
    ("rbx", "ebx", "bx", "bl", "bh"),
    ("rcx", "ecx", "cx", "cl", "ch"),
    ("rdx", "edx", "dx", "dl", "dh"),
    ("rsi", "esi", "si", "sil", ""),
    ("rdi", "edi", "di", "dil", ""),
    ("rbp", "ebp", "bp", "bpl", ""),
    ("rsp", "esp", "", "spl", ""),
    ("r8", "r8d", "r8w", "r8l", ""),
    ("r9", "r9d", "r9w", "r9l", ""),
    ("r10", "r10d", "r10w", "r10l", ""),
    ("r11", "r11d", "r11w", "r11l", ""),
    ("r12", "r12d", "r12w", "r12l", ""),
    ("r13", "r13d", "r13w", "r13l", ""),
    ("r14", "r14d", "r14w", "r14l", ""),
    ("r15", "r15d", "r15w", "r15l", ""),
];

impl Arch {
    /// Returns the part of a register that has this name. `sp` is no part: GDB's name for the whole stack pointer.
    pub fn register_part(self, name: &str) -> Option<RegisterPart> {
        if self != Self::X86_64 || name.is_empty() {
            return None;
        }
        X86_64.iter().find_map(|(whole, four, two, low, high)| {
            let names = [(*four, 0, 4), (*two, 0, 2), (*low, 0, 1), (*high, 1, 1)];
            let found = names.into_iter().find(|(known, ..)| *known == name);
            found.map(|(_, offset, size)| RegisterPart { whole, offset, size })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_by_name() {
        let part = |name| Arch::X86_64.register_part(name).map(|p| (p.whole, p.offset, p.size));
        assert_eq!(part("eax"), Some(("rax", 0, 4)));
        assert_eq!(part("ah"), Some(("rax", 1, 1)));
        assert_eq!(part("r8w"), Some(("r8", 0, 2)));
        assert_eq!(
            [part("rax"), part("sp"), part(""), Arch::Aarch64.register_part("eax").map(|_| ("", 0, 0))],
            [None; 4]
        );
    }
}
