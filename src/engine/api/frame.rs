//! Frames of a stack.

use super::value::Variable;
use arch::RunAddr;

/// One frame of a stack, real or inlined.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// 0 is the innermost.
    pub level: u32,
    /// pc of frame 0, return address of the others.
    pub address: RunAddr,
    /// Function name, demangled; `None` where nothing is known.
    pub function: Option<String>,
    /// As the compiler was given it.
    pub file: Option<String>,
    /// Absolute path.
    pub fullname: Option<String>,
    /// 1-based.
    pub line: Option<u32>,
    /// 1-based, if known.
    pub column: Option<u32>,
    /// Arguments, if asked for.
    pub args: Vec<Variable>,
    /// File name of the module.
    pub module: Option<String>,
    /// This level was inlined into the next.
    pub inlined: bool,
    /// A signal trampoline: the next frame was interrupted.
    pub signal_frame: bool,
    /// It has left by a tail call into the frame before, and has no place on the stack any more: call sites tell of it.
    pub tail_call: bool,
    /// Set if the frame was found by following frame pointers or scanning, and may be wrong.
    pub guessed: bool,
}

/// A stack.
#[derive(Clone, Debug, PartialEq)]
pub struct Backtrace {
    /// Innermost first.
    pub frames: Vec<Frame>,
    /// Why the list ends before the outermost frame, if it does: a limit, or an unwind error in words.
    pub truncated: Option<String>,
}

/// What a stack looks like as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackShape {
    /// How many frames it has, as far as it can be followed.
    pub depth: u32,
    /// Frames of recursions that look like those around them.
    pub folds: Vec<Fold>,
    /// Why it cannot be followed to the outermost frame, if it cannot.
    pub broken: Option<String>,
}

/// Frames that look like those around them: one function, or a few, call each other over and over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The first.
    pub from: u32,
    /// The last.
    pub to: u32,
    /// The functions, the innermost one first.
    pub functions: Vec<String>,
}
