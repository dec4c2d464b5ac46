//! What is said of code: its source lines, and the functions, real and inlined, that it belongs to.

use super::die::DieId;
use arch::LinkAddr;
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

/// What calls of a name come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Callees {
    /// The functions of the name. One of them is an indirect function itself if its code does not tell what it can
    /// choose.
    pub functions: Vec<Function>,
    /// What an indirect function (STT_GNU_IFUNC) of the name can choose when the program is loaded: one of these.
    pub choices: Vec<Function>,
    /// Whether there is an indirect function whose code does not tell that.
    pub is_unknown: bool,
}

impl Callees {
    /// Returns what is to be known of the choice.
    pub fn note(&self, name: &str) -> Option<String> {
        if self.is_unknown {
            return Some(format!(
                "`{name}` is chosen when the program is loaded, and this is the code that chooses, from which it cannot be \
                 told what is called: `finish` from there shows it"
            ));
        }
        let many = self.choices.len();
        let note =
            format!("`{name}` is chosen when the program is loaded: these are the {many} functions to choose from");
        (many > 0).then_some(note)
    }
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
