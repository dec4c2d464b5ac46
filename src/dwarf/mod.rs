//! Debug info: what an ELF file knows about its code, its data and its types. Reads files, never a process.
//!
//! The debug info of one image may be in several files. `locate` finds them, `sections` holds what is read of them,
//! `units` and `split` make one collection of units of it, in which a [`DieId`] says in which file a DIE is; all the
//! rest asks that collection. What cannot be found is kept in `problems` until somebody has a poorer answer for it.
//!
//! A large file is read for its names (`pass`) in the background the first time, and unpacked (`growing`) if it has to
//! be; `early` answers what does not need all of it.

mod availability;
mod bounds;
mod cache;
mod callsite;
mod cfi;
mod copies;
mod debug_names;
mod demangle;
mod die_input;
mod die_plan;
mod directory;
mod directory_scan;
mod early;
mod error;
mod expression;
mod facts;
mod functions;
mod gdb_index;
mod globals;
mod growing;
mod image;
mod imports;
mod inflate;
mod kept_parameters;
mod line_addresses;
mod lines;
mod linkage;
mod locate;
mod location;
mod lookup;
mod macros;
mod minidebug;
mod name_query;
mod name_reader;
mod names;
mod object;
mod owners;
mod pass;
mod pieces;
mod problems;
mod prologue;
#[cfg(test)]
mod robustness;
mod scopes;
mod sections;
mod seekable;
mod sources;
mod split;
mod stubs;
mod symbol_tables;
mod symbols;
#[cfg(test)]
mod testing;
mod type_tables;
mod types;
mod unit_addresses;
mod unit_queue;
mod units;
mod unpack;
mod variables;
#[cfg(test)]
mod variants;
mod work;

pub use availability::Availability;
pub use callsite::{CallTarget, TailCallSite};
pub use cfi::UnwindError;
pub use demangle::type_name;
pub use error::Error;
pub use facts::UnitFacts;
pub use image::{Image, Segment, TypeTag};
pub use kept_parameters::KeptParameter;
pub use locate::DebugPaths;
pub use macros::{MacroDefinition, MacroScope};
pub use sources::{DebugSources, SymbolSource};
pub use stubs::Stub;
pub use work::{GivenUp, Progress, Work};

use crate::arch::{Bias, LinkAddr};
use crate::ctype::TypeRef;
use std::path::PathBuf;
use std::sync::Arc;

/// A source file as the line table names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourcePath {
    /// As the compiler was given it: `src/main.c`.
    pub name: String,
    /// Made absolute with the compilation directory.
    pub path: PathBuf,
}

/// A symbol of `.symtab` or `.dynsym`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// As in the file (mangled), without a version.
    pub name: String,
    /// For people (demangled).
    pub display: String,
    /// Value.
    pub address: LinkAddr,
    /// Size in bytes; 0 if the file does not say.
    pub size: u64,
    /// STT_FUNC or STT_GNU_IFUNC.
    pub is_code: bool,
    /// STT_NOTYPE in code: a label of assembler code.
    pub is_label: bool,
    /// STT_GNU_IFUNC: the code here chooses the function that is called by this name.
    pub is_indirect: bool,
    /// STB_LOCAL: other files cannot name it.
    pub is_local: bool,
}

/// A stretch of code that belongs to one row of the line table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRange {
    /// First address.
    pub start: LinkAddr,
    /// One past the last.
    pub end: LinkAddr,
    /// The file.
    pub file: Arc<SourcePath>,
    /// 1-based. Code that the compiler could attribute to no line counts to the row before it, as in GDB.
    pub line: u32,
    /// 1-based; 0: the left edge.
    pub column: u32,
    /// Whether it is a recommended breakpoint location.
    pub is_stmt: bool,
}

/// Where a `file:line` breakpoint goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMatch {
    /// One address for each function or inlined copy that has the line.
    pub addresses: Vec<LinkAddr>,
    /// The file that matched.
    pub file: Arc<SourcePath>,
    /// The line that has code: the asked one, or the next that has some.
    pub line: u32,
}

/// Identifies a DIE of an image: a file that has debug info of it, and an offset into that file's `.debug_info`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DieId(pub u64);

/// A function that has code of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its DW_TAG_subprogram; `None` if it is known from the symbol table only.
    pub die: Option<DieId>,
    /// Qualified name for people: `ns::Class::method(int)` for C++, `crate::module::function` for Rust, `main` for C.
    pub name: String,
    /// What the linker calls it; `None` if that is the plain name.
    pub linkage_name: Option<String>,
    /// Where a call enters it.
    pub entry: LinkAddr,
    /// All its code, as half-open ranges.
    pub ranges: Vec<(LinkAddr, LinkAddr)>,
    /// Declared here.
    pub file: Option<Arc<SourcePath>>,
    /// Declared here.
    pub line: Option<u32>,
}

/// One level of the chain of functions, real and inlined, that a pc is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineFrame {
    /// DW_TAG_subprogram or DW_TAG_inlined_subroutine.
    pub die: Option<DieId>,
    /// Name for people.
    pub name: String,
    /// Where this level is: the line of the pc for the innermost, the line of the inlined call for the others.
    pub file: Option<Arc<SourcePath>>,
    /// 1-based.
    pub line: Option<u32>,
    /// 1-based.
    pub column: Option<u32>,
    /// Whether this level was inlined into the next.
    pub inlined: bool,
    /// Entry point of this level: of the function, or of the inlined copy.
    pub entry: Option<LinkAddr>,
    /// Whether this level is inlined, and is about to be called where that was asked: there is its entry, or one of its
    /// pieces that does not go on from the code before it. (An optimiser leaves the code of one call in several pieces,
    /// each of which may be where it begins. GDB has the same rule.)
    pub begins: bool,
    /// The program begins here: `main`, or what has DW_AT_main_subprogram.
    pub is_main: bool,
}

/// A variable or parameter.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its DIE.
    pub die: DieId,
    /// Its name; for a global, qualified.
    pub name: String,
    /// Its type.
    pub ty: TypeRef,
    /// DW_TAG_formal_parameter.
    pub is_argument: bool,
    /// How many lexical blocks around it within its function: an inner one shadows an outer one of the same name.
    pub depth: u32,
    /// Declared here.
    pub line: Option<u32>,
    /// Declared in this file.
    pub file: Option<Arc<SourcePath>>,
    /// A global only: it belongs to a function, whose name is part of the qualified one.
    pub of_function: bool,
}

/// Where a variable is in a given frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// At this address of the process.
    Memory(u64),
    /// In the register with this DWARF number.
    Register(u16),
    /// It has no home, but this is its value (DW_OP_stack_value, DW_OP_implicit_value, DW_AT_const_value).
    Bytes(Vec<u8>),
    /// In several places, or partly nowhere: one entry a byte.
    Pieces(Vec<Option<u8>>),
    /// The same, but some of the missing bytes are pointers to objects that are not in memory (DW_OP_implicit_pointer).
    Synthetic {
        /// One entry a byte.
        bytes: Vec<Option<u8>>,
        /// The pointers in it.
        pointers: Vec<ImplicitPointer>,
    },
    /// Nowhere at this pc.
    OptimizedOut,
    /// It cannot be computed, for this reason.
    Unavailable(String),
}

/// A pointer that the compiler has replaced by what it points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImplicitPointer {
    /// Where in the value it would be, in bytes.
    pub at: usize,
    /// The object that it points to: [`Image::object_location`].
    pub object: DieId,
    /// How many bytes into that object.
    pub offset: i64,
}

/// Why a thread-local variable has no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTls {
    /// It is not known where the thread keeps those of the module.
    #[error("the thread-local storage of the module cannot be located")]
    Unknown,
    /// The thread gets storage for those of the module when it first uses one: until then they have their initial
    /// values.
    #[error("this thread has not used the module's thread-local storage yet")]
    Unused,
}

/// What evaluating a location or an unwind rule may ask about a frame.
pub trait FrameContext {
    /// A register of this frame by DWARF number, zero-extended; `None` if it was not preserved.
    fn register(&mut self, number: u16) -> Option<u64>;
    /// The bytes of a register at its full width.
    fn register_bytes(&mut self, number: u16) -> Option<Vec<u8>>;
    /// Fills the buffer from the process's memory, or returns false.
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> bool;
    /// The canonical frame address.
    fn cfa(&mut self) -> Option<u64>;
    /// Address of a thread-local variable of this module for this frame's thread.
    fn tls(&mut self, offset: u64) -> Result<u64, NoTls>;
    /// Value that a register had when the function was entered, as the caller's call site tells.
    fn entry_value(&mut self, register: u16) -> Option<u64>;
    /// Value of a parameter that was optimized away, as the caller's call site tells
    /// ([`Image::call_site_parameter`]): a copy of a function that is specialized for it does not even receive it.
    fn entry_parameter(&mut self, parameter: DieId) -> Option<u64> {
        let _ = parameter;
        None
    }
    /// The pc to choose from location lists by.
    fn pc(&self) -> LinkAddr;
    /// Where the module is loaded.
    fn bias(&self) -> Bias;
}

/// A caller's frame, reconstructed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwound {
    /// CFA of the frame that was unwound.
    pub cfa: u64,
    /// The caller's registers by DWARF number; absent if not preserved. The pc is under
    /// [`Unwound::return_address`] only.
    pub registers: Vec<(u16, u64)>,
    /// Where the caller goes on; `None` if the rule says that there is no caller (undefined return address).
    pub return_address: Option<u64>,
    /// The unwound frame is a signal frame (augmentation `S`): its caller was interrupted, not calling.
    pub signal_frame: bool,
}
