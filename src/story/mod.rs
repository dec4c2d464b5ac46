//! The story of a failure: where a process of a recording failed, and where the value that went wrong came from.
//!
//! ```text
//! failure        goes to where a process failed
//! wrong_value    the value that a fault is about, and its way back
//! ```

mod failure;
mod wrong_value;

pub(crate) use failure::{Arrival, to_failure};
pub(crate) use wrong_value::{WrongValue, suspicious, wrong_value};

use crate::engine::Engine;
use crate::engine::model::Explanation;
use crate::rr::Rr;
use crate::{cancel::Cancel, engine};
use std::path::Path;
use std::time::Duration;

/// What there is to tell of a failure.
pub(crate) struct Story {
    pub(crate) explanation: Explanation,
    /// The value that went wrong, if there is one.
    pub(crate) value: Option<WrongValue>,
}

impl Story {
    /// Explains the stop of an engine, and where the value that it is about came from, by passes that take so long
    /// together.
    ///
    /// # Errors
    /// If the replay fails.
    pub(crate) fn of_stop(
        rr: &Rr,
        engine: &mut Engine,
        trace: &Path,
        patience: Duration,
        cancel: &Cancel,
    ) -> Result<Self, engine::Error> {
        let explanation = engine.explain()?;
        let value = match suspicious(&explanation) {
            Some(expression) => wrong_value(rr, engine, trace, expression, patience, cancel)?,
            None => None,
        };
        Ok(Self { explanation, value })
    }
}
