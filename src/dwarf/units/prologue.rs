//! What is cached of the prologue of a function.

use arch::LinkAddr;

/// The prologue of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prologue {
    /// Where the function begins.
    pub(crate) entry: LinkAddr,
    /// The first address behind it.
    pub(crate) end: LinkAddr,
    /// If the line table marks the end, as LLVM's do, and the prologue sets up the frame: the register and the offset whose
    /// sum the canonical frame address is there (DW_CFA_def_cfa).
    pub(crate) cfa: Option<(u16, i64)>,
}
