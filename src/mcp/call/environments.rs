//! The environments of recordings, of which values are not to be shown.

use crate::mcp::lock::locked;
use crate::mcp::policy::Redaction;
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use rr::Rr;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Recordings whose environments are known.
#[derive(Debug, Default)]
pub(crate) struct Environments(Mutex<BTreeSet<PathBuf>>);

impl Environments {
    /// Has the redaction learn the environments of these recordings, those of them that it does not know yet. Waits for
    /// rr.
    pub(crate) fn learn(&self, traces: &[PathBuf], redaction: &Redaction, cancel: &Cancel) {
        for trace in traces {
            let Ok(trace) = rr::resolve_trace(Some(trace)) else { continue };
            if !locked(&self.0).contains(&trace) && learn(&trace, redaction, cancel) {
                locked(&self.0).insert(trace);
            }
        }
    }
}

/// Has the redaction learn the environment of a recording. False if rr does not tell it: then nothing of the recording can
/// be shown, either, but for what the names of variables stand before.
pub(crate) fn learn(trace: &Path, redaction: &Redaction, cancel: &Cancel) -> bool {
    if !redaction.is_on() {
        return true;
    }
    match Rr::find().and_then(|rr| rr.with_cancel(cancel).traceinfo(trace)) {
        Ok(header) => {
            redaction.learn_header(&header);
            true
        }
        Err(error) => {
            tracing::warn!("the environment of {} is not known, and not masked: {error}", trace.in_text());
            false
        }
    }
}
