//! Questions about recordings from the command line, without a server: the tools that need no session, and those that
//! need one only to know what an expression means, which is then what it means when the program begins.

mod inquiry;

pub use inquiry::inquire;

use crate::mcp::call::{checked_arguments, find_rr, kept, learn_environment};
use crate::mcp::policy::{Redaction, settings};
use crate::mcp::reply::{CachedAnswer, structured};
use crate::mcp::tools;
use crate::mcp::tools::diff::args::DiffArgs;
use crate::mcp::tools::diff::view::DiffView;
use crate::mcp::tools::questions::args::{CallsArgs, FirstArgs, TimelineArgs, TraceArgs};
use crate::mcp::tools::questions::page::Page;
use crate::mcp::tools::questions::probed::{CallsView, TraceView};
use crate::mcp::tools::questions::view::TimelineView;
use crate::mcp::tools::races;
use crate::mcp::tools::races::args::RacesArgs;
use crate::mcp::tools::races::view::RacesView;
use crate::mcp::tools::story::story_text;
use crate::mcp::tools::writes::args::HistoryArgs;
use crate::mcp::tools::writes::view::HistoryView;
use base::cancel::Cancel;
use base::untrusted::one_line;
use engine::model::{ReplayOptions, Timeouts};
use engine::{Engine, KillSwitch, Object};
use questions::{Calls, Diff, Races, Trace, Writes};
use rr::Rr;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt::{self, Display};
use std::path::Path;

/// The questions, which are tools without their `rr_`.
pub const QUESTIONS: [&str; 7] = ["calls", "diff", "first", "history", "races", "timeline", "trace"];

/// Rows of a page.
const PAGE: u32 = 1000;
/// Parameters that the command line has other words for.
const NOT_GIVEN: [&str; 3] = ["trace_dir", "session", "a"];

/// What came of a question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// A JSON object for each row, with the keys `question` and `trace` besides those of the tool's rows.
    pub rows: Vec<String>,
    /// All as text.
    #[serde(skip)]
    pub text: String,
    /// What a JSON object says of the whole, without the rows.
    pub summary: String,
    /// More was found than could be written down.
    pub is_truncated: bool,
}

impl Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub enum QueryError {
    /// The question is none, or its parameters are wrong; the text says what would be right.
    Usage(String),
    /// It could not be answered.
    Failed(String),
}

impl Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(why) | Self::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for QueryError {}

/// A question with its parameters, checked.
#[derive(Clone, Debug)]
pub struct Query {
    question: String,
    arguments: Map<String, Value>,
}

impl Query {
    /// Creates the `Query` of words as `("limit", Some("5"))`; a switch has no value, a list is given word by word.
    ///
    /// # Errors
    /// [`QueryError::Usage`]
    pub fn new(question: &str, given: &[(String, Option<String>)]) -> Result<Self, QueryError> {
        if !QUESTIONS.contains(&question) {
            let known = QUESTIONS.join(", ");
            return Err(QueryError::Usage(format!("no question `{}`; there are {known}", one_line(question))));
        }
        let tool = format!("rr_{question}");
        let router = tools::router();
        let route = router.map.get(tool.as_str()).ok_or_else(|| QueryError::Usage(format!("no tool {tool}")))?;
        let mut schema = (*route.attr.input_schema).clone();
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        let properties = properties.map(|properties| {
            NOT_GIVEN.iter().for_each(|name| drop(properties.shift_remove(*name)));
            properties.clone()
        });
        let properties = properties.unwrap_or_default();
        let mut arguments = Map::new();
        for (name, word) in given {
            let kind = properties.get(name).and_then(|property| property.get("type")).and_then(Value::as_str);
            let value = match (kind, word) {
                (Some("boolean"), None) => Value::Bool(true),
                (_, None) => return Err(QueryError::Usage(format!("--{} needs a value", one_line(name)))),
                (Some("integer"), Some(word)) => word.parse::<u64>().map_or_else(|_| word.clone().into(), Value::from),
                (_, Some(word)) => word.clone().into(),
            };
            match (kind, arguments.get_mut(name)) {
                (Some("array"), Some(Value::Array(list))) => list.push(value),
                (Some("array"), _) => drop(arguments.insert(name.clone(), vec![value].into())),
                (_, Some(_)) => return Err(QueryError::Usage(format!("--{name} is given twice"))),
                (_, None) => drop(arguments.insert(name.clone(), value)),
            }
        }
        let arguments = checked_arguments(question, &schema, arguments).map_err(QueryError::Usage)?;
        Ok(Self { question: question.to_owned(), arguments })
    }

    fn is_limited(&self) -> bool {
        self.arguments.contains_key("limit")
    }

    fn read<T: DeserializeOwned>(&self) -> Result<T, QueryError> {
        let mut arguments = self.arguments.clone();
        // All rows are told unless so many are asked for.
        if !self.is_limited() && self.question != "first" {
            arguments.insert("limit".to_owned(), PAGE.into());
        }
        serde_json::from_value(Value::Object(arguments)).map_err(|error| QueryError::Usage(error.to_string()))
    }

    /// Asks a recording, or tells again what is kept of an answer.
    ///
    /// # Errors
    /// [`QueryError::Failed`]
    pub fn ask(&self, trace: &Path, cancel: &Cancel) -> Result<Answer, QueryError> {
        let other = self.arguments.get("b").and_then(Value::as_str).map(Path::new);
        let redaction = redaction_for([trace].into_iter().chain(other), cancel);
        let mask = |text: String| redaction.mask_text(&text);
        match self.ask_unmasked(trace, cancel) {
            Ok(Answer { rows, summary, text, is_truncated }) => Ok(Answer {
                rows: rows.into_iter().map(mask).collect(),
                summary: mask(summary),
                text: mask(text),
                is_truncated,
            }),
            Err(QueryError::Failed(why)) => Err(QueryError::Failed(mask(why))),
            Err(wrong @ QueryError::Usage(_)) => Err(wrong),
        }
    }

    fn ask_unmasked(&self, trace: &Path, cancel: &Cancel) -> Result<Answer, QueryError> {
        let other = self.arguments.get("b").and_then(Value::as_str).map(Path::new);
        let traces: Vec<&Path> = [trace].into_iter().chain(other).collect();
        let Self { question, arguments } = self;
        let asked = format!("query {question} {} {}", trace.to_string_lossy(), Value::Object(arguments.clone()));
        match kept(&traces, &asked, || self.ask_anew(trace, cancel))? {
            CachedAnswer::New(answer) => Ok(answer),
            CachedAnswer::Again(value, text) => match serde_json::from_value(value) {
                Ok(answer) => Ok(Answer { text, ..answer }),
                Err(_) => self.ask_anew(trace, cancel),
            },
        }
    }

    fn ask_anew(&self, trace: &Path, cancel: &Cancel) -> Result<Answer, QueryError> {
        fn failed(error: impl Display) -> QueryError {
            QueryError::Failed(error.to_string())
        }
        let rr = || find_rr(cancel).map_err(failed);
        let mut answer = Answer::default();
        match self.question.as_str() {
            "calls" => {
                let args: CallsArgs = self.read()?;
                let calls = Calls::ask(&rr()?, trace, &args.query(), cancel).map_err(failed)?;
                self.pages(trace, &mut answer, args.offset, |offset| {
                    let page = Page { offset, ..args.page() };
                    let rows = page.read(calls.rows(), |from, most| calls.page(from, most, cancel)).map_err(failed)?;
                    let view = CallsView::new(&calls, &rows, offset);
                    Ok((view.next_offset, view.searched.truncated, view))
                })?;
            }
            "history" => {
                let args: HistoryArgs = self.read()?;
                let (_engine, object) = object(&rr()?, trace, &args.expression, cancel).map_err(QueryError::Failed)?;
                let query = args.query(trace, &object).map_err(failed)?;
                let writes = Writes::ask(&rr()?, trace, &query, cancel).map_err(failed)?;
                self.pages(trace, &mut answer, args.offset, |offset| {
                    let page = Page { offset, ..args.page() };
                    let rows =
                        page.read(writes.matching, |from, most| writes.page(from, most, cancel)).map_err(failed)?;
                    let view = HistoryView::new(&args.expression, &object, &writes, rows, offset);
                    Ok((view.next_offset, view.searched.truncated, view))
                })?;
            }
            "races" => {
                let args: RacesArgs = self.read()?;
                let (_engine, object) = object(&rr()?, trace, &args.expression, cancel).map_err(QueryError::Failed)?;
                let query = races::query(trace, &object).map_err(failed)?;
                let races = Races::ask(&rr()?, trace, &query, cancel).map_err(failed)?;
                self.pages(trace, &mut answer, args.offset, |offset| {
                    let view = RacesView::new(&args.expression, &object, &races, offset, args.limit);
                    Ok((view.next_offset, view.searched.truncated, view))
                })?;
            }
            "diff" => {
                let args: DiffArgs = self.read()?;
                let diff = Diff::ask(&rr()?, [trace, Path::new(&args.b)], &args.query(), cancel).map_err(failed)?;
                self.pages(trace, &mut answer, args.offset, |offset| {
                    let view = DiffView::new(&diff, offset, args.limit);
                    Ok((view.next_offset, view.truncated, view))
                })?;
            }
            "trace" => {
                let args: TraceArgs = self.read()?;
                let traced = Trace::ask(&rr()?, trace, &args.query(), cancel).map_err(failed)?;
                self.pages(trace, &mut answer, args.offset, |offset| {
                    let page = Page { offset, ..args.page() };
                    let rows =
                        page.read(traced.rows(), |from, most| traced.page(from, most, cancel)).map_err(failed)?;
                    let view = TraceView::new(&traced, &rows, offset);
                    Ok((view.next_offset, view.searched.truncated, view))
                })?;
            }
            "first" => {
                let args: FirstArgs = self.read()?;
                let traced = Trace::ask(&rr()?, trace, &args.query(), cancel).map_err(failed)?;
                self.pages(trace, &mut answer, 0, |offset| {
                    let rows = traced.page(offset, 1, cancel).map_err(failed)?;
                    let view = TraceView::new(&traced, &rows, offset);
                    Ok((None, view.searched.truncated, view))
                })?;
            }
            _ => {
                let args: TimelineArgs = self.read()?;
                let mut query = args.query();
                self.pages(trace, &mut answer, args.offset, |offset| {
                    query.skip = offset;
                    let timeline = rr::timeline(trace, &query, cancel).map_err(failed)?;
                    let view = TimelineView::new(&timeline, &query);
                    Ok((view.next_offset, view.incomplete.is_some(), view))
                })?;
            }
        }
        Ok(answer)
    }

    /// Adds page after page, unless only so many rows are wanted.
    fn pages<V: Serialize + Display>(
        &self,
        trace: &Path,
        answer: &mut Answer,
        mut offset: u64,
        mut page: impl FnMut(u64) -> Result<(Option<u64>, bool, V), QueryError>,
    ) -> Result<(), QueryError> {
        loop {
            let (next, is_truncated, view) = page(offset)?;
            answer.is_truncated |= is_truncated;
            self.add(trace, answer, &view)?;
            match next {
                Some(next) if !self.is_limited() => offset = next,
                _ => return Ok(()),
            }
        }
    }

    fn add<V: Serialize + Display>(&self, trace: &Path, answer: &mut Answer, view: &V) -> Result<(), QueryError> {
        let failed = |error: serde_json::Error| QueryError::Failed(error.to_string());
        let mut whole = match structured(view).map_err(failed)? {
            Value::Object(whole) => whole,
            other => Map::from_iter([("value".to_owned(), other)]),
        };
        let rows = match whole.shift_remove("rows") {
            Some(Value::Array(rows)) => rows,
            _ => Vec::new(),
        };
        for row in rows {
            let mut line = Map::new();
            line.insert("question".to_owned(), self.question.clone().into());
            line.insert("trace".to_owned(), trace.to_string_lossy().into_owned().into());
            match row {
                Value::Object(row) => line.extend(row),
                other => drop(line.insert("value".to_owned(), other)),
            }
            answer.rows.push(serde_json::to_string(&line).map_err(failed)?);
        }
        if answer.text.is_empty() {
            // What else the first page says is said of all.
            whole.shift_remove("next_offset");
            answer.summary = serde_json::to_string(&whole).map_err(failed)?;
        } else {
            answer.text.push('\n');
        }
        answer.text += &view.to_string();
        Ok(())
    }
}

/// Finds what an expression names in memory when the recorded program begins; its type is known as long as the engine is
/// there.
fn object(rr: &Rr, trace: &Path, expression: &str, cancel: &Cancel) -> Result<(Engine, Object), String> {
    let options = ReplayOptions { trace: Some(trace.to_owned()), pid: None };
    let said = |error: engine::Error| error.to_string();
    let mut engine = Engine::start_with(KillSwitch::default(), rr, &options, Timeouts::default()).map_err(said)?;
    engine.set_cancel(cancel);
    let object = engine.object(expression).map_err(said)?;
    Ok((engine, object))
}

/// Masks a page of HTML about a recording as `RR_MCP_REDACT` says.
pub fn masked_page(page: &str, trace: &Path, cancel: &Cancel) -> String {
    redaction_for([trace], cancel).mask_page(page)
}

/// Tells why the process of a recording that failed did, as text, masked as `RR_MCP_REDACT` says.
///
/// # Errors
/// In words, if the recording cannot be read or replayed.
pub fn failure_story(rr: &Rr, trace: &Path, cancel: &Cancel) -> Result<String, String> {
    let text = story_text(rr, trace, cancel)?;
    Ok(redaction_for([trace], cancel).mask_text(&text))
}

/// Returns what is masked in answers about these recordings, as the environment says.
fn redaction_for<'t>(traces: impl IntoIterator<Item = &'t Path>, cancel: &Cancel) -> Redaction {
    let redaction = settings(|name| std::env::var_os(name)).redaction;
    if redaction.is_on() {
        redaction.learn_own();
        for trace in traces {
            // rr is asked by a whole path, as the tools ask it.
            let trace = rr::resolve_trace(Some(trace)).unwrap_or_else(|_| trace.to_owned());
            learn_environment(&trace, &redaction, cancel);
        }
    }
    redaction
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(question: &str, given: &[(&str, Option<&str>)]) -> Result<Value, String> {
        let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned))).collect();
        Query::new(question, &given).map(|query| Value::Object(query.arguments)).map_err(|error| error.to_string())
    }

    #[test]
    fn words_become_what_the_tools_take() {
        let given = [("function", Some("add")), ("values", Some("a")), ("values", Some("b")), ("limit", Some("5"))];
        let expected = serde_json::json!({"function": "add", "values": ["a", "b"], "limit": 5});
        assert_eq!(new("calls", &given), Ok(expected));
        assert_eq!(new("first", &[("location", Some("x.c:3")), ("last", None)]).unwrap()["last"], true);
    }

    #[test]
    fn what_is_wrong_is_said_with_what_would_be_right() {
        assert_eq!(
            new("who", &[]).unwrap_err(),
            "no question `who`; there are calls, diff, first, history, races, timeline, trace"
        );
        assert_eq!(new("calls", &[]).unwrap_err(), "calls needs the parameter `function`: a string");
        assert_eq!(new("calls", &[("function", None)]).unwrap_err(), "--function needs a value");
        let twice = [("function", Some("a")), ("function", Some("b"))];
        assert_eq!(new("calls", &twice).unwrap_err(), "--function is given twice");
        let unknown = new("first", &[("session", Some("s1"))]).unwrap_err();
        assert!(unknown.starts_with("unknown parameter `session`: first takes location, "), "{unknown}");
        let wrong = new("calls", &[("function", Some("f")), ("limit", Some("many"))]).unwrap_err();
        assert!(wrong.contains("`limit` must be"), "{wrong}");
    }
}
