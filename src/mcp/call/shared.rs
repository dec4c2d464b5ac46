//! What all calls of a server share.

use super::answer_cache::Answers;
use super::environments::Environments;
use super::own_recordings::OwnRecordings;
use super::short_positions::ShortPositions;
use crate::mcp::job::{Job, Jobs};
use crate::mcp::notify::Feed;
use crate::mcp::policy::Settings;
use crate::mcp::reply::ToolError;
use crate::mcp::session::{Debugger, Sessions, Threads};
use base::cancel::Cancel;
use rmcp::model::CallToolResult;
use rr::{Listener, RecordOptions};
use serde::Serialize;
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How long the threads that are not sessions have to end when the server closes; rr dies with this process anyway.
const CLOSING: Duration = Duration::from_secs(1);

/// What all calls of a server share.
pub(crate) struct Shared {
    pub(crate) sessions: Arc<Sessions<Debugger>>,
    pub(crate) settings: Settings,
    pub(crate) jobs: Jobs,
    pub(crate) own_recordings: OwnRecordings,
    /// Recordings whose environments are masked.
    pub(crate) environments: Environments,
    /// Answers of which more may be asked.
    pub(crate) answers: Answers,
    /// Of the positions in its texts.
    pub(crate) short_positions: ShortPositions,
    /// Cancelled when the server closes.
    pub(super) closing: Cancel,
    /// Those that are not sessions.
    pub(super) threads: Threads,
}

impl Shared {
    /// Creates the `Shared` of a server without sessions.
    pub(crate) fn new(settings: Settings) -> Self {
        settings.redaction.learn_own();
        let sessions = Arc::new(Sessions::new(settings.sessions));
        let closing = Cancel::default();
        let jobs = Jobs::new(closing.clone(), sessions.feed().clone());
        let own_recordings = OwnRecordings::default();
        let (environments, answers) = (Environments::default(), Answers::default());
        let (short_positions, threads) = (ShortPositions::default(), Threads::new());
        Self { sessions, settings, jobs, own_recordings, environments, answers, short_positions, closing, threads }
    }

    /// Returns the feed to which what happens is reported.
    pub(crate) fn feed(&self) -> &Feed {
        self.sessions.feed()
    }

    /// Returns the ids of the open sessions, the most recently used last.
    pub(crate) fn session_ids(&self) -> Vec<String> {
        self.sessions.list().0.iter().map(|session| session.id().to_owned()).collect()
    }

    /// Fails if this must not be recorded; what must not be shown of it is known from now on. Where programs are listed,
    /// the one that is recorded is the file that was looked at.
    pub(crate) fn permit(&self, options: &mut RecordOptions) -> Result<(), ToolError> {
        let Settings { allowed, redaction, .. } = &self.settings;
        allowed.admit(options).map_err(ToolError)?;
        options.env.iter().for_each(|(name, value)| redaction.learn(name, value));
        Ok(())
    }

    /// Masks an answer, also the values that only the recordings have which it may tell of.
    pub(crate) async fn redact(self: &Arc<Self>, named: Vec<PathBuf>, result: &mut CallToolResult) {
        let redaction = &self.settings.redaction;
        if !redaction.is_on() {
            return;
        }
        let told = result.structured_content.as_ref().and_then(|content| content.get("trace_dir")?.as_str());
        let open = self.sessions.list().0.into_iter().filter_map(|session| session.status().trace);
        let traces: Vec<PathBuf> = named.into_iter().chain(told.map(PathBuf::from)).chain(open).collect();
        let (shared, cancel) = (self.clone(), self.closing.child());
        let learnt = tokio::task::spawn_blocking(move || {
            shared.environments.learn(&traces, &shared.settings.redaction, &cancel);
        });
        if learnt.await.is_err() {
            tracing::warn!("the environments of recordings are not known, and not masked");
        }
        redaction.apply_to_result(result);
    }

    /// Starts a job for a call of `tool`.
    pub(super) fn start_job<T: Serialize + Display>(
        &self,
        tool: &'static str,
        about: String,
        work: impl FnOnce(&Cancel, &Listener) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<Arc<Job>, ToolError> {
        self.jobs.start(tool, about, self.threads.token(), work)
    }

    /// Ends all sessions, recordings and other calls. Returns within a few seconds, whatever they do.
    pub(crate) async fn close(&self) {
        self.closing.cancel();
        self.sessions.close().await;
        if tokio::time::timeout(CLOSING, self.threads.gone()).await.is_err() {
            tracing::warn!("a call did not end in time; it ends with this process");
        }
    }
}
