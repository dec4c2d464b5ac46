//! Resources: the documentation, and what recordings and sessions are, for clients that read instead of calling.
//!
//! Except for the texts, a resource is the structured answer of a tool under an address: it has the same fields, the
//! same limits, and waits as the tool does. There is no second way to say the same.

pub(super) mod topics;

pub(crate) use self::topics::TOPICS;
use self::topics::{GUIDE, Topic};
use rmcp::ErrorData;
use rmcp::model::{CacheScope, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Map, Value};

const MARKDOWN: &str = "text/markdown";
const JSON: &str = "application/json";
/// How long a text that is part of the program may be kept, in milliseconds.
pub(crate) const FIXED: u64 = 24 * 3600 * 1000;

/// What there is to be read of a session: the last part of the address, the tool that answers, and its title.
const PARTS: [(&str, &str, &str); 4] = [
    ("", "rr_session_info", "What a session is doing, and where"),
    ("backtrace", "rr_backtrace", "The stack of a session's selected thread"),
    ("breakpoints", "rr_breakpoint_list", "Breakpoints and watchpoints of a session"),
    ("output", "rr_output", "What a session's program prints, and when"),
];

/// What an address names.
pub(crate) enum ResourceSource {
    Text(&'static Topic),
    /// The answer of this tool with these arguments.
    Answer {
        tool: &'static str,
        arguments: Map<String, Value>,
    },
}

/// Finds the resource at this address.
///
/// # Errors
/// If there is none; it says which there are.
pub(crate) fn find(uri: &str, sessions: &[String]) -> Result<ResourceSource, ErrorData> {
    let nothing = |why: String| Err(ErrorData::resource_not_found(why, None));
    let all = |tool| Ok(ResourceSource::Answer { tool, arguments: Map::new() });
    let path: Vec<&str> = uri.strip_prefix("rr://").map(|path| path.split('/').collect()).unwrap_or_default();
    match path[..] {
        ["guide"] => Ok(ResourceSource::Text(&GUIDE)),
        ["docs", topic] => match TOPICS.iter().find(|known| known.name == topic) {
            Some(known) => Ok(ResourceSource::Text(known)),
            None => nothing(format!("no topic {topic:?}: there are {}", TOPICS.map(|topic| topic.name).join(", "))),
        },
        ["recordings"] => all("rr_list_recordings"),
        ["sessions"] => all("rr_session_list"),
        ["sessions", session, ref part @ ..] if part.len() < 2 => {
            let part = part.first().copied().unwrap_or_default();
            let Some((_, tool, _)) = PARTS.iter().find(|(name, ..)| *name == part) else {
                let names: Vec<_> = PARTS.iter().map(|(name, ..)| *name).filter(|name| !name.is_empty()).collect();
                return nothing(format!("a session has no {part:?}: it has {}", names.join(", ")));
            };
            if !sessions.iter().any(|open| open == session) {
                let open = if sessions.is_empty() { "none".to_owned() } else { sessions.join(", ") };
                return nothing(format!("no session {session:?} is open; open: {open}"));
            }
            let arguments = Map::from_iter([("session".to_owned(), Value::from(session))]);
            Ok(ResourceSource::Answer { tool, arguments })
        }
        _ => nothing(format!(
            "{uri:?} is no resource: there are rr://guide, rr://docs/{{topic}}, rr://recordings, rr://sessions, \
             rr://sessions/{{id}}"
        )),
    }
}

/// Lists all resources, those of the open sessions too.
pub(crate) fn list(sessions: &[String]) -> Vec<Resource> {
    let text = |uri: String, topic: &Topic| {
        let size = u64::try_from(topic.text.len()).unwrap_or(u64::MAX);
        Resource::new(uri, topic.name).with_title(topic.title).with_mime_type(MARKDOWN).with_size(size)
    };
    let json = |uri: String, name: &str, title: &str| Resource::new(uri, name).with_title(title).with_mime_type(JSON);
    let mut list = vec![text("rr://guide".to_owned(), &GUIDE)];
    list.extend(TOPICS.iter().map(|topic| text(format!("rr://docs/{}", topic.name), topic)));
    list.push(json("rr://recordings".to_owned(), "recordings", "Recordings, newest first"));
    list.push(json("rr://sessions".to_owned(), "sessions", "Open replays"));
    for session in sessions {
        list.extend(PARTS.iter().map(|(part, _, title)| {
            let name = if part.is_empty() { session.clone() } else { format!("{session}/{part}") };
            json(format!("rr://sessions/{name}"), &name, title)
        }));
    }
    list
}

/// Lists the forms that addresses have.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let docs = ResourceTemplate::new("rr://docs/{topic}", "docs").with_title("Documentation").with_mime_type(MARKDOWN);
    let of_sessions = PARTS.iter().map(|(part, _, title)| {
        let (slash, name) = if part.is_empty() { ("", "session") } else { ("/", *part) };
        ResourceTemplate::new(format!("rr://sessions/{{id}}{slash}{part}"), name)
            .with_title(*title)
            .with_mime_type(JSON)
    });
    std::iter::once(docs).chain(of_sessions).collect()
}

/// Returns a text as a resource. It stays the same as long as the program does.
pub(crate) fn text(uri: String, topic: &Topic) -> ReadResourceResult {
    let contents = ResourceContents::text(topic.text, uri).with_mime_type(MARKDOWN);
    ReadResourceResult::new(vec![contents]).with_ttl_ms(FIXED).with_cache_scope(CacheScope::Public)
}

/// Returns a tool's structured answer as a resource. It is old as soon as it is read.
pub(crate) fn answer(uri: String, answer: &Value) -> ReadResourceResult {
    let contents = ResourceContents::text(answer.to_string(), uri).with_mime_type(JSON);
    ReadResourceResult::new(vec![contents]).with_ttl_ms(0).with_cache_scope(CacheScope::Private)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(uri: &str) -> Result<(&'static str, String), String> {
        match find(uri, &["s1".to_owned(), "s3".to_owned()]) {
            Ok(ResourceSource::Answer { tool, arguments }) => Ok((tool, Value::Object(arguments).to_string())),
            Ok(ResourceSource::Text(topic)) => Ok((topic.name, String::new())),
            Err(error) => Err(error.message.into_owned()),
        }
    }

    #[test]
    fn addresses_name_texts_and_tools() {
        assert_eq!(tool("rr://guide"), Ok(("guide", String::new())));
        assert_eq!(tool("rr://docs/gdb-mi"), Ok(("gdb-mi", String::new())));
        assert_eq!(tool("rr://sessions"), Ok(("rr_session_list", "{}".to_owned())));
        assert_eq!(tool("rr://sessions/s3"), Ok(("rr_session_info", r#"{"session":"s3"}"#.to_owned())));
        assert_eq!(tool("rr://sessions/s1/backtrace"), Ok(("rr_backtrace", r#"{"session":"s1"}"#.to_owned())));
    }

    #[test]
    fn other_addresses_are_told_what_there_is() {
        let told = |uri| tool(uri).expect_err("there is no such resource");
        assert_eq!(
            told("rr://docs/mi"),
            r#"no topic "mi": there are tools, answers, expressions, recording, debug-info, command-line, batch, editors, gdb-commands, gdb-mi, karellen, limits, security"#
        );
        assert_eq!(told("rr://sessions/s2"), r#"no session "s2" is open; open: s1, s3"#);
        assert_eq!(
            told("rr://sessions/s1/stack"),
            r#"a session has no "stack": it has backtrace, breakpoints, output"#
        );
        for uri in ["", "rr://", "rr://guide/", "rr://sessions/s1/backtrace/0", "file:///etc/passwd"] {
            assert!(told(uri).contains("rr://sessions/{id}"), "{uri}");
        }
    }

    #[test]
    fn what_is_listed_can_be_read() {
        let open = ["s1".to_owned()];
        let list = list(&open);
        assert_eq!(list.len(), 1 + TOPICS.len() + 2 + PARTS.len());
        for resource in list {
            assert!(find(&resource.uri, &open).is_ok(), "{}", resource.uri);
        }
    }
}
