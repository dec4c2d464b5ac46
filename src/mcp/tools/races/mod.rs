//! Accesses to the same memory that nothing keeps apart, in the whole recording. The session says what memory is meant,
//! and stays where it is.

pub(crate) mod args;
pub(crate) mod view;

use self::args::RacesArgs;
use self::view::RacesView;
use crate::mcp::call::{Call, find_rr, kept};
use crate::mcp::reply::{CachedAnswer, Json, ToolError};
use crate::mcp::tools::questions::question;
use base::cancel::Cancel;
use engine::Object;
use questions::{Filter, Races, RacesQuery, WritesQuery};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use std::path::Path;

#[tool_router(router = races_tools, vis = "pub(crate)")]
impl Call {
    /// List data races: accesses to a variable without a common lock.
    ///
    /// * At least one access of each pair is a write. Each access has the locks that were held: mutexes,
    /// reader-writer locks and spin locks of the C library, and locks of the standard libraries of C++ and Rust.
    /// Accesses ordered by thread creation, joins, semaphores and barriers are not listed. Replays the recording
    /// once, apart from the session, which stays where it is.
    #[tool(name = "rr_races")]
    async fn races(&self, Parameters(args): Parameters<RacesArgs>) -> Result<Json<CachedAnswer<RacesView>>, ToolError> {
        self.races_of(args).await.map(Json)
    }

    /// Answers `rr_races`.
    pub(crate) async fn races_of(&self, args: RacesArgs) -> Result<CachedAnswer<RacesView>, ToolError> {
        let (trace, object) = self.meant(args.session.as_deref(), &args.expression).await?;
        let shared = self.shared.clone();
        let job = move |cancel: &Cancel| {
            let query = query(&trace, &object)?;
            let page = (args.offset, args.limit);
            kept(&[trace.as_path()], &format!("rr_races {query:?} {page:?} {}", args.expression), || {
                let ask = || Races::ask(&find_rr(cancel)?, &trace, &query, cancel);
                let races = shared.answers.get(question(&trace, &query), ask)?;
                Ok::<_, questions::Error>(RacesView::new(&args.expression, &object, &races, args.offset, args.limit))
            })
        };
        self.on_thread(job).await
    }
}

/// Returns what to ask about an object, in the memory of its process: that of the program that it executes there.
pub(crate) fn query(trace: &Path, object: &Object) -> Result<RacesQuery, rr::Error> {
    let WritesQuery { address, length, pid, programs, .. } = WritesQuery::of(trace, object)?;
    Ok(RacesQuery { address, length, pid, programs, filter: Filter::default() })
}
