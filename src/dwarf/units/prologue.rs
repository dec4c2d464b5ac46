//! What is cached of the prologue of a function.

use crate::arch::LinkAddr;

/// The prologue of a function.
#[derive(Clone, Copy, Debug)]
pub(in crate::dwarf) struct Prologue {
    /// Where the function begins.
    pub(in crate::dwarf) entry: LinkAddr,
    /// The first address behind it.
    pub(in crate::dwarf) end: LinkAddr,
    /// If the line table marks the end, as LLVM's do, and the prologue sets up the frame: the register and the offset whose
    /// sum the canonical frame address is there (DW_CFA_def_cfa).
    pub(in crate::dwarf) cfa: Option<(u16, i64)>,
}
