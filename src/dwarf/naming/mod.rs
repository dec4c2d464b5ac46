//! Names as text: as users write them, as linkers spell them, as people read them.

pub(crate) mod components;
pub(crate) mod demangle;
pub(crate) mod hash;
pub(crate) mod query;
mod template_constructor;
