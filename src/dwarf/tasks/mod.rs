//! Long work: how far it is, whether anybody still wants it, and how several threads do it.

pub(in crate::dwarf) mod parallel;
pub(in crate::dwarf) mod work;
