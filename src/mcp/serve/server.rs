//! The server: what clients have in common, and what each client has of its own.

use super::offered::Offered;
use super::tool_names;
use crate::mcp::call::{Call, Shared};
use crate::mcp::notify::Subscriber;
use crate::mcp::policy::Settings;
use crate::mcp::tools;
use base::qualified::question_about;
use rmcp::handler::server::tool::ToolRouter;
use rmcp::model::Tool;
use std::sync::Arc;

/// The MCP server, over any transport. Clones share their sessions, and serve the same client.
#[derive(Clone)]
pub struct Server {
    pub(super) shared: Arc<Shared>,
    pub(super) subscriber: Arc<Subscriber>,
    pub(super) tool_router: Arc<ToolRouter<Call>>,
    /// What a client is shown of them.
    pub(super) shown: Arc<[Tool]>,
    /// Of a client that has sessions of its own.
    _owner: Option<Arc<Owner>>,
}

/// Ends what a client has open when nobody serves it any more.
struct Owner(Arc<Shared>);

impl Drop for Owner {
    fn drop(&mut self) {
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let shared = self.0.clone();
            runtime.spawn(async move { shared.close().await });
        }
    }
}

impl Server {
    /// Creates a server without sessions, which shows all its tools.
    pub fn new(settings: impl Into<Settings>) -> Self {
        Self::offering(&Offered::All, settings)
    }

    /// Creates one that shows these tools.
    pub(super) fn offering(offered: &Offered, settings: impl Into<Settings>) -> Self {
        let shared = Arc::new(Shared::new(settings.into()));
        let tool_router = tools::router();
        let shown = offered.list(&tool_router).into();
        Self { shared, subscriber: Arc::default(), tool_router: Arc::new(tool_router), shown, _owner: None }
    }

    /// Returns the same server for another client.
    pub(super) fn for_another(&self) -> Self {
        Self { subscriber: Arc::default(), ..self.clone() }
    }

    /// Returns a server for another client that has nothing in common with this one's. What that client has open ends
    /// with the last clone.
    pub(super) fn with_its_own(&self) -> Self {
        let shared = Arc::new(Shared::new(self.shared.settings.clone()));
        let _owner = Some(Arc::new(Owner(shared.clone())));
        Self { shared, _owner, ..self.for_another() }
    }

    /// Ends all sessions, recordings and other calls. Returns within a few seconds, whatever they do.
    pub async fn close(&self) {
        self.shared.close().await;
    }

    /// Returns the names of all tools, in order.
    pub(crate) fn tool_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.tool_router.map.keys().map(ToString::to_string).collect();
        names.sort_unstable();
        names
    }

    pub(super) fn no_such_tool(&self, name: &str) -> String {
        if let Some(instead) = tool_names::instead_of(name) {
            return format!("unknown tool {name:?}: use {instead}");
        }
        let names = self.tool_names();
        let question = question_about(name, names.iter().map(String::as_str));
        format!("unknown tool {name:?}{question}; the tools are {}", names.join(", "))
    }
}
