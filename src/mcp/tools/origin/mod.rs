//! Where a value comes from. The session says what value is meant, and stays where it is.

mod args;
pub(crate) mod view;

use self::args::OriginArgs;
use self::view::OriginView;
use crate::mcp::call::{Call, Keeping, find_rr};
use crate::mcp::reply::{CachedAnswer, Json, ToolError};
use crate::mcp::session::SessionById;
use base::cancel::Cancel;
use engine::{Engine, Held, type_name};
use questions::{Hop, LONGEST_VALUE, Origin, OriginQuery};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};
use std::time::Duration;

/// The longest that an answer may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// What is to be followed.
pub(crate) struct Followed<'a> {
    pub(crate) session: Option<&'a str>,
    pub(crate) expression: String,
    pub(crate) through_arithmetic: bool,
    pub(crate) max_hops: usize,
}

#[tool_router(router = origin_tools, vis = "pub(crate)")]
impl Call {
    /// Find where a wrong value comes from: through copies, calls, files, sockets.
    ///
    /// * Each hop has a position. The session stays where it is.
    #[tool(name = "rr_origin")]
    async fn origin(
        &self,
        Parameters(args): Parameters<OriginArgs>,
    ) -> Result<Json<CachedAnswer<OriginView>>, ToolError> {
        let OriginArgs { expression, through_arithmetic, max_hops, session } = args;
        let session = session.as_deref();
        let followed = Followed { session, expression, through_arithmetic, max_hops: max_hops as usize };
        self.followed(followed).await.map(Json)
    }

    /// Finds where a value comes from, with the source of each hop.
    pub(crate) async fn followed(&self, followed: Followed<'_>) -> Result<CachedAnswer<OriginView>, ToolError> {
        let Followed { session, expression, through_arithmetic, max_hops } = followed;
        let text = expression.clone();
        let job = move |engine: &mut Engine| {
            engine.in_frame_that_knows(|engine| engine.held_or_characters(&text, LONGEST_VALUE))
        };
        let held = self.on_session(session, job).await?;
        let trace = match self.shared.sessions.look(session) {
            Ok(SessionById::Open { session, .. }) => session.status().trace,
            _ => None,
        };
        let lacking = || ToolError("the session's recording is not known: use a watchpoint".to_owned());
        let trace = trace.ok_or_else(lacking)?;
        let asked = asked(&held, &expression, through_arithmetic, max_hops);
        let of = trace.clone();
        let look = move |_: &Cancel| {
            let keeping = Keeping::of(&[of.as_path()], &asked);
            let again = keeping.again();
            Ok::<_, ToolError>((keeping, again))
        };
        let (keeping, again) = self.on_thread(look).await?;
        if let Some(again) = again {
            return Ok(again);
        }
        let named = expression.clone();
        let job = move |cancel: &Cancel| {
            let query = OriginQuery { held, expression: named, through_arithmetic, max_hops, patience: PATIENCE };
            Origin::ask(&find_rr(cancel)?, &trace, &query, cancel)
        };
        let origin = self.on_thread(job).await?;
        let places = places(&origin);
        let sources = self.on_session(session, move |engine: &mut Engine| sources(engine, places)).await?;
        let is_whole = is_whole(&origin, &sources);
        let view = OriginView::new(expression, &origin, sources);
        let keep = move |_: &Cancel| {
            if is_whole {
                keeping.keep(&view);
            }
            Ok::<_, ToolError>(CachedAnswer::New(view))
        };
        self.on_thread(keep).await
    }
}

/// Returns the file and line of each hop.
pub(crate) fn places(origin: &Origin) -> Vec<Option<(String, u32)>> {
    let place = |hop: &Hop| hop.line.as_ref().map(|(path, _, line)| (path.to_string_lossy().into_owned(), *line));
    origin.hops.iter().map(place).collect()
}

/// Reads the source of each hop.
pub(crate) fn sources(
    engine: &mut Engine,
    places: Vec<Option<(String, u32)>>,
) -> Result<Vec<Option<String>>, engine::Error> {
    let source = |place: Option<(String, u32)>| match place {
        Some((file, line)) => engine.source_line(&file, line),
        None => Ok(None),
    };
    places.into_iter().map(source).collect()
}

/// Returns whether an answer may be kept: what a faster machine finds, or a directory with the sources, would be missing
/// for good.
pub(crate) fn is_whole(origin: &Origin, sources: &[Option<String>]) -> bool {
    let has_sources = origin.hops.iter().zip(sources).all(|(hop, source)| hop.line.is_none() || source.is_some());
    has_sources && !origin.is_late
}

/// Returns the question, with all that its answer depends on but the recording.
pub(crate) fn asked(held: &Held, expression: &str, through_arithmetic: bool, max_hops: usize) -> String {
    let Held { value, target, place, content, size, position, registers, thread_base, text } = held;
    let (ty, bits) = (type_name(&value.ty, target.dialect), &value.bits);
    format!(
        "rr_origin {through_arithmetic} {max_hops} {place:?} {content:?} {size} {position:?} {registers:?} \
         {thread_base:?} {text:?} {target:?} {bits:?} {ty} {expression}"
    )
}
