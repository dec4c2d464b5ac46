//! What recording and replaying cost under soft counters: against the program itself, and against rr.soft.
//!
//! ```sh
//! cargo bench --bench soft_counters -- --rr-soft PATH/TO/rr [--rounds N] [--only WORD,…] [--scale F] [--csv FILE]
//! ```
//!
//! Each round runs every program natively, then records and replays it with an unmodified rr and our soft counters and
//! with rr.soft (`-W`), one after the other, the two sides taking turns at who is first. All runs belong to one process
//! group. Every output, of recording and replay, must be the native one. A ratio is the median of the rounds' ratios.
//! The program ends with status 1 if a target was missed.
#![allow(
    unsafe_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "a bench fails by panicking, and prints what it has measured"
)]

mod programs;
mod report;
mod timing;

use arch::Direction;
use engine::{Engine, model};
use programs::{Program, Target};
use report::{Row, Verdict};
use rr::Rr;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use timing::{Outcome, Time, run};

const HELP: &str = "\
Options:
  --rr-soft PATH   An rr with software counters of its own, to compare with
  --rounds N       How often each program is run on each side (default: 7)
  --only WORDS     Only programs in whose names one of these words, with commas between, occurs
  --scale F        Multiplies the length of loops (default: 1); other scales have no targets
  --csv FILE       Write the figures as CSV too
  --deadline S     Seconds a single run may take (default: 600)
";

struct Options {
    rr_soft: Option<Rr>,
    rounds: usize,
    only: Option<String>,
    scale: f64,
    csv: Option<PathBuf>,
    deadline: Duration,
}

fn options() -> Result<Option<Options>, lexopt::Error> {
    use lexopt::prelude::*;
    let mut arguments = lexopt::Parser::from_env();
    let mut options =
        Options { rr_soft: None, rounds: 7, only: None, scale: 1.0, csv: None, deadline: Duration::from_secs(600) };
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("rr-soft") => {
                options.rr_soft = Some(Rr::at(Path::new(&arguments.value()?)).map_err(|e| e.to_string())?);
            }
            Long("rounds") => options.rounds = arguments.value()?.parse::<usize>()?.max(1),
            Long("only") => options.only = Some(arguments.value()?.string()?),
            Long("scale") => options.scale = arguments.value()?.parse()?,
            Long("csv") => options.csv = Some(arguments.value()?.into()),
            Long("deadline") => options.deadline = Duration::from_secs(arguments.value()?.parse()?),
            Long("help") => return Ok(None),
            // What `cargo bench` itself passes.
            Long("bench") => {}
            other => return Err(other.unexpected()),
        }
    }
    Ok(Some(options))
}

/// One way to record and replay.
struct Side {
    rr: Rr,
    /// For both subcommands.
    common: Vec<&'static str>,
    /// For recording.
    record: Vec<&'static str>,
    environment: Vec<(OsString, OsString)>,
}

impl Side {
    fn ours(rr: Rr) -> Side {
        let object = softcounters::install().expect("the soft counters can be installed");
        let environment = softcounters::environment(&object, None);
        let wanted = std::env::var_os(softcounters::BUFFER);
        let record = softcounters::record_options(wanted.as_deref(), rr.guards_buffered_calls()).to_vec();
        Side { rr, common: vec![], record, environment }
    }

    fn rr_soft(rr: Rr) -> Side {
        Side { rr, common: vec!["-W"], record: vec![], environment: vec![] }
    }

    fn command(&self, subcommand: &str) -> Command {
        let mut command = Command::new(self.rr.program());
        command.arg(subcommand).args(&self.common).envs(self.environment.iter().cloned());
        command
    }
}

/// What the whole bench uses.
struct Bench {
    options: Options,
    directory: tempfile::TempDir,
    /// Ours, then rr.soft if there is one.
    sides: Vec<Side>,
}

impl Bench {
    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Runs a command in a fresh directory; what it makes there is part of what it says.
    fn run(&self, command: &mut Command, product: Option<&str>) -> (Outcome, Vec<u8>, Time) {
        let place = self.path("cwd");
        let _ = std::fs::remove_dir_all(&place);
        std::fs::create_dir(&place).expect("a directory can be made");
        let (outcome, time) = run(command.current_dir(&place), self.options.deadline);
        let made = product.map(|name| std::fs::read(place.join(name)).expect("the program made its product"));
        (outcome, made.unwrap_or_default(), time)
    }

    /// All rounds of one program.
    fn measure(&self, program: &Program) -> [Row; 2] {
        let target = |target: Target| (self.options.scale == 1.0).then_some(target);
        let row = |phase, demanded| Row {
            program: program.name.to_owned(),
            phase,
            native: vec![],
            ours: vec![],
            rr_soft: vec![],
            target: target(demanded),
        };
        let (mut record, mut replay) = (row("record", program.record), row("replay", program.replay));
        let trace = self.path("trace");
        for round in 0..self.options.rounds {
            let mut native = Command::new(&program.words[0]);
            let (expected, product, time) = self.run(native.args(&program.words[1..]), program.product);
            record.native.push(time);
            replay.native.push(time);
            for turn in 0..self.sides.len() {
                let number = (round + turn) % self.sides.len();
                let side = &self.sides[number];
                let mut recording = side.command("record");
                recording.args(&side.record).arg("-o").arg(&trace).args(&program.words);
                let (recorded, made, recording_time) = self.run(&mut recording, program.product);
                assert_eq!(recorded, expected, "{recording:?}");
                assert!(made == product, "{recording:?}: {:?} differs", program.product);
                let mut replaying = side.command("replay");
                let (replayed, _, replay_time) = self.run(replaying.arg("-a").arg(&trace), None);
                assert_eq!(replayed.output, expected.output, "{replaying:?}");
                assert!(replayed.status.success(), "{replaying:?}: {}", replayed.status);
                for (row, time) in [(&mut record, recording_time), (&mut replay, replay_time)] {
                    if number == 0 { &mut row.ours } else { &mut row.rr_soft }.push(time);
                }
                std::fs::remove_dir_all(&trace).expect("the trace can be removed");
            }
        }
        [record, replay]
    }

    /// The first run backward of a fresh replay.
    fn reverse(&self) -> Row {
        let words = programs::distance(self.directory.path(), self.options.scale);
        let mut row = Row {
            program: "distance".to_owned(),
            phase: "reverse-continue",
            native: vec![],
            ours: vec![],
            rr_soft: vec![],
            target: (self.options.scale == 1.0).then(programs::reverse),
        };
        let traces: Vec<PathBuf> = (0..self.sides.len()).map(|n| self.path(&format!("reverse-{n}"))).collect();
        for (side, trace) in self.sides.iter().zip(&traces) {
            // Our own `rr` notes in the recording how it was made, which the library looks for.
            let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
            command.args(["rr", "record", "-o"]).arg(trace).args(&words);
            command.env("RETROGRADE_RR", side.rr.program()).env("RETROGRADE_COUNTERS", "soft");
            assert!(self.run(&mut command, None).0.status.success(), "{command:?}");
        }
        for round in 0..self.options.rounds {
            for turn in 0..self.sides.len() {
                let number = (round + turn) % self.sides.len();
                match back(&self.sides[number].rr, &traces[number]) {
                    Some(wall) if number == 0 => row.ours.push(Time { wall, cpu: None }),
                    Some(wall) => row.rr_soft.push(Time { wall, cpu: None }),
                    None => {
                        assert_ne!(number, 0, "our way back takes longer than {REVERSE:?}");
                        eprintln!("distance: rr.soft takes longer than {REVERSE:?}");
                    }
                }
            }
        }
        row
    }
}

/// What the way back takes at most: rr.soft sometimes does not arrive at all.
const REVERSE: Duration = Duration::from_secs(20);

/// Goes to the far place and takes the time of the way back to the near one; `None` if that takes too long.
fn back(rr: &Rr, trace: &Path) -> Option<Duration> {
    let options = model::ReplayOptions { trace: Some(trace.to_owned()), pid: None };
    let timeouts = model::Timeouts { reverse: REVERSE, ..Default::default() };
    let mut engine = Engine::start(rr, &options, timeouts).expect("the replay starts");
    for location in ["near", "far"] {
        let spec = model::BreakpointSpec { location: location.to_owned(), ..Default::default() };
        engine.set_breakpoint(&spec).expect("the function is there");
    }
    let mut arrive = |direction, place: &str| {
        let start = Instant::now();
        let stop = engine.go(model::Motion::Continue(direction)).expect("the program can be moved");
        if matches!(stop.reason, model::Reason::TimedOut { .. }) {
            return None;
        }
        assert_eq!(stop.frame.function.as_deref(), Some(place), "{stop:?}");
        Some(start.elapsed())
    };
    arrive(Direction::Forward, "near")?;
    arrive(Direction::Forward, "far")?;
    arrive(Direction::Reverse, "near")
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(wrong) => panic!("{wrong}"),
    };
    let rr = Rr::find().unwrap_or_else(|e| panic!("{e}"));
    let directory = tempfile::tempdir().expect("there is a place for temporary files");
    let mut sides = vec![Side::ours(rr)];
    sides.extend(options.rr_soft.clone().map(Side::rr_soft));
    let bench = Bench { options, directory, sides };
    let wanted = |name: &str| match &bench.options.only {
        Some(words) => words.split(',').any(|word| name.contains(word.trim())),
        None => true,
    };

    let mut rows = Vec::new();
    let mut finished = |fresh: Vec<Row>| {
        // Long runs should show something on the way.
        let _ = write!(std::io::stderr(), "{}", report::table(&fresh));
        rows.extend(fresh);
    };
    for program in programs::all(bench.directory.path(), bench.options.scale) {
        if wanted(program.name) {
            finished(bench.measure(&program).into());
        }
    }
    if wanted("distance") {
        finished(vec![bench.reverse()]);
    }
    print!("{}", report::table(&rows));
    if let Some(path) = &bench.options.csv {
        std::fs::write(path, report::csv(&rows)).expect("the CSV file can be written");
    }
    if rows.iter().any(|row| row.verdict() == Verdict::Fail) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
