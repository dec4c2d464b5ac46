//! Long work that nobody waits for: each job has a thread, keeps what it prints, and keeps its result until it is asked
//! for.

mod captured_output;

pub(crate) use self::captured_output::{Printed, Reading};
use crate::mcp::lock::locked;
use crate::mcp::notify::{Feed, Level, Reporter};
use crate::mcp::reply::{ToolError, structured};
use crate::mcp::session::Token;
use base::cancel::Cancel;
use rr::{Listener, Stream};
use serde::Serialize;
use serde_json::Value;
use std::collections::VecDeque;
use std::fmt::Display;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::watch;

/// Most jobs that run at the same time.
const RUNNING: usize = 8;
/// How many jobs are remembered that have ended.
const REMEMBERED: usize = 16;

/// What came of a job.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    pub(crate) after: Duration,
    /// The tool's answer, for readers and for programs.
    pub(crate) answer: Result<(String, Value), ToolError>,
}

/// A tool at work.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) id: String,
    pub(crate) tool: &'static str,
    /// What it does, in the caller's words.
    pub(crate) about: String,
    pub(crate) created: SystemTime,
    begun: Instant,
    cancel: Cancel,
    output: Arc<Mutex<Printed>>,
    done: watch::Receiver<Option<Arc<Done>>>,
}

/// The word for what a job is doing, and what came of it.
#[derive(Clone, Debug)]
pub(crate) struct JobStatus {
    /// `running`, `cancelling`, `done`, `failed` or `cancelled`.
    pub(crate) word: &'static str,
    pub(crate) elapsed: Duration,
    pub(crate) done: Option<Arc<Done>>,
}

impl Job {
    /// Returns what it is doing now.
    pub(crate) fn state(&self) -> JobStatus {
        let done = self.done.borrow().clone();
        let word = match &done {
            None if self.cancel.is_cancelled() => "cancelling",
            None => "running",
            Some(_) if self.cancel.is_cancelled() => "cancelled",
            Some(done) if done.answer.is_err() => "failed",
            Some(_) => "done",
        };
        JobStatus { word, elapsed: done.as_ref().map_or_else(|| self.begun.elapsed(), |done| done.after), done }
    }

    /// Returns what it has printed.
    pub(crate) fn output(&self) -> &Mutex<Printed> {
        &self.output
    }

    /// Asks it to come to an end. What has ended is not affected.
    pub(crate) fn cancel(&self) {
        if self.done.borrow().is_none() {
            self.cancel.cancel();
        }
    }

    /// Waits until it has ended.
    pub(crate) async fn over(&self) {
        // An error means that its thread has ended without a word, which the state tells.
        let _ = self.done.clone().wait_for(Option::is_some).await;
    }
}

/// What a job does; gives the tool's answer.
type Work = Box<dyn FnOnce(&Cancel, &Listener) -> Result<(String, Value), ToolError> + Send>;

/// All jobs that are known.
#[derive(Debug)]
pub(crate) struct Jobs {
    table: Mutex<Table>,
    closing: Cancel,
    feed: Feed,
}

#[derive(Debug, Default)]
struct Table {
    jobs: VecDeque<Arc<Job>>,
    last: u32,
}

impl Jobs {
    /// Creates a table without jobs. Those to come are cancelled with `closing`, and their ends are reported to `feed`.
    pub(crate) fn new(closing: Cancel, feed: Feed) -> Self {
        Self { table: Mutex::default(), closing, feed }
    }

    /// Starts one on a thread of its own, which holds `token`. What it tells the listener can be read meanwhile.
    pub(crate) fn start<T: Serialize + Display>(
        &self,
        tool: &'static str,
        about: String,
        token: Token,
        work: impl FnOnce(&Cancel, &Listener) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<Arc<Job>, ToolError> {
        let work = move |cancel: &Cancel, listener: &Listener| {
            let answer = work(cancel, listener)?;
            let value = structured(&answer).map_err(|error| ToolError(error.to_string()))?;
            Ok((answer.to_string(), value))
        };
        self.begin(tool, about, token, Box::new(work))
    }

    fn begin(&self, tool: &'static str, about: String, token: Token, work: Work) -> Result<Arc<Job>, ToolError> {
        let mut table = locked(&self.table);
        let running: Vec<&str> =
            table.jobs.iter().filter(|job| job.done.borrow().is_none()).map(|job| job.id.as_str()).collect();
        if running.len() >= RUNNING {
            let list = running.join(", ");
            return Err(ToolError(format!(
                "{RUNNING} jobs are running, which is the most: {list}; cancel one with rr_job_cancel"
            )));
        }
        let (cancel, output) = (self.closing.child(), Arc::<Mutex<Printed>>::default());
        let (sender, done) = watch::channel(None);
        let (asked, printed, begun) = (cancel.clone(), output.clone(), Instant::now());
        let id = format!("j{}", table.last + 1);
        let reporter = self.feed.reporter(format!("job {id}"));
        let run = move || {
            let _token = token;
            // Whatever happens, whoever waits is told.
            let answer = Err(ToolError(PANICKED.to_owned()));
            let mut farewell = EndGuard { sender, begun, answer, reporter, tool };
            let heard = printed.clone();
            let listener: Listener = Arc::new(move |stream: Stream, new: &[u8]| locked(&heard).push(stream, new));
            let answer = work(&asked, &listener);
            locked(&printed).finish();
            farewell.answer = answer;
        };
        let thread = std::thread::Builder::new().name(format!("job {id}")).spawn(run);
        thread.map_err(|error| ToolError(format!("no thread for the job could be started: {error}")))?;
        table.last += 1;
        let job = Job { id, tool, about, created: SystemTime::now(), begun, cancel, output, done };
        let job = Arc::new(job);
        table.jobs.push_back(job.clone());
        table.forget();
        Ok(job)
    }

    /// Finds the job of this id.
    pub(crate) fn find(&self, id: &str) -> Result<Arc<Job>, ToolError> {
        let table = locked(&self.table);
        table.jobs.iter().find(|job| job.id == id).cloned().ok_or_else(|| {
            let known: Vec<&str> = table.jobs.iter().map(|job| job.id.as_str()).collect();
            let known = if known.is_empty() { "there is none".to_owned() } else { known.join(", ") };
            ToolError(format!("unknown job {id:?}; jobs: {known}"))
        })
    }

    /// Returns all jobs that are known, the oldest first.
    pub(crate) fn list(&self) -> Vec<Arc<Job>> {
        locked(&self.table).jobs.iter().cloned().collect()
    }
}

impl Table {
    /// Forgets the oldest that have ended.
    fn forget(&mut self) {
        let ended = |job: &Arc<Job>| job.done.borrow().is_some();
        while self.jobs.iter().filter(|job| ended(job)).count() > REMEMBERED {
            let Some(oldest) = self.jobs.iter().position(ended) else { break };
            self.jobs.remove(oldest);
        }
    }
}

/// The answer of a job whose thread unwound.
const PANICKED: &str = "an internal error (a panic; see the server's standard error)";

/// A guard that reports what came of a job when its thread ends, however it does.
struct EndGuard {
    sender: watch::Sender<Option<Arc<Done>>>,
    begun: Instant,
    answer: Result<(String, Value), ToolError>,
    reporter: Reporter,
    tool: &'static str,
}

impl Drop for EndGuard {
    fn drop(&mut self) {
        let answer = std::mem::replace(&mut self.answer, Err(ToolError(String::new())));
        let (tool, seconds) = (self.tool, self.begun.elapsed().as_secs());
        match &answer {
            Ok(_) => self.reporter.say(Level::Info, format!("{tool} is done after {seconds} s")),
            Err(error) => self.reporter.say(Level::Warning, format!("{tool} has failed: {}", error.0)),
        }
        self.sender.send_replace(Some(Arc::new(Done { after: self.begun.elapsed(), answer })));
    }
}

#[cfg(test)]
mod tests;
