//! Questions about the whole recording that are answered by one replay, or by none.

use super::error::Result;
use super::location::Location;
use super::position::Position;
use super::questions::{Questions, position};
use super::recording::Recording;
use super::session::Replay;
use engine::model::Owner;
use questions::{DiffQuery, Execution};
use rr::{TimelineQuery, Topic};
use std::fmt;
use std::path::PathBuf;

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

/// An explanation of a stop, with the evidence for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// In a sentence.
    pub summary: String,
    /// The evidence for the summary, in sentences.
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
    /// The function; `None` where the calls of a thread part. Of a branch: where it is.
    pub function: Option<String>,
    /// Which thread, from 1 in the order of their beginnings.
    pub thread: Option<u32>,
    /// The argument; `$return`: what was returned. Of a branch: its source line.
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
    /// The calls of a thread part here; before, they are the same.
    Parting,
    /// The branch that made the calls part first, listed right after that parting: its place and source line, and for
    /// each recording the values in the line and where the execution went on.
    Branch,
    /// An argument, or what was returned, at the same call.
    Value,
    /// Only the first has called the function.
    OnlyFirst,
    /// Only the second has.
    OnlySecond,
    /// Both have, not equally often.
    Count,
}

impl Questions {
    /// Tells how often each line of a function or a file was executed, in the whole recording.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let replay = retrograde::Replay::open("app-0")?;
    /// let lines = replay.questions().coverage("store")?;
    /// assert!(lines.iter().all(|line| line.location.file.ends_with("corrupt_table.c")));
    /// assert!(lines.iter().any(|line| line.count > 0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If there is no such function or file, and if it is [cancelled](crate::Cancel).
    pub fn coverage(&self, of: &str) -> Result<Vec<LineCount>> {
        let rows = self.executed()?.lines(of, None, &self.cancel)?.rows.into_iter();
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
    /// let functions = replay.questions().profile()?;
    /// assert!(functions.iter().any(|function| function.name == "store" && function.calls > 0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If it cannot be replayed with soft counters, and if it is [cancelled](crate::Cancel).
    pub fn profile(&self) -> Result<Vec<FunctionCount>> {
        let rows = self.executed()?.functions(None, &self.cancel)?.rows.into_iter();
        let function = |row: questions::FunctionRow| {
            let questions::FunctionRow { name, library, calls, ticks, .. } = row;
            FunctionCount { name, library, calls, ticks }
        };
        Ok(rows.map(function).collect())
    }

    fn executed(&self) -> Result<Execution> {
        self.check_cancel()?;
        Ok(Execution::ask(&self.rr, &self.recording, &self.cancel)?)
    }

    /// Lists what rr has recorded: system calls with their results, signals, processes and threads, at most so many, in
    /// the order of their events. Nothing is replayed for it.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let replay = retrograde::Replay::open("app-0")?;
    /// let all = replay.questions().timeline(1000)?;
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
        let found = rr::timeline(&self.recording, &query, &self.cancel)?;
        let row = |row: rr::Row| Happening {
            event: row.event,
            seconds: row.seconds,
            process: row.pid,
            thread: row.tid,
            what: row.what.to_string(),
        };
        Ok(found.rows.into_iter().map(row).collect())
    }
}

impl Replay {
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
    pub fn explain(&self) -> Result<Explanation> {
        self.check_cancel()?;
        let found = self.core.ask().explain()?;
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
    pub fn threads_report(&self) -> Result<ThreadsReport> {
        self.check_cancel()?;
        let waits = self.core.ask().waits()?;
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

/// A comparison of two recordings, which [`ask`](DiffBuilder::ask) makes.
#[derive(Clone, Debug)]
#[must_use = "nothing is compared until `ask` is called"]
pub struct DiffBuilder {
    asks: Questions,
    other: PathBuf,
    query: DiffQuery,
}

impl Questions {
    /// Compares the recording, of a good run, with another one, of a bad: where their calls part, arguments and results
    /// that differ at the same call before that, functions that only one has called.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// use retrograde::Recording;
    ///
    /// # let all = Recording::list_in(".")?;
    /// # let named = |name: &str| all.iter().find(|one| one.path.ends_with(name)).unwrap().clone();
    /// # let (good, bad) = (named("app-0"), named("app-0"));
    /// let differences = good.questions()?.diff(&bad).functions("^store$").ask()?;
    /// assert_eq!(differences, [], "the same run does not differ");
    /// # Ok(())
    /// # }
    /// ```
    pub fn diff(&self, other: &Recording) -> DiffBuilder {
        let query = DiffQuery { functions: None, condition: None };
        DiffBuilder { asks: self.clone(), other: other.path.clone(), query }
    }
}

impl DiffBuilder {
    /// Compares the calls of functions whose names match a regular expression, instead of all that are not the system's.
    pub fn functions(mut self, pattern: impl Into<String>) -> Self {
        self.query.functions = Some(pattern.into());
        self
    }

    /// Compares only calls for which a condition holds; it needs [functions](Self::functions) whose arguments it can name.
    pub fn when(mut self, condition: impl Into<String>) -> Self {
        self.query.condition = Some(condition.into());
        self
    }

    /// Compares the recordings, by replays with soft counters.
    ///
    /// # Errors
    /// If one of both cannot be replayed, if no function that is asked about was called, and if it is
    /// [cancelled](crate::Cancel).
    pub fn ask(self) -> Result<Vec<Difference>> {
        let Self { asks, other, query } = self;
        asks.check_cancel()?;
        let found = questions::Diff::ask(&asks.rr, [&asks.recording, &other], &query, &asks.cancel)?;
        let row = |row: questions::DiffRow| {
            let shown = |found: &questions::DiffSide| {
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
                at: row.found.each_ref().map(|found| found.at.as_ref().and_then(position)),
                found: row.found.each_ref().map(shown),
            }
        };
        let branch = found.first_branch.map(|branch| {
            let shown = |side: &questions::BranchSide| {
                let compared = side.compared.iter().map(|compared| format!("compared {compared}"));
                let value = |(name, value): &(String, std::result::Result<String, String>)| {
                    format!("{name} = {}", value.as_ref().unwrap_or_else(|why| why))
                };
                let went = format!("went on at {}", side.to);
                let all: Vec<String> = side.values.iter().map(value).chain(compared).chain([went]).collect();
                Some(all.join(", "))
            };
            Difference {
                kind: DifferenceKind::Branch,
                function: Some(branch.place),
                thread: found.rows.first().and_then(|row| row.thread),
                name: branch.text,
                at: branch.sides.each_ref().map(|side| position(&side.at)),
                found: branch.sides.each_ref().map(shown),
            }
        });
        let mut all: Vec<Difference> = found.rows.into_iter().map(row).collect();
        if let Some(branch) = branch {
            all.insert(1.min(all.len()), branch);
        }
        Ok(all)
    }
}
