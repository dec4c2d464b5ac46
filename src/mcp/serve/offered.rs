//! Which tools `tools/list` shows: all, or a few, because a model pays for each word of the list.
//!
//! Unlisted tools can be called, too: an answer may name them, and a user may know them.

use crate::mcp::call::Call;
use crate::mcp::tools::{self, CORE};
use base::untrusted::one_line;
use rmcp::handler::server::tool::ToolRouter;
use rmcp::model::Tool;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Parameters that are not shown with few tools: for several sessions at once, and for answers that are fetched later.
const RARE: [&str; 2] = ["background", "session"];

/// The tools that a client is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Offered {
    /// All of them.
    #[default]
    All,
    /// These, without what is rarely needed of them.
    Few(BTreeSet<&'static str>),
}

impl Offered {
    /// Reads `all`, `core`, or names of tools separated by commas, with or without their `rr_`.
    ///
    /// # Errors
    /// In words what would be valid.
    pub fn parse(text: &str) -> Result<Self, String> {
        let names = match text.trim() {
            "all" => return Ok(Self::All),
            "core" => return Ok(Self::Few(BTreeSet::from(CORE))),
            names => names,
        };
        let named = |word: &str| {
            let word = word.trim();
            tools::known(word).or_else(|| tools::known(&format!("rr_{word}"))).ok_or_else(|| {
                let word = one_line(word);
                format!(
                    "`{word}` is not a tool; valid are all, core, or names separated by commas, such as calls,evaluate"
                )
            })
        };
        names.split(',').map(named).collect::<Result<_, _>>().map(Self::Few)
    }

    /// Returns the list that a client gets.
    pub(super) fn list(&self, router: &ToolRouter<Call>) -> Vec<Tool> {
        let all = router.list_all().into_iter().map(tools::listed);
        match self {
            Self::All => all.collect(),
            Self::Few(names) => all.filter(|tool| names.contains(&*tool.name)).map(short).collect(),
        }
    }
}

/// Leaves out what a model does without: what answers look like, which it sees, and rare parameters.
fn short(mut tool: Tool) -> Tool {
    tool.output_schema = None;
    if let Some(annotations) = &mut tool.annotations {
        annotations.title = None;
    }
    let schema = Arc::make_mut(&mut tool.input_schema);
    if let Some(properties) = schema.get_mut("properties").and_then(|properties| properties.as_object_mut()) {
        RARE.iter().for_each(|name| drop(properties.shift_remove(*name)));
    }
    tool
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let list = Offered::parse(text).unwrap().list(&tools::router());
        list.iter().map(|tool| tool.name.to_string()).collect()
    }

    #[test]
    fn few_are_small() {
        let list = Offered::parse("core").unwrap().list(&tools::router());
        let size = serde_json::to_vec(&list).unwrap().len();
        assert!(list.len() == 15 && size <= 10 * 1024, "{} tools, {size} bytes", list.len());
    }

    #[test]
    fn few_name_only_each_other() {
        let list = Offered::parse("core").unwrap().list(&tools::router());
        let text = serde_json::to_string(&list).unwrap();
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| word.starts_with("rr_"));
        let hidden: BTreeSet<&str> = words.filter(|word| !CORE.contains(word)).collect();
        assert!(hidden.is_empty(), "{hidden:?}");
    }

    #[test]
    fn names_are_read_with_and_without_their_prefix() {
        assert_eq!(names("calls, rr_evaluate"), ["rr_calls", "rr_evaluate"]);
        assert_eq!(names("core"), CORE);
        assert_eq!(names("all").len(), tools::router().list_all().len());
        assert_eq!(
            Offered::parse("calls,paint").unwrap_err(),
            "`paint` is not a tool; valid are all, core, or names separated by commas, such as calls,evaluate"
        );
        assert!(Offered::parse("").is_err());
    }
}
