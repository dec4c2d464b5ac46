//! Loaded modules, and where their debug info comes from.

use arch::RunAddr;

/// A loaded module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleInfo {
    /// File name: `libc.so.6`.
    pub name: String,
    /// What it is to the process.
    pub role: ModuleRole,
    /// First address and one past the last; `None` if its file could not be used, which is what tells.
    pub range: Option<(RunAddr, RunAddr)>,
    /// NT_GNU_BUILD_ID, in hexadecimal.
    pub build_id: Option<String>,
    /// The file that is used: the recording's copy or one that is the same; `None` for code without a file.
    pub file: Option<String>,
    /// Where its debug info comes from.
    pub debug_info: DebugInfoState,
    /// The supplementary file (dwz) that the debug info refers to.
    pub supplement: Option<String>,
    /// The package of split units (`.dwp`), if one is in use by now.
    pub package: Option<String>,
    /// The best of its symbol tables.
    pub symbols: Option<&'static str>,
    /// What is missing of the debug info or does not fit, as far as it was needed by now.
    pub notes: Vec<String>,
}

/// What a module is to the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleRole {
    /// The program itself.
    Program,
    /// The dynamic linker.
    Interpreter,
    /// A shared library.
    Library,
    /// Code that rr put into the process.
    Rr,
    /// Its file could not be used.
    Unknown,
}

/// Where the debug info of a module comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugInfoState {
    /// From its own file.
    InFile,
    /// From this one.
    Separate {
        /// The file.
        file: String,
    },
    /// From a server, some time.
    Fetching {
        /// Why it is not here, with where it was looked for.
        why: String,
    },
    /// There is none.
    None {
        /// Why, with where it was looked for.
        why: String,
    },
}
