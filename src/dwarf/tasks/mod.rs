//! Long work: how far it is, whether anybody still wants it, and how several threads do it.

pub(crate) mod parallel;
pub(crate) mod work;
