//! What a report tells, asked of the recording.

use super::Error;
use crate::story::{Arrival, WrongValue, explained, suspicious, to_failure, wrong_value};
use base::cancel::Cancel;
use engine::model::{Explanation, Frame, ReplayOptions, SourceLine, Timeouts, Waiting};
use engine::{Engine, HeldIn, KillSwitch};
use questions::{Author, LastWrites, LastWritesQuery, Now, Origin, Paths, WriteRow};
use rr::{Output, Process, Rr, Timeline, TimelineQuery, Topic};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most threads whose stacks are told.
const MOST_THREADS: usize = 64;
/// Most frames of a stack.
const MOST_FRAMES: u32 = 40;
/// How many frames of a stack are told with their source.
const MOST_SOURCES: usize = 3;
/// Lines of source around a place.
const LINES: u32 = 7;
/// Last writes that are told.
const LAST_WRITES: u32 = 5;
/// Most happenings that are told.
const MOST_ROWS: usize = 2000;
/// The longest that one question may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// All that a report tells. What is not known is there as the reason.
pub(super) struct Report {
    pub(super) trace: PathBuf,
    pub(super) process: Option<Process>,
    /// How many others there are.
    pub(super) others: usize,
    pub(super) explanation: Result<Explanation, String>,
    /// Why all this is not of the end, if it is not.
    pub(super) short_of_end: Option<String>,
    /// The moment of which all this is.
    pub(super) position: Option<String>,
    pub(super) value: Option<Value>,
    pub(super) threads: Vec<Stack>,
    pub(super) deadlocks: Vec<String>,
    pub(super) timeline: Result<Timeline, String>,
    pub(super) output: Result<Output, String>,
    pub(super) paths: Result<Paths, String>,
}

/// A thread.
pub(super) struct Stack {
    pub(super) waiting: Waiting,
    pub(super) frames: Vec<(Frame, Vec<SourceLine>)>,
    /// Why there are no more, if it is so.
    pub(super) truncated: Option<String>,
}

/// The value that went wrong.
pub(super) struct Value {
    pub(super) expression: String,
    pub(super) origin: Result<Origin, String>,
    /// The source of each hop.
    pub(super) sources: Vec<Vec<SourceLine>>,
    /// `None`: it is not in memory.
    pub(super) writes: Option<Result<Vec<WriteRow>, String>>,
}

pub(super) fn collect(rr: &Rr, recording: &Path, cancel: &Cancel) -> Result<Report, Error> {
    let rr = rr.with_cancel(cancel);
    let trace = rr::resolve_trace(Some(recording))?;
    let processes = rr::processes(&trace)?;
    let process = rr::worth_debugging(&processes).or(processes.first()).cloned();
    let query = TimelineQuery {
        from: 0,
        to: u64::MAX,
        topics: [Topic::Process, Topic::Signal].into(),
        pid: None,
        tid: None,
        calls: Vec::new(),
        failed: false,
        skip: 0,
        limit: MOST_ROWS,
    };
    let timeline = rr::timeline(&trace, &query, cancel).map_err(|error| error.to_string());
    let options = ReplayOptions { trace: Some(trace.clone()), pid: process.as_ref().map(|process| process.pid) };
    let mut engine = Engine::start_with(KillSwitch::default(), &rr, &options, Timeouts::default())?;
    engine.set_cancel(cancel);
    let arrival = to_failure(&mut engine)?;
    let short_of_end = match &arrival {
        Arrival::Failure | Arrival::Return(_) => None,
        Arrival::Short(why) => Some(why.clone()),
        Arrival::Cancelled => return Err(rr::Error::Cancelled { command: "replay" }.into()),
    };
    let position = engine.waypoint().ok().map(|waypoint| waypoint.to_string());
    let explanation = said(explained(&mut engine, &arrival))?;
    let expressions = explanation.as_ref().map(|explained| suspicious(explained, &arrival)).unwrap_or_default();
    let value = value(&rr, &mut engine, &trace, expressions, cancel)?;
    let (threads, deadlocks) = threads(&mut engine)?;
    drop(engine);
    let output = rr.output(&trace, PATIENCE).map_err(|error| error.to_string());
    let paths = Paths::ask(&rr, &trace, cancel).map_err(|error| error.to_string());
    if cancel.is_cancelled() {
        return Err(rr::Error::Cancelled { command: "replay" }.into());
    }
    let others = processes.len().saturating_sub(1);
    Ok(Report {
        trace,
        process,
        others,
        explanation,
        short_of_end,
        position,
        value,
        threads,
        deadlocks,
        timeline,
        output,
        paths,
    })
}

/// Turns what cannot be answered into words; what ends all is an error.
fn said<T>(answer: Result<T, engine::Error>) -> Result<Result<T, String>, Error> {
    match answer {
        Ok(answer) => Ok(Ok(answer)),
        Err(error @ engine::Error::Ended(_)) => Err(error.into()),
        Err(error) => Ok(Err(error.to_string())),
    }
}

fn value(
    rr: &Rr,
    engine: &mut Engine,
    trace: &Path,
    expressions: Vec<String>,
    cancel: &Cancel,
) -> Result<Option<Value>, Error> {
    let Some(followed) = wrong_value(rr, engine, trace, expressions, PATIENCE, cancel)? else { return Ok(None) };
    let WrongValue { expression, held, origin } = followed;
    let writes = last_writes(rr, trace, &held, cancel);
    let mut sources = Vec::new();
    for hop in origin.iter().flat_map(|origin| &origin.hops) {
        sources.push(match &hop.line {
            Some((path, _, line)) => source(engine, &path.to_string_lossy(), *line)?,
            None => Vec::new(),
        });
    }
    Ok(Some(Value { expression, origin, sources, writes }))
}

/// Asks who wrote last where a value is.
fn last_writes(rr: &Rr, trace: &Path, held: &engine::Held, cancel: &Cancel) -> Option<Result<Vec<WriteRow>, String>> {
    let (HeldIn::Memory(address), Some(moment)) = (&held.place, held.position.moment) else {
        return None;
    };
    let thread = held.position.thread;
    let now =
        Now { event: moment.event, ticks: moment.ticks, tid: thread.tid, content: held.content.clone(), place: None };
    let ask = || {
        let programs = rr::programs_until(trace, thread.pid, moment.event)?;
        let (address, length, pid) = (*address, held.size, thread.pid);
        let (now, most) = (Some(now), LAST_WRITES);
        let query = LastWritesQuery { address, length, bits: None, pid, programs, now, most, of_all: true };
        let writes = LastWrites::ask(rr, trace, &query, cancel)?;
        writes.rows(0..writes.count(), cancel)
    };
    Some(ask().map_err(|error: questions::Error| error.to_string()))
}

fn source(engine: &mut Engine, file: &str, line: u32) -> Result<Vec<SourceLine>, Error> {
    Ok(said(engine.source(Some(file), Some(line), LINES))?.map(|text| text.lines).unwrap_or_default())
}

/// Tells the stacks of all threads, and which wait for each other.
fn threads(engine: &mut Engine) -> Result<(Vec<Stack>, Vec<String>), Error> {
    let Ok(waits) = said(engine.waits())? else { return Ok((Vec::new(), Vec::new())) };
    let deadlocks = waits
        .deadlocks()
        .into_iter()
        .map(|circle| circle.iter().map(ToString::to_string).collect::<Vec<_>>().join(" waits for "))
        .collect();
    let mut stacks = Vec::new();
    for waiting in waits.threads.into_iter().take(MOST_THREADS) {
        if said(engine.select_thread(&waiting.thread.id.to_string()))?.is_err() {
            continue;
        }
        let (mut frames, mut told) = (Vec::new(), 0);
        let truncated = match said(engine.backtrace(0, MOST_FRAMES, true))? {
            Ok(stack) => {
                for frame in stack.frames {
                    let lines = match (&frame.fullname, frame.line) {
                        (Some(file), Some(line)) if told < MOST_SOURCES => source(engine, file, line)?,
                        _ => Vec::new(),
                    };
                    told += usize::from(!lines.is_empty());
                    frames.push((frame, lines));
                }
                stack.truncated
            }
            Err(why) => Some(why),
        };
        stacks.push(Stack { waiting, frames, truncated });
    }
    Ok((stacks, deadlocks))
}

/// Says who has written.
pub(super) fn author(author: &Author) -> String {
    match author {
        Author::Code { function, line } => {
            let function = function.as_deref().unwrap_or("code without a name");
            match line {
                Some((file, line)) => format!("{function} at {file}:{line}"),
                None => function.to_owned(),
            }
        }
        Author::Buffered => "a system call".to_owned(),
        Author::System(Some(call)) => format!("the system call {call}"),
        Author::System(None) | Author::SystemOfUnknown => "the system".to_owned(),
    }
}
