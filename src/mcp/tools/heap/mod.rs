//! Whose memory something is. The session says what is meant, and stays where it is.

pub(crate) mod args;
pub(crate) mod view;

use self::args::HeapArgs;
use self::view::HeapView;
use crate::mcp::call::{Call, find_rr, kept};
use crate::mcp::reply::{CachedAnswer, Json, ToolError};
use crate::mcp::tools::questions::question;
use base::cancel::Cancel;
use engine::{Engine, Pointer};
use questions::{HeapCalls, HeapOf, HeapQuery};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

#[tool_router(router = heap_tools, vis = "pub(crate)")]
impl Call {
    /// Show the heap block of a pointer: size, who allocated and freed it; use after free, double free.
    ///
    /// * Replays the recording twice the first time, then once, apart from the session, which stays where it is.
    #[tool(name = "rr_heap")]
    async fn heap(&self, Parameters(args): Parameters<HeapArgs>) -> Result<Json<CachedAnswer<HeapView>>, ToolError> {
        self.heap_of(args).await.map(Json)
    }

    /// Answers `rr_heap`.
    pub(crate) async fn heap_of(&self, args: HeapArgs) -> Result<CachedAnswer<HeapView>, ToolError> {
        let HeapArgs { expression, session } = args;
        let text = expression.clone();
        let job = move |engine: &mut Engine| engine.in_frame_that_knows(|engine| engine.pointer(&text));
        let pointer = self.on_session(session.as_deref(), job).await?;
        let query = query(&pointer);
        let trace = self.trace_of(session.as_deref())?;
        let shared = self.shared.clone();
        let job = move |cancel: &Cancel| {
            kept(&[trace.as_path()], &format!("rr_heap {query:?} {expression}"), || {
                let rr = find_rr(cancel)?;
                let ask = || HeapCalls::ask(&rr, &trace, cancel);
                let calls = shared.answers.get(question(&trace, &"calls of allocators"), ask)?;
                let heap = calls.block(&rr, &trace, &query, cancel)?;
                Ok::<_, questions::Error>(HeapView::new(expression.clone(), &heap))
            })
        };
        self.on_thread(job).await
    }
}

/// Returns what to ask about a pointer.
pub(crate) fn query(pointer: &Pointer) -> HeapQuery {
    let of = HeapOf::Address { address: pointer.address, held_at: pointer.held_at };
    HeapQuery::at(&pointer.position, vec![of])
}
