//! `retrograde query`: one question about one or several recordings.

use super::Usage;
use super::interrupt::{INTERRUPTED, catch_interrupts};
use crate::mcp::{Answer, QUESTIONS, Query, QueryError};
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use base::untrusted::{shown, shown_in_json};
use lexopt::prelude::*;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, mpsc};
use std::thread;

const HELP: &str = "\
Asks a question about whole recordings; each is replayed once, without stops.

Usage: retrograde query QUESTION TRACE... [--json] [--jobs N] [--PARAMETER VALUE]...

Questions, with their parameters (as of the tool rr_QUESTION; `retrograde docs tools` explains them):
  calls     --function NAME [--regex] [--where CONDITION] [--values EXPRESSION]...
  trace     --locations PLACE... [--values EXPRESSION]... [--where CONDITION] [--summary]
  first     --location PLACE [--where CONDITION] [--values EXPRESSION]... [--last]
  diff      TRACE TRACE [--function REGEX] [--where CONDITION]: where the second parts from the first
  timeline  [--kinds KIND]... [--calls NAME]... [--failed]
  history   --expression GLOBAL [--kind write|read|access] [--from EVENT] [--to EVENT] [--tid TID]
  races     --expression GLOBAL: accesses by different threads that no common lock keeps apart
Calls, trace, first and timeline take --from EVENT, --to EVENT, --pid PID and --tid TID; all take --offset N and --limit N, without which
all rows are told.

  --json    A JSON object for each row, one a line, on stdout, with the keys `question` and `trace`; what is said of
            a recording as a whole goes to stderr. The same question gives the same lines: answers of several machines are
            merged by concatenation.
  --jobs N  So many recordings at a time (default 1). Answers come in the order of the recordings.

Exit status: 0 there are rows, 1 a recording could not be asked, 2 the question is wrong, 3 nothing matches, 4 more was
found than could be written down.
";

/// The question that is about two recordings.
const DIFF: &str = "diff";

/// What the command line asks for.
struct Asked {
    query: Query,
    traces: Vec<PathBuf>,
    is_json: bool,
    jobs: usize,
}

/// Answers on stdout.
pub(super) fn run(words: &[OsString]) -> ExitCode {
    let asked = match parse(lexopt::Parser::from_args(words)) {
        Ok(Some(asked)) => asked,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(usage) => {
            eprintln!("retrograde: {usage}");
            return ExitCode::from(2);
        }
    };
    let (mut rows, mut is_truncated, mut has_failed) = (0, false, false);
    let told = each(&asked, |trace, answer| {
        match answer {
            Ok(answer) => {
                rows += answer.rows.len();
                is_truncated |= answer.is_truncated;
                tell(&asked, trace, &answer)?;
            }
            Err(error) => {
                has_failed = true;
                eprintln!("retrograde: {}: {error}", trace.in_text());
            }
        }
        Ok(())
    });
    // Who reads no further has read enough.
    ExitCode::from(match (told.is_err() || has_failed, is_truncated, rows) {
        (true, ..) => 1,
        (_, true, _) => 4,
        (_, _, 0) => 3,
        _ => 0,
    })
}

fn tell(asked: &Asked, trace: &std::path::Path, answer: &Answer) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if asked.is_json {
        answer.rows.iter().try_for_each(|row| writeln!(out, "{}", shown_in_json(row)))?;
        out.flush()?;
        eprintln!("{}: {}", trace.in_text(), shown_in_json(&answer.summary));
        return Ok(());
    }
    if asked.traces.len() > 1 {
        writeln!(out, "{}", shown(&trace.in_text()))?;
    }
    writeln!(out, "{}", shown(&answer.text))
}

/// Asks all recordings, some at a time, and tells the answers in the order of the recordings.
fn each(
    asked: &Asked,
    mut tell: impl FnMut(&std::path::Path, Result<Answer, QueryError>) -> io::Result<()>,
) -> io::Result<()> {
    catch_interrupts();
    let cancel = Cancel::on_flag(&INTERRUPTED);
    let left: Mutex<VecDeque<(usize, &PathBuf)>> = Mutex::new(asked.traces.iter().enumerate().collect());
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..asked.jobs.min(asked.traces.len()) {
            let (send, left, cancel) = (send.clone(), &left, &cancel);
            scope.spawn(move || {
                let next = || left.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop_front();
                while let Some((number, trace)) = next() {
                    if send.send((number, asked.query.ask(trace, cancel))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut early = std::collections::BTreeMap::new();
        let mut told = 0;
        for (number, answer) in receive {
            early.insert(number, answer);
            while let (Some(answer), Some(trace)) = (early.remove(&told), asked.traces.get(told)) {
                if let Err(error) = tell(trace, answer) {
                    cancel.cancel();
                    return Err(error);
                }
                told += 1;
            }
        }
        Ok(())
    })
}

/// Parses the arguments; `None` if help is asked for.
fn parse(mut parser: lexopt::Parser) -> Result<Option<Asked>, Usage> {
    let wrong = |error: lexopt::Error| Usage(format!("{error}; see `retrograde query --help`"));
    let (mut question, mut traces, mut given) = (None, Vec::new(), Vec::new());
    let (mut is_json, mut jobs) = (false, 1);
    while let Some(argument) = parser.next().map_err(wrong)? {
        match argument {
            Short('h') | Long("help") => return Ok(None),
            Long("json") => is_json = true,
            Long("jobs") => jobs = parser.value().and_then(|value| value.parse()).map_err(wrong)?,
            Long(name) => {
                let name = name.replace('-', "_");
                let is_switch = ["regex", "summary", "last", "failed"].contains(&name.as_str());
                let value = match is_switch {
                    true => None,
                    false => Some(parser.value().and_then(|value| value.string()).map_err(wrong)?),
                };
                given.push((name, value));
            }
            Value(word) if question.is_none() => question = Some(word.string().map_err(wrong)?),
            Value(trace) => traces.push(PathBuf::from(trace)),
            other => return Err(wrong(other.unexpected())),
        }
    }
    let Some(question) = question else {
        return Err(Usage(format!("query needs a question: {}", QUESTIONS.join(", "))));
    };
    if question == DIFF {
        let [_, _] = traces.as_slice() else {
            return Err(Usage("diff needs two recordings, as `retrograde query diff GOOD BAD`".to_owned()));
        };
        given.push(("b".to_owned(), traces.pop().map(|second| second.to_string_lossy().into_owned())));
    }
    let query = Query::new(&question, &given).map_err(|error| Usage(error.to_string()))?;
    if traces.is_empty() {
        return Err(Usage("query needs a recording, as `retrograde query calls TRACE --function main`".to_owned()));
    }
    if jobs == 0 {
        return Err(Usage("--jobs takes a number from 1 on".to_owned()));
    }
    Ok(Some(Asked { query, traces, is_json, jobs }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Option<Asked>, String> {
        parse(lexopt::Parser::from_args(words)).map_err(|usage| usage.to_string())
    }

    #[test]
    fn a_row_means_the_same_when_it_is_escaped() {
        let value = serde_json::json!({"a\u{202e}": ["\u{e0049}\x1b\u{9b}", "x\ny"]});
        let text = value.to_string();
        let shown = shown_in_json(&text);
        assert!(!shown.contains(base::untrusted::is_escaped), "{shown}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }

    #[test]
    fn questions_recordings_and_parameters_are_told_apart() {
        let asked = read(&["calls", "a", "b", "--function", "f", "--regex", "--json", "--jobs=2"]).unwrap().unwrap();
        assert_eq!((asked.traces.len(), asked.is_json, asked.jobs), (2, true, 2));
        assert!(read(&["--help"]).unwrap().is_none());
        assert!(read(&[]).err().unwrap().contains("calls, diff, first, history, races"));
        assert!(read(&["calls", "--function", "f"]).err().unwrap().contains("needs a recording"));
        assert!(read(&["trace", "a", "--jobs", "0", "--locations", "f"]).err().unwrap().contains("from 1 on"));
        assert_eq!(read(&["diff", "a", "b"]).unwrap().unwrap().traces, [PathBuf::from("a")]);
        for wrong in [&["diff", "a"][..], &["diff", "a", "b", "c"]] {
            assert!(read(wrong).err().unwrap().contains("needs two recordings"));
        }
        assert!(read(&["calls", "a", "--function"]).err().unwrap().contains("missing argument"));
    }
}
