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

use crate::replay::{self, Recording};
use base::cancel::Cancel;
use rr::Rr;
use std::path::Path;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The recording cannot be read.
    #[error(transparent)]
    Rr(#[from] rr::Error),
    /// It cannot be replayed.
    #[error(transparent)]
    Engine(#[from] engine::Error),
}

/// Makes the page of a recording. What cannot be found out is said on the page, with the reason.
///
/// # Errors
/// If it cannot be read or replayed, and if it is cancelled.
pub fn report(rr: &Rr, recording: &Path, cancel: &Cancel) -> Result<String, Error> {
    Ok(page::page(&collect::collect(rr, recording, cancel)?))
}

impl Recording {
    /// Makes one page of HTML about it, without anything to fetch: what happened at its end, where the wrong value comes
    /// from, threads, what happened when, output, and where the work was. What cannot be found out is said there.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// use retrograde::Recording;
    ///
    /// # let all = Recording::list_in(".")?;
    /// # let recording = all.iter().find(|one| one.path.ends_with("app-0")).unwrap();
    /// let page = recording.report()?;
    /// assert!(page.contains("SIGSEGV") && page.contains("</html>"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If there is no rr, and if it cannot be read or replayed.
    pub fn report(&self) -> replay::Result<String> {
        report(&Rr::find()?, &self.path, &Cancel::new()).map_err(|error| match error {
            Error::Rr(error) => error.into(),
            Error::Engine(error) => error.into(),
        })
    }
}
