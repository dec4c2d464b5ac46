//! Makes one collection of the units of all files of an image, in which a [`DieId`](crate::DieId) says where a
//! DIE is.

pub(crate) mod addresses;
pub(crate) mod attributes;
pub(crate) mod blocks;
pub(crate) mod code_map;
pub(crate) mod collection;
pub(crate) mod entry;
pub(crate) mod file_number;
pub(crate) mod functions;
pub(crate) mod language;
mod line_headers;
pub(crate) mod producer;
mod prologue;
mod prologues;
pub(crate) mod ranges;
pub(crate) mod tables;
pub(crate) mod unit_cache;
pub(crate) mod units_in_other_files;
