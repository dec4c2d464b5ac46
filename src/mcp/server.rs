//! The server: what the tools have in common.

use super::call::Unanswered;
use super::env::Settings;
use super::jobs::{Job, Jobs};
use super::made::Made;
use super::news::{Client, Feed, Level, MOST, SetLevel, Told};
use super::notes::Notes;
use super::reply::{Render, ToolError};
use super::resources::{self, Place};
use super::sessions::{Activity, Pending, Session, Sessions, Status, locked};
use super::view::{StopView, reason_word};
use super::worker::{After, Cancel, Threads};
use super::{call, check, prompts, schema, tasks};
use crate::console::Console;
use crate::engine::model::{Motion, Observer, Timeouts};
use crate::engine::{self, Engine};
use crate::rr::{self, Listener, RecordOptions, Rr};
use rmcp::handler::server::tool::{ToolCallContext, ToolRouter};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, CompleteRequestParams,
    CompleteResult, GetPromptRequestParams, GetPromptResponse, GetTaskParams, GetTaskResult, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig, SubscribeRequestParams,
    SubscriptionFilter, UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler, tool_handler};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// How long the threads that are not sessions have to end when the server closes; rr dies with this process anyway.
const CLOSING: Duration = Duration::from_secs(1);

/// Tools that may take long: they have a parameter `background`.
const LONG: [&str; 5] = ["rr_record", "rr_continue", "rr_finish", "rr_run_to_event", "rr_output"];

/// What a client is told about the server as a whole.
const INSTRUCTIONS: &str = "\
Reverse debugging of rr recordings: run a recorded program forward and backward in time and inspect it anywhere. \
Order: rr_record a failing program, rr_replay_start, rr_continue to the crash, then go back from it: rr_watchpoint_set \
on the wrong value and rr_continue with reverse=true stops where it was last written. \
Every stop names its place in time (event, ticks, thread, pc); rr_run_to_event and checkpoints return to one. \
Replays never change: no assignments or calls in expressions. \
Several replays can be open; `session` names one, the most recently used is meant otherwise. \
A session does one call at a time; rr_interrupt stops a long one where it is, rr_replay_stop ends it at once. \
Long answers are cut, say so in `truncated`, and tell how to get the rest. rr_doctor says why recording fails.";

/// The MCP server, over any transport. Clones share their sessions, and serve the same client.
#[derive(Clone)]
pub struct Server {
    shared: Arc<Shared>,
    client: Arc<Client>,
    tool_router: Arc<ToolRouter<Self>>,
}

/// What the thread of a session owns: a replay, and the conversation in GDB's language about it.
pub(super) struct Debugger {
    pub(super) engine: Engine,
    pub(super) console: Console,
}

impl From<Engine> for Debugger {
    fn from(engine: Engine) -> Self {
        Self { engine, console: Console::new() }
    }
}

/// What to do about a location that is not there yet.
const MAY_WAIT: &str = "a library that is loaded later can be waited for with a pending breakpoint (`pending`: true)";

/// Why a job of a session has no result.
pub(super) struct Failure(String);

impl Failure {
    /// In these words.
    pub(super) fn said(words: String) -> Self {
        Self(words)
    }

    /// The same behind what was said before it.
    pub(super) fn behind(self, before: &str) -> Self {
        let before = before.trim_matches('\n');
        if before.is_empty() { self } else { Self(format!("{before}\n{}", self.0)) }
    }
}

impl From<engine::Error> for Failure {
    fn from(error: engine::Error) -> Self {
        Self(match &error {
            engine::Error::NoLocation { later: true, .. } => format!("{error}; {MAY_WAIT}"),
            _ => error.to_string(),
        })
    }
}

struct Shared {
    sessions: Arc<Sessions<Debugger>>,
    settings: Settings,
    jobs: Jobs,
    made: Made,
    closing: Arc<AtomicBool>,
    threads: Threads,
}

impl Server {
    /// A server without sessions.
    pub fn new(settings: impl Into<Settings>) -> Self {
        let settings = settings.into();
        for (name, value) in std::env::vars_os() {
            settings.redaction.learn(&name.to_string_lossy(), &value.to_string_lossy());
        }
        let sessions = Arc::new(Sessions::new(settings.sessions));
        let closing = Arc::<AtomicBool>::default();
        let jobs = Jobs::new(closing.clone(), sessions.feed().clone());
        let shared = Shared { sessions, settings, jobs, made: Made::default(), closing, threads: Threads::new() };
        let tool_router = Arc::new(schema::tidy(Self::all_tools()));
        Self { shared: Arc::new(shared), client: Arc::default(), tool_router }
    }

    /// The same server for another client.
    pub(super) fn for_another(&self) -> Self {
        Self { client: Arc::default(), ..self.clone() }
    }

    /// Where what happens is told.
    pub(super) fn feed(&self) -> &Feed {
        self.shared.sessions.feed()
    }

    /// How the client of this context is told what happens from now on.
    fn told(&self, context: &RequestContext<RoleServer>) -> Told {
        let redaction = self.shared.settings.redaction.clone();
        Told { peer: context.peer.clone(), news: self.feed().listen(), redaction }
    }

    /// Ends all sessions, recordings and other calls. Returns within a few seconds, whatever they do.
    pub async fn close(&self) {
        self.shared.closing.store(true, Ordering::Relaxed);
        self.shared.sessions.close().await;
        if tokio::time::timeout(CLOSING, self.shared.threads.gone()).await.is_err() {
            tracing::warn!("a call did not end in time; it ends with this process");
        }
    }

    pub(super) fn sessions(&self) -> &Arc<Sessions<Debugger>> {
        &self.shared.sessions
    }

    /// Whether this may be recorded; what must not be shown of it is known from now on.
    pub(super) fn permit(&self, options: &RecordOptions) -> Result<(), ToolError> {
        let Settings { allowed, redaction, .. } = &self.shared.settings;
        allowed.check(options).map_err(ToolError)?;
        options.env.iter().for_each(|(name, value)| redaction.learn(name, value));
        Ok(())
    }

    pub(super) fn made(&self) -> &Made {
        &self.shared.made
    }

    pub(super) fn jobs(&self) -> &Jobs {
        &self.shared.jobs
    }

    /// Has `job` done with the rr that there is, without anybody waiting for it.
    pub(super) fn in_background<T: Serialize + Render>(
        &self,
        tool: &'static str,
        about: String,
        job: impl FnOnce(Rr, &Listener) -> Result<T, rr::Error> + Send + 'static,
    ) -> Result<Arc<Job>, ToolError> {
        let work = move |cancel: &Cancel, listener: &Listener| Ok(job(find_rr(cancel)?, listener)?);
        self.jobs().start(tool, about, self.shared.threads.token(), work)
    }

    pub(super) fn timeouts(&self) -> Timeouts {
        self.shared.settings.timeouts
    }

    /// Has `job` done on the thread of a session, after what was asked of it before.
    pub(super) async fn on_session<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        session: Option<&str>,
        tool: &'static str,
        job: impl FnOnce(&mut Engine) -> Result<T, engine::Error> + Send + 'static,
    ) -> Result<T, ToolError> {
        let session = self.sessions().find(session)?;
        let notes = Notes::of(context);
        let pending = submit(&session, tool, move |engine, _, _| {
            let answer = job(engine);
            notes.add(engine.take_notes());
            answer
        });
        self.answer(context, &session, tool, pending).await
    }

    /// Has a session move.
    pub(super) async fn go(
        &self,
        context: &RequestContext<RoleServer>,
        session: Option<&str>,
        tool: &'static str,
        motion: Motion,
    ) -> Result<StopView, ToolError> {
        let session = self.sessions().find(session)?;
        let pending = submit_motion(&session, tool, motion, Notes::of(context));
        self.answer(context, &session, tool, pending).await
    }

    /// The same for a movement that may take long: in the background, a job waits for it, and this does not.
    pub(super) async fn go_far(
        &self,
        context: &RequestContext<RoleServer>,
        session: Option<&str>,
        tool: &'static str,
        motion: Motion,
        background: bool,
    ) -> Result<StopView, ToolError> {
        if !background {
            return self.go(context, session, tool, motion).await;
        }
        let session = self.sessions().find(session)?;
        let notes = Notes::default();
        // In the queue of the session now, so that what is called next comes after it.
        let pending = submit_motion(&session, tool, motion, notes.clone());
        let job = self.in_background_of(session, tool, pending, move |stop: &mut StopView| {
            stop.notes.extend(notes.take());
        })?;
        Ok(StopView::of_job(&job.id))
    }

    /// A job that waits for what a session was asked. `complete` is told the answer when it is there.
    pub(super) fn in_background_of<T: Serialize + Render + Send + 'static>(
        &self,
        session: Arc<Session<Debugger>>,
        tool: &'static str,
        pending: Pending<Result<T, ToolError>>,
        complete: impl FnOnce(&mut T) + Send + 'static,
    ) -> Result<Arc<Job>, ToolError> {
        let about = format!("session {}", session.id());
        let (given_up, runtime) = (pending.cancel.clone(), Handle::current());
        let wait = move |cancel: &Cancel, _: &Listener| {
            let Some(answer) = pending.wait(cancel) else {
                runtime.block_on(session.gone());
                return Err(ToolError(session.end_reason().to_string()));
            };
            let mut answer = answer?;
            complete(&mut answer);
            Ok(answer)
        };
        self.jobs().start(tool, about, self.shared.threads.token(), wait).inspect_err(|_| given_up.set())
    }

    /// Waits for what a session was asked; if it ends first, the error says why.
    pub(super) async fn answer<T>(
        &self,
        context: &RequestContext<RoleServer>,
        session: &Session<Debugger>,
        tool: &'static str,
        pending: Pending<Result<T, ToolError>>,
    ) -> Result<T, ToolError> {
        match call::answer(context, tool, pending).await {
            Ok(answer) => answer,
            Err(Unanswered::Refused) => Err(ToolError(session.busy(tool))),
            Err(Unanswered::Dropped) if context.ct.is_cancelled() => {
                Err(ToolError("cancelled before it began".to_owned()))
            }
            Err(Unanswered::Dropped) => {
                session.gone().await;
                Err(ToolError(session.end_reason().to_string()))
            }
        }
    }

    /// Has `job` done with the rr that there is, on a thread of its own. It is given up when the client cancels.
    pub(super) async fn with_rr<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        tool: &'static str,
        job: impl FnOnce(Rr) -> Result<T, rr::Error> + Send + 'static,
    ) -> Result<T, ToolError> {
        self.on_thread(context, tool, move |cancel| job(find_rr(cancel)?)).await
    }

    /// Has `job` done on a thread of its own: for what waits for rr without a replay.
    pub(super) async fn on_thread<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        tool: &'static str,
        job: impl FnOnce(&Cancel) -> Result<T, rr::Error> + Send + 'static,
    ) -> Result<T, ToolError> {
        let (sender, reply) = oneshot::channel();
        let (cancel, token) = (Cancel::within(&self.shared.closing), self.shared.threads.token());
        let seen = cancel.clone();
        let run = move || {
            let _token = token;
            if sender.send(job(&seen)).is_err() {
                tracing::debug!("nobody waited for {tool}");
            }
        };
        std::thread::Builder::new()
            .name(tool.to_owned())
            .spawn(run)
            .map_err(|e| ToolError(format!("no thread for {tool} could be started: {e}")))?;
        let pending = Pending { reply, cancel, begun: Arc::new(AtomicBool::new(true)), batch: None, status: None };
        match call::answer(context, tool, pending).await {
            Ok(answer) => Ok(answer?),
            Err(_) => Err(ToolError(format!("{tool} failed by an internal error (see the server's standard error)"))),
        }
    }
}

/// The rr that there is, whose work is given up when this flag is set.
pub(super) fn find_rr(cancel: &Cancel) -> Result<Rr, rr::Error> {
    let cancel = cancel.clone();
    Ok(Rr::find()?.while_wanted(move || !cancel.is_set()))
}

/// Queues a movement. What is to be said besides its stop goes to `notes`.
fn submit_motion(
    session: &Session<Debugger>,
    tool: &'static str,
    motion: Motion,
    notes: Notes,
) -> Pending<Result<StopView, ToolError>> {
    submit(session, tool, move |engine, observer, status| {
        let moved = engine.go(motion, observer);
        notes.add(engine.take_notes());
        let stop = match moved {
            // A stop like others, and the last one.
            Err(engine::Error::Exited { exit_code, signal }) => return Ok(StopView::exited(exit_code, signal)),
            moved => moved?,
        };
        locked(status).stop = Some((stop.clone(), reason_word(&stop.reason, Some(motion))));
        Ok(StopView::new(stop, Some(motion)))
    })
}

/// Queues `job`, and writes down afterwards what the session list shows.
pub(super) fn submit<T: Send + 'static>(
    session: &Session<Debugger>,
    tool: &'static str,
    job: impl FnOnce(&mut Engine, &mut dyn Observer, &Mutex<Status>) -> Result<T, engine::Error> + Send + 'static,
) -> Pending<Result<T, ToolError>> {
    submit_whole(session, tool, move |debugger, observer, status| Ok(job(&mut debugger.engine, observer, status)?))
}

/// The same for a job that needs more than the replay.
pub(super) fn submit_whole<T: Send + 'static>(
    session: &Session<Debugger>,
    tool: &'static str,
    job: impl FnOnce(&mut Debugger, &mut dyn Observer, &Mutex<Status>) -> Result<T, Failure> + Send + 'static,
) -> Pending<Result<T, ToolError>> {
    let (feed, about) = (session.feed().clone(), format!("session {}", session.id()));
    session.submit(tool, move |debugger, observer, status| {
        let replays = debugger.engine.replays();
        let running = {
            let mut status = locked(status);
            status.work = Some(debugger.engine.work());
            match &status.activity {
                Activity::Running(running) => Some(running.cancel.clone()),
                Activity::Starting(_) | Activity::Idle => None,
            }
        };
        debugger.engine.while_wanted(move || !running.as_ref().is_some_and(Cancel::is_set));
        let answer = job(debugger, observer, status);
        let engine = &mut debugger.engine;
        if engine.replays() != replays {
            locked(status).port = Some(engine.port());
            feed.say(Level::Warning, about, "rr had to be started again: the session goes on in a new replay");
            // In a new replay it may be elsewhere, although it has not been told to move.
            if answer.is_err()
                && let Ok(stop) = engine.here()
            {
                let word = reason_word(&stop.reason, None);
                locked(status).stop = Some((stop, word));
            }
        }
        let (checkpoints, breakpoints) = (engine.checkpoints(), engine.breakpoints());
        let traffic = engine.traffic();
        {
            let mut status = locked(status);
            status.checkpoints = checkpoints;
            status.breakpoints = breakpoints;
            status.traffic = Some(traffic);
        }
        let after = engine.end().map_or(After::Stay, After::End);
        (answer.map_err(|failure| ToolError(failure.0)), after)
    })
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder().enable_tools().enable_prompts().enable_completions();
        let can = can.enable_resources().enable_resources_subscribe();
        #[expect(deprecated, reason = "a part of the older protocol, which clients speak")]
        let can = can.enable_logging();
        ServerConfig::new(can.enable_tasks().build())
            .with_server_info(Implementation::new("retrograde", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    /// Checks the arguments against the tool's own schema first, so that a tool sees only what it said it would take.
    async fn call_tool(
        &self,
        mut request: CallToolRequestParams,
        mut context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tool_router.get(&request.name) else {
            return Ok(ToolError(self.no_such_tool(&request.name)).into_result().into());
        };
        let given = request.arguments.take().unwrap_or_default();
        match check::arguments(&tool.name, &tool.input_schema, given) {
            Ok(arguments) => request.arguments = Some(arguments),
            Err(message) => return Ok(ToolError(message).into_result().into()),
        }
        let can_be_task = LONG.contains(&&*request.name)
            && context.client_capabilities().is_some_and(|capabilities| capabilities.supports_tasks());
        let notes = Notes::default();
        context.extensions.insert(notes.clone());
        let told = context.meta.log_level().map(|least| (Level::from(least), self.told(&context)));
        let tool = request.name.to_string();
        let mut response = self.tool_router.call(ToolCallContext::new(self, request, context)).await?;
        for note in notes.append_to(&mut response) {
            self.feed().say(Level::Notice, &*tool, note);
        }
        self.shared.settings.redaction.apply(&mut response);
        if let Some((least, Told { peer, news, redaction })) = told {
            news.tell_said(&peer, least, &redaction).await;
        }
        Ok(if can_be_task { tasks::in_place_of(response, self.jobs()) } else { response })
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let job = tasks::find(self.jobs(), &request.task_id)?;
        let redaction = &self.shared.settings.redaction;
        tasks::detailed(&job, |result| redaction.apply_to_result(result)).map(GetTaskResult::new)
    }

    /// No job ever asks the client for anything, so whatever it tells is passed over.
    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        tasks::find(self.jobs(), &request.task_id).map(drop)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        tasks::find(self.jobs(), &request.task_id)?.cancel();
        Ok(())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let list = resources::list(&self.session_ids());
        Ok(ListResourcesResult::with_all_items(list).with_ttl_ms(0).with_cache_scope(CacheScope::Private))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let list = ListResourceTemplatesResult::with_all_items(resources::templates());
        Ok(list.with_ttl_ms(resources::FIXED).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let (tool, arguments) = match resources::find(&uri, &self.session_ids())? {
            Place::Text(topic) => return Ok(resources::text(uri, topic).into()),
            Place::Answer { tool, arguments } => (tool, arguments),
        };
        let call = CallToolRequestParams::new(tool).with_arguments(arguments);
        match self.call_tool(call, context).await? {
            CallToolResponse::Complete(CallToolResult { structured_content: Some(answer), .. }) => {
                Ok(resources::answer(uri, &answer).into())
            }
            CallToolResponse::Complete(CallToolResult { content, .. }) => {
                let said = content.first().and_then(|block| block.as_text()).map(|text| text.text.clone());
                Err(ErrorData::internal_error(said.unwrap_or_default(), None))
            }
            _ => Err(ErrorData::internal_error(format!("{tool} did not answer"), None)),
        }
    }

    async fn set_level(&self, request: SetLevel, context: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.client.wants_messages(&request, self.told(&context));
        Ok(())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let open = self.session_ids();
        resources::find(&request.uri, &open)?;
        let exists = |uri: &str| resources::find(uri, &open).is_ok();
        let begun = self.client.wants_changes(request.uri, exists, self.told(&context));
        begun.map_err(|why| ErrorData::invalid_params(why, None))
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.client.wants_no_changes(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let open = self.session_ids();
        let known = requested.resource_subscriptions.iter().flatten().filter(|uri| resources::find(uri, &open).is_ok());
        let mut accepted = BTreeSet::new();
        for uri in known {
            if accepted.len() < MOST {
                accepted.insert(uri.clone());
            }
        }
        Some(SubscriptionFilter::builder().resource_subscriptions(accepted).build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let _seat = self.feed().seat().map_err(|why| ErrorData::invalid_request(why, None))?;
        self.feed().listen().tell_changes(context).await;
        Ok(())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let list = ListPromptsResult::with_all_items(prompts::list());
        Ok(list.with_ttl_ms(resources::FIXED).with_cache_scope(CacheScope::Public))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(prompts::get(&request.name, &request.arguments.unwrap_or_default())?.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(CompleteResult::new(self.completions(request, &context).await))
    }
}

impl Server {
    /// The ids of the open sessions, the most recently used last.
    pub(super) fn session_ids(&self) -> Vec<String> {
        self.sessions().list().0.iter().map(|session| session.id().to_owned()).collect()
    }

    /// What it tells of its tools.
    #[cfg(test)]
    pub(super) fn tools(&self) -> Vec<rmcp::model::Tool> {
        self.tool_router.list_all()
    }

    /// The names of all tools, in order.
    pub(super) fn tool_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.tool_router.map.keys().map(ToString::to_string).collect();
        names.sort_unstable();
        names
    }

    fn no_such_tool(&self, name: &str) -> String {
        format!("unknown tool {name:?}; the tools are {}", self.tool_names().join(", "))
    }
}
