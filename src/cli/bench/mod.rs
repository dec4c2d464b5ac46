//! `retrograde bench`: how long a step takes, ours and others', on one recording.
//!
//! Each round starts a fresh replay and plays the same scenario through the library, through the MCP server over
//! stdio, through GDB's machine interface and through karellen-rr-mcp, as far as they are installed. Every answer is
//! checked against the first one given (or one known beforehand): a fast wrong answer is no result. rr's own time, from
//! the request sent to the reply received, is told apart from the debugger's.

#[expect(unsafe_code, reason = "a process group is killed")]
mod client;
mod drivers;
pub mod mi;
mod proxy;
pub mod report;
pub mod scenario;
mod stand_in;

use drivers::{Driver, Failure};
use report::{Sample, Series};
use rr::Rr;
use scenario::Step;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// The recording.
    pub trace: PathBuf,
    /// The `retrograde` program that serves MCP.
    pub server: PathBuf,
    /// The rr that replays.
    pub rr: PathBuf,
    /// The rr that replays for GDB, if that is another one.
    pub rr_of_gdb: Option<PathBuf>,
    /// What is done, in order.
    pub scenario: Vec<Step>,
    /// How often, at least 1.
    pub rounds: usize,
    /// Leave GDB and karellen-rr-mcp out even if they are there.
    pub only_ours: bool,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A driver failed.
    #[error("{driver}, {operation}: {failure}")]
    Failed {
        /// Which.
        driver: &'static str,
        /// At what.
        operation: String,
        /// Why.
        failure: Box<Failure>,
    },
    /// A driver answered something else than expected.
    #[error("{driver}, {operation}: answered {found:?}, expected {expected:?}")]
    Wrong {
        /// Which.
        driver: &'static str,
        /// At what.
        operation: String,
        /// What it said.
        found: String,
        /// What it should have said.
        expected: String,
    },
}

/// What was measured.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// The samples of every operation under every driver.
    pub series: Vec<Series>,
    /// What other debuggers answered differently, and where they could not go on. There are no samples of that.
    pub differences: Vec<Difference>,
}

/// What another debugger did otherwise than we do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which.
    pub driver: &'static str,
    /// What it did, as a sentence.
    pub text: String,
}

/// Plays the scenario. It is an error if we do not give the answers that are expected. What another debugger does
/// differently is a result.
pub fn measure(options: &Options) -> Result<Measured, Error> {
    let mut steps = options.scenario.clone();
    let mut all = Measured::default();
    let mut names = drivers::names(options.only_ours);
    let rounds = options.rounds.max(1);
    for round in 1..=rounds {
        // Progress is for people; nobody reads it elsewhere.
        let _ = writeln!(io::stderr(), "round {round} of {rounds}: {}", names.join(", "));
        let mut able = Vec::new();
        for name in names {
            match play(options, name, &mut steps, &mut all) {
                Ok(()) => able.push(name),
                Err(error) if drivers::is_other(name) => all.differs(name, &error),
                Err(error) => return Err(error),
            }
        }
        names = able;
    }
    all.series.sort_by_key(|s| {
        let place = s.operation.split(' ').next().and_then(|n| n.parse::<usize>().ok());
        let driver = drivers::NAMES.iter().position(|n| *n == s.driver);
        (place, driver)
    });
    Ok(all)
}

impl Measured {
    /// Notes once what happens in each round.
    fn differs(&mut self, driver: &'static str, error: &Error) {
        let difference = Difference { driver, text: error.to_string() };
        if !self.differences.contains(&difference) {
            self.differences.push(difference);
        }
    }

    fn add(&mut self, driver: &'static str, operation: String, sample: Sample) {
        match self.series.iter_mut().find(|s| s.driver == driver && s.operation == operation) {
            Some(series) => series.samples.push(sample),
            None => self.series.push(Series { operation, driver, samples: vec![sample] }),
        }
    }
}

/// Plays one round of one driver.
fn play(options: &Options, name: &'static str, steps: &mut [Step], all: &mut Measured) -> Result<(), Error> {
    let mut driver: Option<Box<dyn Driver>> = None;
    for (place, step) in steps.iter_mut().enumerate() {
        let operation = format!("{} {}", place + 1, step.operation);
        let failed = |failure| Error::Failed { driver: name, operation: operation.clone(), failure: Box::new(failure) };
        let before = driver.as_mut().map(|d| d.cost()).transpose().map_err(failed)?.flatten();
        let start = Instant::now();
        let answer = match &mut driver {
            None => {
                driver = Some(drivers::start(name, options).map_err(failed)?);
                String::new()
            }
            Some(driver) => driver.perform(&step.operation).map_err(failed)?,
        };
        let elapsed = start.elapsed();
        let after = driver.as_mut().map(|d| d.cost()).transpose().map_err(failed)?.flatten();
        let cost = after.map(|after| after.since(before.unwrap_or_default()));
        let expected = step.expected.get_or_insert_with(|| answer.clone());
        if *expected == answer {
            all.add(name, operation, Sample { elapsed, cost });
            continue;
        }
        let wrong = Error::Wrong { driver: name, operation, found: answer, expected: expected.clone() };
        if !drivers::is_other(name) {
            return Err(wrong);
        }
        all.differs(name, &wrong);
    }
    Ok(())
}

const HELP: &str = "\
Measure how long steps take on a recording, here and in the other debuggers of this machine.

Usage: retrograde bench TRACE --function NAME [OPTIONS]

Options:
  --function NAME   Where the scenario plays: a function that the program calls (not main, which has no caller)
  --evaluate EXPR   What to evaluate there (default: $pc)
  --watch EXPR      What to watch: the next write forward, and back to it
  --rounds N        Fresh replays per debugger (default: 10)
  --csv FILE        Write the figures as CSV too
  --only-ours       Leave GDB and karellen-rr-mcp out
";

/// Runs `retrograde bench`, from its arguments.
pub fn run(words: &[OsString]) -> Result<(), Box<dyn std::error::Error>> {
    use lexopt::prelude::*;
    let mut arguments = lexopt::Parser::from_args(words);
    let (mut trace, mut csv) = (None, None);
    let (mut function, mut expression, mut watched) = (None, "$pc".to_owned(), None);
    let (mut rounds, mut only_ours) = (10, false);
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("function") => function = Some(arguments.value()?.string()?),
            Long("evaluate") => expression = arguments.value()?.string()?,
            Long("watch") => watched = Some(arguments.value()?.string()?),
            Long("rounds") => rounds = arguments.value()?.parse()?,
            Long("csv") => csv = Some(PathBuf::from(arguments.value()?)),
            Long("only-ours") => only_ours = true,
            Short('h') | Long("help") => {
                write!(io::stdout(), "{HELP}")?;
                return Ok(());
            }
            Value(path) if trace.is_none() => trace = Some(PathBuf::from(path)),
            other => return Err(other.unexpected().into()),
        }
    }
    let trace = trace.ok_or("bench needs a trace directory; see retrograde bench --help")?;
    let function = function.ok_or("bench needs a function that the program calls: --function NAME")?;
    let options = Options {
        trace,
        server: std::env::current_exe()?,
        rr: Rr::find()?.program().to_owned(),
        rr_of_gdb: None,
        scenario: scenario::standard(&function, &expression, watched.as_deref()),
        rounds,
        only_ours,
    };
    print(&measure(&options)?, csv.as_deref())?;
    Ok(())
}

/// Prints the table to stdout, the CSV to a file if one is named.
pub fn print(all: &Measured, csv: Option<&Path>) -> io::Result<()> {
    write!(io::stdout(), "{}", report::table(&all.series))?;
    for Difference { text, .. } in &all.differences {
        writeln!(io::stdout(), "not counted: {text}")?;
    }
    if let Some(path) = csv {
        std::fs::write(path, report::csv(&all.series))?;
    }
    Ok(())
}
