//! Completions: what an argument of a prompt, or a part of a resource's address, may be.

use super::server::Server;
use crate::mcp::call::Call;
use crate::mcp::reply::ToolError;
use crate::mcp::resources::TOPICS;
use crate::mcp::session::Activity;
use base::cancel::Cancel;
use engine::Engine;
use rmcp::RoleServer;
use rmcp::model::{CompleteRequestParams, CompletionInfo, Reference};
use rmcp::service::RequestContext;
use std::path::PathBuf;

/// What sessions are told that asks.
const COMPLETING: &str = "completion/complete";
/// How many recordings are looked at.
const RECORDINGS: usize = 200;

impl Server {
    /// Completes what was typed: by what begins with it, or for paths continues so somewhere. Nothing if that is not
    /// known.
    pub(super) async fn completions(
        &self,
        request: CompleteRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> CompletionInfo {
        let call = self.call(COMPLETING, context);
        let before = request.context.and_then(|context| context.arguments).unwrap_or_default();
        let typed = request.argument.value;
        let all = match (&request.r#ref, request.argument.name.as_str()) {
            (Reference::Resource(_), "topic") => Ok(TOPICS.iter().map(|topic| topic.name.to_owned()).collect()),
            (Reference::Resource(_), "id") => Ok(self.shared.session_ids()),
            (Reference::Prompt(_), "trace_dir") => trace_directories(&call).await,
            (Reference::Prompt(_), "pid") => match before.get("trace_dir") {
                Some(trace) => pids(&call, trace.into()).await,
                None => Ok(Vec::new()),
            },
            // A session that is at work is not bothered by somebody who types.
            (Reference::Prompt(_), "function" | "file") if !self.is_idle() => Ok(Vec::new()),
            (Reference::Prompt(_), "function") => {
                let begun = typed.clone();
                let job = move |engine: &mut Engine| engine.functions_beginning(&begun);
                call.on_session(None, job).await
            }
            (Reference::Prompt(_), "file") => {
                let begun = typed.clone();
                let job = move |engine: &mut Engine| engine.files_beginning(&begun);
                call.on_session(None, job).await
            }
            _ => Ok(Vec::new()),
        };
        // Whoever types wants no errors; calling the tool tells them.
        info(all.unwrap_or_default(), &typed)
    }

    /// Returns whether there is a session, and the one used last waits for a call.
    fn is_idle(&self) -> bool {
        let (open, _) = self.shared.sessions.list();
        open.last().is_some_and(|session| matches!(session.status().activity, Activity::Idle))
    }
}

async fn trace_directories(call: &Call) -> Result<Vec<String>, ToolError> {
    let found = call.on_thread(|_| rr::recordings(None, RECORDINGS, &Cancel::default())).await?;
    Ok(found.newest.into_iter().map(|recording| recording.path.to_string_lossy().into_owned()).collect())
}

async fn pids(call: &Call, trace: PathBuf) -> Result<Vec<String>, ToolError> {
    let list = call.on_thread(move |_| rr::processes(&trace)).await?;
    Ok(list.into_iter().map(|process| process.pid.to_string()).collect())
}

/// Returns those of the values that fit what was typed: a beginning, or for paths the beginning of their last part.
fn info(all: Vec<String>, typed: &str) -> CompletionInfo {
    let fits = |value: &String| {
        value.starts_with(typed) || value.rsplit_once('/').is_some_and(|(_, last)| last.starts_with(typed))
    };
    let mut values: Vec<String> = all.into_iter().filter(fits).collect();
    let total = u32::try_from(values.len()).ok();
    let has_more = values.len() > CompletionInfo::MAX_VALUES;
    values.truncate(CompletionInfo::MAX_VALUES);
    CompletionInfo::with_pagination(values, total, has_more).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(all: &[&str], typed: &str) -> Vec<String> {
        info(all.iter().map(|value| (*value).to_owned()).collect(), typed).values
    }

    #[test]
    fn paths_are_found_by_their_beginning_and_by_their_last_part() {
        let all = ["/traces/shop-0", "/traces/shop-1", "/traces/bank-0"];
        assert_eq!(values(&all, "/traces/s"), ["/traces/shop-0", "/traces/shop-1"]);
        assert_eq!(values(&all, "bank"), ["/traces/bank-0"]);
        assert_eq!(values(&all, "hop"), [""; 0]);
    }

    #[test]
    fn at_most_a_hundred_are_given() {
        let all: Vec<String> = (0..250).map(|number| number.to_string()).collect();
        let info = info(all, "");
        assert_eq!((info.values.len(), info.total, info.has_more), (100, Some(250), Some(true)));
    }
}
