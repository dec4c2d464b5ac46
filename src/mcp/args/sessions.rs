//! Arguments of the tools for sessions and their checkpoints.

use super::{MAX_NUMBER, Text};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// Tools that need only a session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SessionArgs {
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// Tools that need nothing.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoArgs {}

/// `rr_replay_start`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReplayStartArgs {
    /// Trace directory. Default: what was recorded last here, else rr's latest.
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: Option<String>,
    /// Recorded process to debug (see rr_ps). Default: the first; without trace_dir, debug_first of rr_ps.
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    pub(crate) pid: Option<u32>,
    /// Instead of pid: the program it executed, e.g. cc1, or its whole command line.
    #[schemars(length(min = 1))]
    pub(crate) command: Option<String>,
    /// Session in whose recording, and at whose current event, to start: the same moment in another process.
    #[schemars(length(min = 1))]
    pub(crate) at_session: Option<String>,
}

/// `rr_attach`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AttachArgs {
    /// `127.0.0.1:9999`, or a port of this machine.
    pub(crate) address: Text,
    /// What it replays. Default: found out by where it has its program from.
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: Option<String>,
    /// Path of the file of its program, if it does not tell (QEMU).
    #[schemars(length(min = 1))]
    pub(crate) program: Option<String>,
    /// It may be on another machine.
    #[serde(default)]
    pub(crate) remote: bool,
}

/// `rr_checkpoint_restore`, `rr_checkpoint_delete`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckpointArgs {
    /// Id from rr_checkpoint_save.
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    pub(crate) checkpoint_id: u32,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}
