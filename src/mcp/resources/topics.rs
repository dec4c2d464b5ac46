//! The documentation that the server carries, by topic.

/// One text.
pub(crate) struct Topic {
    /// The last part of its address.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// Markdown.
    pub(crate) text: &'static str,
}

/// What to read first.
pub(crate) const GUIDE: Topic =
    Topic { name: "guide", title: "Debugging backward with retrograde", text: include_str!("../docs/guide.md") };

/// The rest, by subject.
pub(crate) const TOPICS: [Topic; 4] = [
    Topic { name: "gdb-commands", title: "GDB's commands as tools", text: include_str!("../docs/gdb-commands.md") },
    Topic { name: "gdb-mi", title: "GDB/MI's commands as tools", text: include_str!("../docs/gdb-mi.md") },
    Topic { name: "expressions", title: "Expressions", text: include_str!("../docs/expressions.md") },
    Topic { name: "recording", title: "Recording", text: include_str!("../docs/recording.md") },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::model::Timeouts;
    use crate::mcp::Server;
    use std::collections::BTreeSet;

    /// The words of a text that could be names of tools.
    fn tools_named(text: &str) -> BTreeSet<&str> {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        text.split(|c| !word(c)).filter(|word| word.starts_with("rr_")).collect()
    }

    #[test]
    fn every_tool_that_is_named_exists() {
        let tools = Server::new(Timeouts::default()).tool_names();
        for topic in TOPICS.iter().chain([&GUIDE]) {
            for named in tools_named(topic.text) {
                assert!(tools.contains(&named.to_owned()), "{}: {named}", topic.name);
            }
        }
    }

    #[test]
    fn the_tables_of_gdb_know_every_tool_that_gdb_has_a_word_for() {
        let told = tools_named(TOPICS[0].text);
        // What GDB does not do: recordings, sessions, jobs.
        let elsewhere = ["rr_doctor", "rr_list_recordings", "rr_ps", "rr_rm", "rr_traceinfo"];
        let elsewhere =
            |tool: &str| tool.starts_with("rr_job_") || tool.starts_with("rr_session_") || elsewhere.contains(&tool);
        for tool in Server::new(Timeouts::default()).tool_names() {
            assert!(told.contains(tool.as_str()) || elsewhere(&tool), "{tool}");
        }
    }
}
