//! Makes one collection of the units of all files of an image, in which a `DieId` says where a DIE is.

pub(in crate::dwarf) mod addresses;
pub(in crate::dwarf) mod collection;
pub(in crate::dwarf) mod early;
pub(in crate::dwarf) mod imports;
pub(in crate::dwarf) mod split;
