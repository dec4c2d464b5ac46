//! What is said of an ELF file: its segments and symbols.

use arch::LinkAddr;

/// A PT_LOAD program header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// `p_vaddr`.
    pub address: LinkAddr,
    /// Bytes in memory.
    pub size: u64,
    /// Where it starts in the file.
    pub file_offset: u64,
    /// Bytes in the file; the rest of the segment is zero.
    pub file_size: u64,
    /// PF_X.
    pub executable: bool,
    /// PF_W.
    pub writable: bool,
}

/// A symbol of `.symtab` or `.dynsym`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// As in the file (mangled), without a version.
    pub name: String,
    /// For people (demangled).
    pub display: String,
    /// Value.
    pub address: LinkAddr,
    /// Size in bytes; 0 if the file does not say.
    pub size: u64,
    /// STT_FUNC or STT_GNU_IFUNC.
    pub is_code: bool,
    /// STT_NOTYPE in code: a label of assembler code.
    pub is_label: bool,
    /// STT_GNU_IFUNC: the code here chooses the function that is called by this name.
    pub is_indirect: bool,
    /// STB_LOCAL: other files cannot name it.
    pub is_local: bool,
}

/// Data or a function that other files can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Where the file has it.
    pub address: LinkAddr,
    /// The file uses its own, whatever others export by that name: STV_PROTECTED, or DT_SYMBOLIC for the whole file.
    pub is_own: bool,
    /// STT_TLS: the address is an offset into the thread-local storage of the file.
    pub is_thread_local: bool,
}
