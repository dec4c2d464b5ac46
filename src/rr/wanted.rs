//! Whether somebody still waits for what rr is to do.

use std::fmt;
use std::sync::Arc;

/// Asked several times a second by whatever waits for an rr process. By default everything is wanted.
#[derive(Clone, Default)]
pub(super) struct Wanted(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Wanted {
    /// As long as `wanted` says so.
    pub(super) fn new(wanted: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(wanted)))
    }

    /// As long as it says so, and `wanted`, too.
    pub(super) fn and(&self, wanted: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let before = self.clone();
        Self::new(move || before.holds() && wanted())
    }

    /// It is wanted now.
    pub(super) fn holds(&self) -> bool {
        self.0.as_ref().is_none_or(|wanted| wanted())
    }
}

impl fmt::Debug for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.holds() { "Wanted" } else { "Unwanted" })
    }
}
