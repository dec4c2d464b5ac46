//! Debug info: what an ELF file knows about its code, its data and its types. Reads files, never a process.
//!
//! The debug info of one image may be in several files. `locate` finds them, `sections` holds what is read of them,
//! `units` and `split` make one collection of units of it, in which a [`DieId`] says in which file a DIE is; all the
//! rest asks that collection. What cannot be found is kept in `problems` until somebody has a poorer answer for it.
//!
//! A large file is read for its names (`pass`) in the background the first time, and unpacked (`unpacking`) if it has to
//! be; `early` answers what does not need all of it.

mod breakpoints;
mod cache;
mod compressed;
mod elf;
mod expressions;
mod image;
mod lines;
mod location;
mod macros;
mod model;
mod names;
mod naming;
#[cfg(test)]
mod robustness;
mod scopes;
mod sections;
mod symbols;
mod tasks;
#[cfg(test)]
mod testing;
mod types;
mod units;
mod unwind;
#[cfg(test)]
mod variants;

pub use elf::locate::DebugPaths;
pub use image::facade::Image;
pub use image::root_attributes::UnitFacts;
pub use image::sources::{DebugSources, SymbolSource};
pub use location::availability::Availability;
pub use location::call_sites::{CallTarget, TailCallSite};
pub use location::parameter_slots::KeptParameter;
pub use macros::table::{MacroDefinition, MacroScope};
pub use model::code::{Function, InlineFrame, LineMatch, LineRange, SourcePath};
pub use model::die::{DieId, TypeTag};
pub use model::elf::{Segment, Symbol};
pub use model::error::{Error, UnwindError};
pub use model::frame::{FrameContext, NoTls, Unwound};
pub use model::variable::{ImplicitPointer, Location, Variable};
pub use naming::demangle::type_name;
pub use symbols::stubs::Stub;
pub use tasks::work::{GivenUp, Progress, Work};
