//! Debug info: what an ELF file knows about its code, its data and its types. Reads files, never a process.
//!
//! Each folder is a room, and rooms only look down (`tests/it/layering.rs` has the list):
//!
//! - `model`: what answers are made of; `tasks`, `cache`, `naming`: long work, what is kept on disk, names as text;
//! - `compressed`, `elf`, `symbols`: the files themselves, and what their symbol tables say;
//! - `sections`: the debug sections of an image, which may be in several files; what cannot be found is kept in its
//!   `missing_debug_info` until somebody has a degraded answer for it;
//! - `expressions`, `unwind`, `lines`: what can be read of single sections;
//! - `units`: one collection of the units of all files, in which a [`DieId`] says in which file a DIE is; all above
//!   asks that collection;
//! - `names`, `types`, `location`, `scopes`, `breakpoint_addresses`, `macros`: the answers;
//! - `image`: the facade that joins them.
//!
//! A large file is read for its names in the background the first time (`names::background_scan`), and decompressed if
//! it has to be (`compressed::background_decompression`); what does not need all of it is answered before.

mod breakpoint_addresses;
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
mod test_layouts;
#[cfg(test)]
mod test_nesting;
#[cfg(test)]
mod testing;
mod types;
mod units;
mod unwind;

#[cfg(test)]
#[expect(clippy::print_stdout, reason = "what came of a longer run")]
#[allow(dead_code, reason = "each crate uses a part of it")]
#[path = "../../tests/support/fuzz.rs"]
mod fuzz;

pub use elf::locate::DebugPaths;
pub use expressions::evaluate::DIVIDES_BY_ZERO;
pub use image::facade::Image;
pub use image::file_code::FileCode;
pub use image::root_attributes::UnitFacts;
pub use image::sources::{DebugSources, SymbolSource};
pub use location::availability::Availability;
pub use location::call_sites::{CallTarget, TailCallSite};
pub use location::entry_places::{EntryParameter, EntryPlace};
pub use location::parameter_slots::KeptParameter;
pub use macros::table::{MacroDefinition, MacroScope};
pub use model::code::{Callees, Function, InlineFrame, LineMatch, LineRange, SourcePath};
pub use model::die::{DieId, LikeType, NameSort, TypeTag};
pub use model::elf::{Exported, Segment, Symbol};
pub use model::error::{Error, UnwindError};
pub use model::frame::{FrameContext, NoTls, Unwound};
pub use model::own_source::is_own_source;
pub use model::returning::{Convention, ReturnRules};
pub use model::variable::{
    AroundClass, Elsewhere, Home, ImplicitPointer, Imported, Location, MeantLocal, TemplateParameter, Variable, Visible,
};
pub use naming::demangle::type_name;
pub use symbols::slots::Slot;
pub use symbols::stubs::Stub;
pub use tasks::work::{CancelledWork, Progress, Work};
