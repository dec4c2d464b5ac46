//! Who waits for whom. The session stays where it is; since when locks are held, the whole recording is asked.

mod view;

use self::view::ThreadsReportView;
use crate::cancel::Cancel;
use crate::engine::Engine;
use crate::engine::model::{WaitKind, Waits};
use crate::mcp::call::{Call, find_rr, kept};
use crate::mcp::reply::{Json, Kept, ToolError};
use crate::mcp::session::Known;
use crate::mcp::tools::args::SessionArgs;
use crate::mcp::tools::questions::question;
use crate::questions::{self, LockQuery, Locks, LocksQuery, Now};
use crate::rr;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use std::path::Path;

/// How far the owner is from the beginning of a `pthread_mutex_t`, and of a `pthread_rwlock_t`.
const OWNER_OF_MUTEX: u64 = 8;
const WRITER_OF_RWLOCK: u64 = 24;

#[tool_router(router = waits_tools, vis = "pub(crate)")]
impl Call {
    /// What each thread waits for: system call, lock and its owner; deadlocks.
    #[tool(name = "rr_threads_report")]
    async fn threads_report(
        &self,
        Parameters(args): Parameters<SessionArgs>,
    ) -> Result<Json<Kept<ThreadsReportView>>, ToolError> {
        let session = args.session.as_deref();
        let (waits, words) = self.on_session(session, waits).await?;
        let trace = match self.shared.sessions.look(session) {
            Ok(Known::Open { session, .. }) => session.status().trace,
            _ => None,
        };
        let asked = waits.position.moment.and(trace);
        let Some(trace) = asked.filter(|_| !words.is_empty()) else {
            return Ok(Json(Kept::New(ThreadsReportView::new(&waits, &words, &Locks::default()))));
        };
        let shared = self.shared.clone();
        let job = move |cancel: &Cancel| {
            let query = query(&trace, &waits, &words)?;
            kept(&[trace.as_path()], &format!("rr_threads_report {query:?} {waits:?}"), || {
                let ask = || Locks::ask(&find_rr(cancel)?, &trace, &query, cancel);
                let locks = shared.answers.get(question(&trace, &query), ask)?;
                Ok::<_, questions::Error>(ThreadsReportView::new(&waits, &words, &locks))
            })
        };
        self.on_thread(job).await.map(Json)
    }
}

/// Finds out what threads wait for, and which words in memory say that locks are held.
fn waits(engine: &mut Engine) -> Result<(Waits, Vec<LockQuery>), crate::engine::Error> {
    let waits = engine.waits()?;
    let mut locks: Vec<LockQuery> = Vec::new();
    for waiting in &waits.threads {
        let Some(wait) = &waiting.wait else { continue };
        let (lock, word, is_of_c) = match (wait.kind, wait.lock) {
            (WaitKind::Mutex, Some(lock)) => (lock, lock.wrapping_add(OWNER_OF_MUTEX), true),
            (WaitKind::RwLock, Some(lock)) => (lock, lock.wrapping_add(WRITER_OF_RWLOCK), true),
            (WaitKind::RustMutex, _) => (wait.word, wait.word, false),
            _ => continue,
        };
        let tid = waiting.thread.id.tid;
        match locks.iter_mut().find(|known| known.lock == lock) {
            Some(known) => known.waiting.push(tid),
            None => {
                // Of what cannot be read it is not known who has it.
                let content = engine.read_memory(&format!("{word:#x}"), 4).map(|block| block.bytes).unwrap_or_default();
                locks.push(LockQuery { lock, word, content, is_of_c, waiting: vec![tid] });
            }
        }
    }
    Ok((waits, locks))
}

fn query(trace: &Path, waits: &Waits, locks: &[LockQuery]) -> Result<LocksQuery, rr::Error> {
    let (position, pid) = (waits.position, waits.position.thread.pid);
    let programs = rr::programs_until(trace, pid, position.event().unwrap_or(u64::MAX))?;
    let now = Now {
        event: position.event().unwrap_or_default(),
        ticks: position.ticks().unwrap_or_default(),
        tid: position.thread.tid,
        content: Vec::new(),
        place: None,
    };
    Ok(LocksQuery { locks: locks.to_vec(), pid, programs, now })
}
