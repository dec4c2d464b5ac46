//! Why a question has no answer.

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It could not be replayed or read.
    #[error(transparent)]
    Rr(#[from] rr::Error),
    /// What was asked makes no sense here; in words what would.
    #[error("{0}")]
    Question(String),
    /// No code of the recorded programs has this name, or is at this place; in words what would.
    #[error("{0}")]
    NoPlace(String),
    /// What was found could not be read.
    #[error(transparent)]
    Damage(#[from] softcounters::probes::Damage),
    /// Somebody has asked for its end.
    #[error("cancelled")]
    Cancelled,
}

impl Error {
    /// Creates the error for what makes no sense.
    pub(super) fn question(why: impl Into<String>) -> Self {
        Self::Question(why.into())
    }

    /// Creates the error for a name or a place that no code has.
    pub(super) fn no_place(why: impl Into<String>) -> Self {
        Self::NoPlace(why.into())
    }
}
