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
    /// 0: all, as far as they fit in an answer.
    ///
    /// Most frames to list.
    #[serde(default = "fifty")]
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    pub(crate) max_depth: u32,
    /// (First level to list.)
    #[serde(default)]
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    pub(crate) from: u32,
    /// (Show arguments.)
    #[serde(default = "yes")]
    pub(crate) args: bool,
    /// (Default: the last used session.)
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
    /// C, C++ or Rust; also `$reg`, `*0xaddr@n`, `function::static`, `'file.c'::var`, `m["key"]`.
    ///
    /// Of library types `v[3]`, `m["key"]`, `p->x`, `s.size()`.
    pub(crate) expression: String,
    /// GDB's letter; z: padded hex, r: raw.
    ///
    /// x hex, d/u decimal, o octal, t binary, a address, c char, f float, s string, z padded hex, r raw structure.
    pub(crate) format: Option<Format>,
    /// (First element, or character, to show.)
    #[serde(default)]
    pub(crate) from: u64,
    /// Elements; default 200.
    #[schemars(range(min = 1, max = MAX_COUNT))]
    pub(crate) count: Option<u32>,
    /// (Default: the selected frame.)
    pub(crate) frame_level: Option<u32>,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}

/// `rr_locals`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LocalsArgs {
    /// (Default: the selected frame.)
    pub(crate) frame_level: Option<u32>,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}

/// `rr_registers`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegistersArgs {
    /// Default: all.
    ///
    /// As ["rip", "rsp"].
    #[schemars(length(min = 1))]
    pub(crate) register_names: Option<Vec<String>>,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}

/// `rr_source_lines`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SourceLinesArgs {
    /// (Source file or a trailing part of its path. Default: the selected frame's.)
    pub(crate) file: Option<String>,
    /// (Line in the middle. Default: the selected frame's.)
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    pub(crate) line: Option<u32>,
    /// (Lines.)
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = MAX_SOURCE_LINES))]
    pub(crate) count: u32,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}
