//! The documentation that the server carries, by topic.

/// One text.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Topic {
    /// The last part of its address, and what `retrograde docs` takes.
    pub name: &'static str,
    /// What it is about, for lists.
    pub title: &'static str,
    /// Markdown.
    pub text: &'static str,
}

/// What to read first.
pub(crate) const GUIDE: Topic =
    Topic { name: "guide", title: "Debugging backward with retrograde", text: include_str!("../docs/guide.md") };

/// The rest, by subject.
pub(crate) const TOPICS: [Topic; 13] = [
    Topic { name: "tools", title: "The tools and their parameters", text: include_str!("../docs/tools.md") },
    Topic { name: "answers", title: "Stops, sessions and answers", text: include_str!("../docs/answers.md") },
    Topic { name: "expressions", title: "Expressions and values", text: include_str!("../docs/expressions.md") },
    Topic {
        name: "recording",
        title: "Recording, and counting without a counter",
        text: include_str!("../docs/recording.md"),
    },
    Topic { name: "debug-info", title: "Where debug info is found", text: include_str!("../docs/debug-info.md") },
    Topic {
        name: "command-line",
        title: "Command line and environment",
        text: include_str!("../docs/command-line.md"),
    },
    Topic { name: "batch", title: "Thousands of recordings: batch systems", text: include_str!("../docs/batch.md") },
    Topic { name: "editors", title: "Editors: the Debug Adapter Protocol", text: include_str!("../docs/editors.md") },
    Topic { name: "gdb-commands", title: "GDB's commands as tools", text: include_str!("../docs/gdb-commands.md") },
    Topic { name: "gdb-mi", title: "GDB/MI's commands as tools", text: include_str!("../docs/gdb-mi.md") },
    Topic { name: "karellen", title: "Differences from karellen-rr-mcp", text: include_str!("../docs/karellen.md") },
    Topic { name: "limits", title: "Limits", text: include_str!("../docs/limits.md") },
    Topic { name: "security", title: "Security", text: include_str!("../docs/security.md") },
];

/// Lists all texts, the guide first.
pub fn topics() -> impl Iterator<Item = &'static Topic> {
    std::iter::once(&GUIDE).chain(&TOPICS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::Server;
    use engine::model::Timeouts;
    use std::collections::BTreeSet;

    /// Returns the words of a text that could be names of tools.
    fn tools_named(text: &str) -> BTreeSet<&str> {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        text.split(|c| !word(c)).filter(|word| word.starts_with("rr_")).collect()
    }

    #[test]
    fn every_tool_that_is_named_exists() {
        let tools = Server::new(Timeouts::default()).tool_names();
        for topic in topics() {
            for named in tools_named(topic.text) {
                let is_family = named.ends_with('_') && tools.iter().any(|tool| tool.starts_with(named));
                assert!(is_family || tools.contains(&named.to_owned()), "{}: {named}", topic.name);
            }
        }
    }

    #[test]
    fn the_tables_of_gdb_know_every_tool_that_gdb_has_a_word_for() {
        let told = tools_named(include_str!("../docs/gdb-commands.md"));
        // What GDB does not do: recordings, sessions, jobs.
        let elsewhere = [
            "rr_calls",
            "rr_coverage",
            "rr_diff",
            "rr_doctor",
            "rr_first",
            "rr_heap",
            "rr_history",
            "rr_last_write",
            "rr_list_recordings",
            "rr_profile",
            "rr_ps",
            "rr_rm",
            "rr_threads_report",
            "rr_timeline",
            "rr_trace",
            "rr_traceinfo",
            "rr_why",
        ];
        let elsewhere =
            |tool: &str| tool.starts_with("rr_job_") || tool.starts_with("rr_session_") || elsewhere.contains(&tool);
        for tool in Server::new(Timeouts::default()).tool_names() {
            assert!(told.contains(tool.as_str()) || elsewhere(&tool), "{tool}");
        }
    }
}
