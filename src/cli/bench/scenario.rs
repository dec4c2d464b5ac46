//! What is measured: a list of operations that every debugger can do, and the answers they must agree on.

use std::fmt;

/// One operation of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Starts a replay of the recording, ready for the first command.
    Start,
    /// Sets a breakpoint on a function.
    Break(String),
    /// Runs forward to the next stop.
    Continue,
    /// Runs backward to the next stop.
    ReverseContinue,
    /// One source line, into calls.
    Step,
    /// One source line back, into calls.
    ReverseStep,
    /// One source line, over calls.
    Next,
    /// One source line back, over calls.
    ReverseNext,
    /// To the caller.
    Finish,
    /// Back to the call.
    ReverseFinish,
    /// All frames.
    Backtrace,
    /// Arguments and locals of the innermost frame.
    Locals,
    /// One expression.
    Evaluate(String),
    /// Sets a write watchpoint.
    Watch(String),
    /// Removes the breakpoint or watchpoint that was set last.
    Unset,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::Break(_) => "break",
            Self::Continue => "continue",
            Self::ReverseContinue => "reverse-continue",
            Self::Step => "step",
            Self::ReverseStep => "reverse-step",
            Self::Next => "next",
            Self::ReverseNext => "reverse-next",
            Self::Finish => "finish",
            Self::ReverseFinish => "reverse-finish",
            Self::Backtrace => "backtrace",
            Self::Locals => "locals",
            Self::Evaluate(_) => "evaluate",
            Self::Watch(_) => "watch",
            Self::Unset => "unset",
        })
    }
}

/// An operation and the answer it must give, once that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is done.
    pub operation: Operation,
    /// `function:line` of a stop or of each frame, names and values of variables, or a value. `None`: the first
    /// debugger's answer in the first round becomes what all later ones must repeat.
    pub expected: Option<String>,
}

impl Step {
    /// Creates an operation whose answer is known.
    pub fn expecting(operation: Operation, answer: &str) -> Self {
        Self { operation, expected: Some(answer.to_owned()) }
    }
}

/// Returns the standard scenario: stop in `function`, move about there both ways, look around, and find the last write
/// to `watched` if something is to be watched.
pub fn standard(function: &str, expression: &str, watched: Option<&str>) -> Vec<Step> {
    use Operation as O;
    let mut operations = vec![
        O::Start,
        O::Break(function.to_owned()),
        O::Continue,
        O::Unset,
        O::Backtrace,
        O::Locals,
        O::Evaluate(expression.to_owned()),
        O::Next,
        O::Step,
        O::ReverseStep,
        O::ReverseNext,
        // This order needs no caller of the caller.
        O::ReverseFinish,
        O::Step,
        O::Finish,
    ];
    if let Some(watched) = watched {
        operations.extend([O::Watch(watched.to_owned()), O::Continue, O::ReverseContinue, O::Unset]);
    }
    operations.into_iter().map(|operation| Step { operation, expected: None }).collect()
}
