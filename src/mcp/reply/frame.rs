//! Stack frames.

use super::omit::is_default;
use super::position::address;
use super::source::source_line;
use engine::model::{Frame, Variable};
use engine::shortened_function;
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// An argument of a frame.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ArgView {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// A stack frame.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct FrameView {
    pub(crate) level: u32,
    pub(crate) address: String,
    pub(crate) function: Option<String>,
    pub(crate) file: Option<String>,
    pub(crate) fullname: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) args: Option<Vec<ArgView>>,
    /// Only where there is no source line.
    pub(crate) module: Option<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) inlined: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) signal_frame: bool,
    // The two rare marks are allowed by the schema without being listed: it is repeated in every tool that stops.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(skip)]
    pub(crate) tail_call: bool,
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(skip)]
    pub(crate) guessed: bool,
}

impl From<Frame> for FrameView {
    fn from(frame: Frame) -> Self {
        let args: Vec<ArgView> =
            frame.args.into_iter().map(|Variable { name, value, .. }| ArgView { name, value }).collect();
        Self {
            level: frame.level,
            address: address(frame.address),
            function: frame.function,
            module: if frame.line.is_none() { frame.module } else { None },
            file: frame.file,
            fullname: frame.fullname,
            line: frame.line,
            args: (!args.is_empty()).then_some(args),
            inlined: frame.inlined,
            signal_frame: frame.signal_frame,
            tail_call: frame.tail_call,
            guessed: frame.guessed,
        }
    }
}

impl FrameView {
    /// Returns what displays as `add (a=1, b=2) at /src/t.c:5`, the address where there is no line.
    pub(crate) fn place(&self) -> ShownLocation<'_> {
        ShownLocation(self)
    }
}

/// Where a frame is.
pub(crate) struct ShownLocation<'a>(&'a FrameView);

impl fmt::Display for ShownLocation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(frame) = self;
        let known = frame.function.is_some() || frame.line.is_some();
        if !known {
            write!(f, "{} in ", frame.address)?;
        }
        f.write_str(&frame.function.as_deref().map_or_else(|| "??".to_owned(), shortened_function))?;
        if let Some(args) = &frame.args {
            let args: Vec<String> = args.iter().map(|arg| format!("{}={}", arg.name, arg.value)).collect();
            write!(f, " ({})", args.join(", "))?;
        }
        match (source_line([&frame.fullname, &frame.file], frame.line), &frame.module) {
            (Some((path, line)), _) => write!(f, " at {path}:{line}")?,
            (None, Some(module)) => write!(f, " from {module}")?,
            (None, None) => {}
        }
        for (flag, word) in [
            (frame.inlined, "inlined"),
            (frame.signal_frame, "signal frame"),
            (frame.tail_call, "left by a tail call"),
            (frame.guessed, "guessed, may be wrong"),
        ] {
            if flag {
                write!(f, " [{word}]")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for FrameView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} {}", self.level, self.place())
    }
}
