//! Questions about the whole recording that are answered by one replay, or by none.

use super::error::Result;
use super::location::Location;
use super::position::Position;
use super::recording::Recording;
use super::session::Replay;
use crate::engine::model::Owner;
use crate::questions::{self, DiffQuery, Execution, Moment, TraceQuery, Which};
use crate::rr::{self, Rr, TimelineQuery, Topic};
use std::fmt;

/// A moment at which a place in the code was come to.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Traced {
    /// Where in the recording; `None` where that is not known to the instruction.
    pub at: Option<Position>,
    /// The thread, by the number that it had when it was recorded.
    pub thread: u32,
    /// The place, in words.
    pub place: String,
    /// The values of the expressions, in their order; in words why one is not known.
    pub values: Vec<std::result::Result<String, String>>,
}

/// A line that has code.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineCount {
    /// Where it is.
    pub location: Location,
    /// How often it was executed.
    pub count: u64,
}

/// A function that was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FunctionCount {
    /// Its name.
    pub name: String,
    /// The file that has its code: `libc.so.6`.
    pub library: String,
    /// How often it was called.
    pub calls: u64,
    /// Its own work: conditional branches that were executed in it. The same in each replay.
    pub ticks: u64,
}

/// Something that rr has recorded: a system call, a signal, a process or a thread.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Happening {
    /// The event's number.
    pub event: u64,
    /// Seconds since the first event, when it was recorded.
    pub seconds: f64,
    /// The process, by the number that it had when it was recorded.
    pub process: u32,
    /// The thread.
    pub thread: u32,
    /// What happened, in words.
    pub what: String,
}

/// `111 4711: SIGSEGV (SEGV_MAPERR)`
impl fmt::Display for Happening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.event, self.thread, self.what)
    }
}

/// What a stop is about, by evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// In a sentence.
    pub summary: String,
    /// What that is known by.
    pub evidence: Vec<String>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary)?;
        self.evidence.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

/// A thread, and what it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThreadWait {
    /// The thread, by the number that it had when it was recorded.
    pub thread: u32,
    /// Its name.
    pub name: Option<String>,
    /// The system call that it is in; `None`: none.
    pub call: Option<String>,
    /// The lock, or what else it waits for, in words; `None`: nothing that is another thread's business.
    pub waits_for: Option<String>,
    /// The thread that has it, as far as that is known without asking the whole recording.
    pub owner: Option<u32>,
}

/// What all threads wait for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThreadsReport {
    /// In the order of their numbers.
    pub threads: Vec<ThreadWait>,
    /// Threads that wait for each other, each for the next and the last for the first.
    pub deadlocks: Vec<Vec<u32>>,
}

/// What differs between two recordings.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// What kind of difference.
    pub kind: DifferenceKind,
    /// The function; `None` where the calls of a thread part.
    pub function: Option<String>,
    /// Which thread, from 1 in the order of their beginnings.
    pub thread: Option<u32>,
    /// The argument; `$return`: what was returned.
    pub name: Option<String>,
    /// In the first recording, and in the second: the value, the function that is called next, or how often it is.
    pub found: [Option<String>; 2],
    /// Where that is.
    pub at: [Option<Position>; 2],
}

/// How two recordings differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DifferenceKind {
    /// The calls of a thread: up to here they are the same.
    Parting,
    /// An argument, or what was returned, at the same call.
    Value,
    /// Only the first has called the function.
    OnlyFirst,
    /// Only the second has.
    OnlySecond,
    /// Both have, not equally often.
    Count,
}

impl Replay {
    /// Tells the values of expressions whenever a place is come to, in the whole recording, at most so often: what log
    /// points would have told. A place is a function or `FILE:LINE`; `condition` says which times.
    ///
    /// The replay does not move. It takes another one of the recording, with soft counters.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let replay = retrograde::Replay::open("app-0")?;
    /// let told = replay.trace("store", &["hour", "value"], Some("hour > 20"), 10)?;
    /// let values: Vec<&str> = told[0].values.iter().flatten().map(String::as_str).collect();
    /// assert_eq!(values[0], "21");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If there is no such place, if the condition or none of the expressions can be collected there, and if it is
    /// [cancelled](crate::Cancel).
    pub fn trace(&self, place: &str, values: &[&str], condition: Option<&str>, limit: usize) -> Result<Vec<Traced>> {
        self.traced(place, values, condition, Which::All, limit)
    }

    /// Finds the first time that a place is come to and a condition holds there; with its position one goes there.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// let first = replay.first("store", Some("hour == 24"))?.expect("behind the end");
    /// replay.goto(&first.at.expect("an instruction"))?;
    /// assert_eq!(u32::try_from(replay.eval("hour")?)?, 24);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`trace`](Replay::trace).
    pub fn first(&self, place: &str, condition: Option<&str>) -> Result<Option<Traced>> {
        Ok(self.traced(place, &[], condition, Which::First, 1)?.pop())
    }

    fn traced(
        &self,
        place: &str,
        values: &[&str],
        condition: Option<&str>,
        which: Which,
        limit: usize,
    ) -> Result<Vec<Traced>> {
        self.check_cancel()?;
        let query = TraceQuery {
            locations: vec![place.to_owned()],
            values: values.iter().map(|text| (*text).to_owned()).collect(),
            condition: condition.map(str::to_owned),
            which,
            ..TraceQuery::default()
        };
        let cancel = self.canceller();
        let rr = self.rr.clone().with_cancel(&cancel);
        let traced = questions::Trace::ask(&rr, self.recording(), &query, &cancel)?;
        let row = |row: questions::TraceRow| Traced {
            at: position(Some(&row.at)),
            thread: row.at.tid,
            place: row.place,
            values: row.values.into_iter().map(|value| value.map_err(|no| no.why)).collect(),
        };
        Ok(traced.page(0, limit, &cancel)?.into_iter().map(row).collect())
    }

    /// Tells how often each line of a function or a file was executed, in the whole recording.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let replay = retrograde::Replay::open("app-0")?;
    /// let lines = replay.coverage("store")?;
    /// assert!(lines.iter().all(|line| line.location.file.ends_with("corrupt_table.c")));
    /// assert!(lines.iter().any(|line| line.count > 0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If there is no such function or file, and if it is [cancelled](crate::Cancel).
    pub fn coverage(&self, of: &str) -> Result<Vec<LineCount>> {
        let (execution, cancel) = self.executed()?;
        let rows = execution.lines(of, None, &cancel)?.rows.into_iter();
        let line = |row: questions::LineCount| LineCount {
            location: Location { file: row.file.name.clone(), path: None, line: row.line, column: None },
            count: row.count,
        };
        Ok(rows.map(line).collect())
    }

    /// Tells which functions were executed in the whole recording, the one with the most work first.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let replay = retrograde::Replay::open("app-0")?;
    /// let functions = replay.profile()?;
    /// assert!(functions.iter().any(|function| function.name == "store" && function.calls > 0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If it cannot be replayed with soft counters, and if it is [cancelled](crate::Cancel).
    pub fn profile(&self) -> Result<Vec<FunctionCount>> {
        let (execution, cancel) = self.executed()?;
        let rows = execution.functions(None, &cancel)?.rows.into_iter();
        let function = |row: questions::FunctionRow| {
            let questions::FunctionRow { name, library, calls, ticks, .. } = row;
            FunctionCount { name, library, calls, ticks }
        };
        Ok(rows.map(function).collect())
    }

    fn executed(&self) -> Result<(Execution, crate::cancel::Cancel)> {
        self.check_cancel()?;
        let cancel = self.canceller();
        let rr = self.rr.clone().with_cancel(&cancel);
        Ok((Execution::ask(&rr, self.recording(), &cancel)?, cancel))
    }

    /// Lists what rr has recorded: system calls with their results, signals, processes and threads, at most so many, in
    /// the order of their events. Nothing is replayed for it.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let replay = retrograde::Replay::open("app-0")?;
    /// let all = replay.timeline(1000)?;
    /// assert!(all.iter().any(|happening| happening.what.starts_with("SIGSEGV")));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the recording cannot be read.
    pub fn timeline(&self, limit: usize) -> Result<Vec<Happening>> {
        self.check_cancel()?;
        let query = TimelineQuery {
            from: 0,
            to: u64::MAX,
            topics: [Topic::Process, Topic::Signal, Topic::Call].into(),
            pid: None,
            tid: None,
            calls: Vec::new(),
            failed: false,
            skip: 0,
            limit,
        };
        let found = rr::timeline(self.recording(), &query, &self.canceller())?;
        let row = |row: rr::Row| Happening {
            event: row.event,
            seconds: row.seconds,
            process: row.pid,
            thread: row.tid,
            what: row.what.to_string(),
        };
        Ok(found.rows.into_iter().map(row).collect())
    }

    /// Explains the current stop by evidence: what faulted and what is at its address, a failed assertion, an exception
    /// that nothing catches, a panic, a deadlock.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// replay.run()?;
    /// let explanation = replay.explain()?;
    /// assert!(explanation.summary.contains("SIGSEGV"), "{explanation}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If rr does not answer, and if it is [cancelled](crate::Cancel).
    pub fn explain(&mut self) -> Result<Explanation> {
        self.check_cancel()?;
        let found = self.core.engine().explain()?;
        Ok(Explanation { summary: found.summary, evidence: found.evidence })
    }

    /// Tells what each thread waits for where the replay is, and which threads wait for each other.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// replay.run()?;
    /// let report = replay.threads_report()?;
    /// assert!(report.threads.len() == 1 && report.deadlocks.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If rr does not answer, and if it is [cancelled](crate::Cancel).
    pub fn threads_report(&mut self) -> Result<ThreadsReport> {
        self.check_cancel()?;
        let waits = self.core.engine().waits()?;
        let circles = waits.deadlocks().into_iter();
        let deadlocks = circles.map(|circle| circle.iter().map(|id| id.tid).collect()).collect();
        let mut threads = Vec::new();
        for waiting in waits.threads {
            let id = waiting.thread.id;
            let owner = waiting.wait.as_ref().and_then(|wait| match wait.owner {
                Owner::Thread(owner) => Some(owner),
                Owner::None | Owner::Unknown(_) => None,
            });
            let waits_for = waiting.wait.map(|wait| {
                let ty = wait.ty.map_or_else(String::new, |ty| format!(" ({ty})"));
                let name = wait.name.unwrap_or_else(|| "what".to_owned());
                format!("{name}{ty} at {:#x}", wait.lock.unwrap_or(wait.word))
            });
            let (name, owner) = (waiting.thread.name, owner.map(|owner| owner.tid));
            threads.push(ThreadWait { thread: id.tid, name, call: waiting.call, waits_for, owner });
        }
        Ok(ThreadsReport { threads, deadlocks })
    }
}

impl Recording {
    /// Compares this recording, of a good run, with another one, of a bad: where their calls part, arguments and results
    /// that differ at the same call before that, functions that only one has called. `functions`: a regular expression
    /// over the names of those that are compared; otherwise all that are not the system's.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// use retrograde::Recording;
    ///
    /// # let all = Recording::list_in(".")?;
    /// # let named = |name: &str| all.iter().find(|one| one.path.ends_with(name)).unwrap().clone();
    /// # let (good, bad) = (named("app-0"), named("app-0"));
    /// assert_eq!(good.diff(&bad, Some("^store$"))?, [], "the same run does not differ");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If there is no rr, if one of both cannot be replayed, or if no function that is asked about was called.
    pub fn diff(&self, other: &Self, functions: Option<&str>) -> Result<Vec<Difference>> {
        let query = DiffQuery { functions: functions.map(str::to_owned), condition: None };
        let cancel = crate::cancel::Cancel::new();
        let found = questions::Diff::ask(&Rr::find()?, [&self.path, &other.path], &query, &cancel)?;
        let row = |row: questions::DiffRow| {
            let told = |found: &questions::DiffSide| {
                let call = || found.call.as_ref().map(|call| call.function.clone());
                found.value.clone().or_else(call).or_else(|| found.calls.map(|calls| calls.to_string()))
            };
            Difference {
                kind: match row.difference {
                    questions::Difference::Parting => DifferenceKind::Parting,
                    questions::Difference::Value => DifferenceKind::Value,
                    questions::Difference::OnlyFirst => DifferenceKind::OnlyFirst,
                    questions::Difference::OnlySecond => DifferenceKind::OnlySecond,
                    questions::Difference::Count => DifferenceKind::Count,
                },
                function: row.function,
                thread: row.thread,
                name: row.name,
                at: row.found.each_ref().map(|found| position(found.at.as_ref())),
                found: row.found.each_ref().map(told),
            }
        };
        Ok(found.rows.into_iter().map(row).collect())
    }
}

fn position(at: Option<&Moment>) -> Option<Position> {
    at.and_then(Moment::position).map(Position::of)
}
