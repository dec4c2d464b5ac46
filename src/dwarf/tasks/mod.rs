//! Long work: how far it is, whether anybody still wants it, and doing it on several threads.

pub(in crate::dwarf) mod parallel;
pub(in crate::dwarf) mod work;
