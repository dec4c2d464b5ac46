//! What a tool is given.

use super::shared::Shared;
use crate::mcp::reply::Notes;
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use std::sync::Arc;

/// What a tool is given besides its arguments.
pub(crate) struct Call {
    /// What all calls share.
    pub(crate) shared: Arc<Shared>,
    /// Whose call it is, and whether it is cancelled.
    pub(crate) context: RequestContext<RoleServer>,
    pub(crate) tool: &'static str,
    /// What the answer is to say besides what was asked for.
    pub(crate) notes: Notes,
}
