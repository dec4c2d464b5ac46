//! Questions about who wrote to memory, in the whole recording. The session says what memory is meant, and stays where
//! it is.

pub(crate) mod args;
pub(crate) mod view;

use self::args::{HistoryArgs, LastWriteArgs};
use self::view::{HistoryView, LastWriteView, is_as_left};
use crate::mcp::call::{Call, find_rr, kept};
use crate::mcp::reply::{CachedAnswer, Json, ToolError};
use crate::mcp::session::SessionById;
use crate::mcp::tools::breakpoints::args::AccessType;
use crate::mcp::tools::questions::page::Page;
use crate::mcp::tools::questions::question;
use base::cancel::Cancel;
use engine::{Engine, Object};
use questions::{Access, Filter, LastWrites, LastWritesQuery, Writes, WritesQuery};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use std::path::{Path, PathBuf};

#[tool_router(router = writes_tools, vis = "pub(crate)")]
impl Call {
    /// Find the last write before now: values, function, position.
    ///
    /// * Now is the session's position. Objects of any size; also writes by system calls. Replays the recording once,
    /// apart from the session, which stays where it is.
    #[tool(name = "rr_last_write")]
    async fn last_write(
        &self,
        Parameters(args): Parameters<LastWriteArgs>,
    ) -> Result<Json<CachedAnswer<LastWriteView>>, ToolError> {
        let (trace, object) = self.meant(args.session.as_deref(), &args.expression).await?;
        let shared = self.shared.clone();
        let job = move |cancel: &Cancel| {
            let query = LastWritesQuery::of(&trace, &object)?;
            kept(
                &[trace.as_path()],
                &format!("rr_last_write {query:?} {:?} {}", object.position, args.expression),
                || {
                    let ask = || LastWrites::ask(&find_rr(cancel)?, &trace, &query, cancel);
                    let writes = shared.answers.get(question(&trace, &query), ask)?;
                    let (last, change) = (writes.last(cancel)?, writes.other_change(cancel)?);
                    let is_open = last.as_ref().is_none_or(|row| !is_as_left(&object, row));
                    let moved = if is_open { writes.moved(cancel)? } else { None };
                    let parts = (last, change, moved);
                    Ok::<_, questions::Error>(LastWriteView::new(&args.expression, &object, &writes, parts))
                },
            )
        };
        self.on_thread(job).await.map(Json)
    }

    /// List all writes (or reads) of a variable or memory: values, function, line.
    ///
    /// * Objects of any size; also writes by system calls. Replays the recording once, apart from the session, which
    /// stays where it is.
    #[tool(name = "rr_history")]
    async fn history(
        &self,
        Parameters(args): Parameters<HistoryArgs>,
    ) -> Result<Json<CachedAnswer<HistoryView>>, ToolError> {
        let (trace, object) = self.meant(args.session.as_deref(), &args.expression).await?;
        let shared = self.shared.clone();
        let job = move |cancel: &Cancel| {
            let query = args.query(&trace, &object)?;
            let (page, at) = (args.page(), object.position);
            kept(&[trace.as_path()], &format!("rr_history {query:?} {page:?} {at:?} {}", args.expression), || {
                let ask = || Writes::ask(&find_rr(cancel)?, &trace, &query, cancel);
                let writes = shared.answers.get(question(&trace, &query), ask)?;
                let rows = page.read(writes.matching, |from, most| writes.page(from, most, cancel))?;
                Ok::<_, questions::Error>(HistoryView::new(&args.expression, &object, &writes, rows, args.offset))
            })
        };
        self.on_thread(job).await.map(Json)
    }

    /// Finds the recording of a session, and what an expression names in memory there.
    pub(crate) async fn meant(&self, session: Option<&str>, expression: &str) -> Result<(PathBuf, Object), ToolError> {
        let text = expression.to_owned();
        let job = move |engine: &mut Engine| engine.in_frame_that_knows(|engine| engine.object(&text));
        let object = self.on_session(session, job).await?;
        let trace = match self.shared.sessions.look(session) {
            Ok(SessionById::Open { session, .. }) => session.status().trace,
            _ => None,
        };
        let lacking = || ToolError("the session's recording is not known: use a watchpoint".to_owned());
        Ok((trace.ok_or_else(lacking)?, object))
    }
}

impl HistoryArgs {
    /// Returns the page of rows that they ask for.
    pub(crate) fn page(&self) -> Page {
        Page { offset: self.offset, limit: self.limit, newest: self.newest }
    }

    /// Returns what to ask about an object.
    pub(crate) fn query(&self, trace: &Path, object: &Object) -> Result<WritesQuery, rr::Error> {
        let filter = Filter { pid: None, tid: self.tid, from: self.from, to: self.to };
        let access = match self.kind {
            AccessType::Write => Access::Write,
            AccessType::Read => Access::Read,
            AccessType::Access => Access::Both,
        };
        Ok(WritesQuery { access, filter, only_changes: self.changes, ..WritesQuery::of(trace, object)? })
    }
}
