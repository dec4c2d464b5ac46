//! Arguments of the tools for looking at the stack, values and source lines.

use crate::mcp::tools::args::{MAX_COUNT, MAX_NUMBER, fifty, ten, yes};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// Most source lines in one answer.
const MAX_SOURCE_LINES: u32 = 500;

/// `rr_backtrace`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BacktraceArgs {
    /// Maximum number of frames; 0 lists as many as fit in an answer.
    #[serde(default = "fifty")]
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    #[schemars(extend("short" = "0: all that fit"))]
    pub(crate) max_depth: u32,
    /// First frame to list.
    #[serde(default)]
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    #[schemars(extend("short" = false))]
    pub(crate) from: u32,
    /// Show arguments.
    #[serde(default = "yes")]
    #[schemars(extend("short" = false))]
    pub(crate) args: bool,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// Letters of GDB's output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Format {
    X,
    D,
    U,
    O,
    T,
    A,
    C,
    F,
    S,
    Z,
    R,
}

impl Format {
    /// Returns the letter itself.
    pub(crate) fn letter(self) -> char {
        match self {
            Self::X => 'x',
            Self::D => 'd',
            Self::U => 'u',
            Self::O => 'o',
            Self::T => 't',
            Self::A => 'a',
            Self::C => 'c',
            Self::F => 'f',
            Self::S => 's',
            Self::Z => 'z',
            Self::R => 'r',
        }
    }
}

/// `rr_evaluate`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvaluateArgs {
    /// C, C++ or Rust, also `$reg`, `*0xaddr@n`, `function::static`, `'file.c'::var`; with library types, for example
    /// `v[3]`, `m["key"]`, `p->x`, `s.size()`.
    #[schemars(extend("short" = "C, C++ or Rust; also `$reg`, `*0xaddr@n`, `function::static`, `m[\"key\"]`"))]
    pub(crate) expression: String,
    /// GDB's format letter: x hex, d or u decimal, o octal, t binary, a address, c char, f float, s string, z
    /// zero-padded hex, or r for the raw structure.
    #[schemars(extend("short" = "GDB format; z: padded hex, r: raw"))]
    pub(crate) format: Option<Format>,
    /// First element, or character, to show.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) from: u64,
    /// Number of elements to show. Default: 200.
    #[schemars(range(min = 1, max = MAX_COUNT))]
    #[schemars(extend("short" = "Elements; default 200"))]
    pub(crate) count: Option<u32>,
    /// Frame number; 0 is the innermost. Default: the selected frame.
    #[schemars(extend("short" = false))]
    pub(crate) frame_level: Option<u32>,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// `rr_locals`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LocalsArgs {
    /// Frame number; 0 is the innermost. Default: the selected frame.
    #[schemars(extend("short" = false))]
    pub(crate) frame_level: Option<u32>,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// `rr_registers`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegistersArgs {
    /// Names of registers, for example ["rip", "rsp"]. Default: all.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Default: all"))]
    pub(crate) register_names: Option<Vec<String>>,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// `rr_source_lines`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SourceLinesArgs {
    /// Source file, or the last components of its path. Default: the selected frame's.
    #[schemars(extend("short" = false))]
    pub(crate) file: Option<String>,
    /// Line in the middle. Default: the selected frame's.
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    #[schemars(extend("short" = false))]
    pub(crate) line: Option<u32>,
    /// Number of lines.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = MAX_SOURCE_LINES))]
    #[schemars(extend("short" = false))]
    pub(crate) count: u32,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
