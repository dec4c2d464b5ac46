//! What the answers of this module are made of: plain data that every room may name.

pub(crate) mod code;
pub(crate) mod die;
pub(crate) mod elf;
pub(crate) mod error;
pub(crate) mod frame;
pub(crate) mod own_source;
pub(crate) mod returning;
pub(crate) mod variable;
