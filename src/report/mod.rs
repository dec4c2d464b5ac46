//! A recording as one page that explains itself: what happened at its end, where the wrong value came from, its threads,
//! what happened when, what it printed, and where the work was.
//!
//! The page is one file without anything to fetch and without a script. Its text is there whatever shows it. All that
//! comes from the recording or the program is text, never markup (`html`).
//!
//! ```text
//! collect    asks the recording
//! page       makes a page of the answers
//! html       text that cannot become markup
//! ```

mod collect;
mod html;
mod page;

use crate::cancel::Cancel;
use crate::rr::Rr;
use std::path::Path;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The recording cannot be read.
    #[error(transparent)]
    Rr(#[from] crate::rr::Error),
    /// It cannot be replayed.
    #[error(transparent)]
    Engine(#[from] crate::engine::Error),
}

/// Makes the page of a recording. What cannot be found out is said on the page, with the reason.
///
/// # Errors
/// If it cannot be read or replayed, and if it is cancelled.
pub fn report(rr: &Rr, recording: &Path, cancel: &Cancel) -> Result<String, Error> {
    Ok(page::page(&collect::collect(rr, recording, cancel)?))
}
