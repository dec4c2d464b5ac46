//! What comes after a line.

/// What is to be done after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The next line.
    GoOn,
    /// Nothing: the user wants to leave.
    Quit,
    /// Nothing: the user has interrupted a run, and means the lines behind it, too.
    Interrupted,
}
