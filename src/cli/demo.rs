//! `retrograde demo`: records a program whose crash is far from its cause, and goes back from one to the other.

use super::install;
use arch::Direction;
use base::untrusted::PathText as _;
use engine::Engine;
use engine::model::{Access, Backtrace, Frame, Moment, Motion, Reason, ReplayOptions, Show, Stop, Timeouts, Variable};
use rr::{RecordOptions, Recorded, Rr};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const SOURCE: &str = include_str!("../../dwarf-fixtures/src/corrupt_table.c");
const SOURCE_NAME: &str = "corrupt_table.c";
/// The pointer that is bad when the program crashes, as an expression in the frame that crashes.
const SUSPECT: &str = "station->calibration";
/// Longer than any of it takes on a slow machine.
const RECORDING_LIMIT: Duration = Duration::from_secs(120);

/// Why the demo could not be shown.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No rr, and none could be installed.
    #[error(transparent)]
    Install(#[from] install::Error),
    /// rr could not record.
    #[error(transparent)]
    Rr(#[from] rr::Error),
    /// The replay went wrong.
    #[error(transparent)]
    Engine(#[from] engine::Error),
    /// The program could not be written or compiled.
    #[error("cannot {what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// Why it was refused.
        source: io::Error,
    },
    /// The C compiler is missing or refused the program.
    #[error(
        "cannot compile the demo program with `{compiler}`: {words}; on Debian and Ubuntu run `sudo apt-get install gcc libc6-dev`"
    )]
    Compiler {
        /// What was run.
        compiler: String,
        /// What it said.
        words: String,
    },
    /// A step gave an answer of another kind than it must.
    #[error("the demo expected {expected}, but got {got}")]
    Unexpected {
        /// What the step is for.
        expected: &'static str,
        /// The answer.
        got: String,
    },
}

/// Tells the whole story on stdout; the last line names the line that is to blame.
pub fn run() -> Result<(), Error> {
    println!("retrograde demo: from a crash back to its cause\n");
    let rr = install::ensure_rr(&install::private_directory("rr"))?;
    let directory = install::private_directory("demo");
    let program = compile(&directory)?;
    let recorded = record(&rr, &program, &directory)?;
    let options = ReplayOptions { trace: recorded.trace_dir, pid: None };
    let mut engine = Engine::start(&rr, &options, Timeouts::default())?;
    let culprit = investigate(&mut engine);
    engine.stop();
    println!("{}", culprit?);
    Ok(())
}

/// Compiles the program, statically if that is possible: then there is less to record.
///
/// Another demo may be running in the same directory. So finished files are moved into place, and the source, which is
/// always the same, is left alone if it is there.
fn compile(directory: &Path) -> Result<PathBuf, Error> {
    let failed = |what: String| move |source| Error::Io { what, source };
    fs::create_dir_all(directory).map_err(failed(format!("create `{}`", directory.in_text())))?;
    let (source, program) = (directory.join(SOURCE_NAME), directory.join("corrupt_table"));
    let aside = directory.join(format!("unfinished-{}", std::process::id()));
    if fs::read_to_string(&source).ok().as_deref() != Some(SOURCE) {
        let written = fs::write(&aside, SOURCE).and_then(|()| fs::rename(&aside, &source));
        written.map_err(failed(format!("write `{}`", source.in_text())))?;
    }

    let compiler = std::env::var("CC").ok().filter(|cc| !cc.is_empty()).unwrap_or_else(|| "cc".into());
    let compile = |more: &[&str]| {
        let mut command = Command::new(&compiler);
        command.args(["-g", "-O0"]).args(more).arg("-o").arg(&aside).arg(SOURCE_NAME).current_dir(directory);
        command.output().map_err(|error| Error::Compiler { compiler: compiler.clone(), words: error.to_string() })
    };
    let mut flags = "-g -O0 -static";
    let mut output = compile(&["-static"])?;
    if !output.status.success() {
        flags = "-g -O0";
        output = compile(&[])?;
    }
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Error::Compiler { compiler, words });
    }
    fs::rename(&aside, &program).map_err(failed(format!("write `{}`", program.in_text())))?;
    println!("1. The program: {compiler} {flags} {SOURCE_NAME}");
    println!("   {}\n", source.in_text());
    Ok(program)
}

fn record(rr: &Rr, program: &Path, directory: &Path) -> Result<Recorded, Error> {
    let (major, minor, patch) = rr.version();
    println!("2. Recording it with rr {major}.{minor}.{patch}");
    println!("   {}", rr.program().in_text());
    let traces = directory.join("traces");
    let started = Instant::now();
    let recorded = rr.record(&RecordOptions {
        command: vec![program.to_string_lossy().into_owned()],
        env: BTreeMap::from([("_RR_TRACE_DIR".into(), traces.to_string_lossy().into_owned())]),
        timeout: Some(RECORDING_LIMIT),
        ..RecordOptions::default()
    })?;
    let seconds = started.elapsed().as_secs_f64();
    println!("   {}", recorded.counters.cost());
    match (recorded.signal.as_deref(), &recorded.trace_dir) {
        (Some("SIGSEGV"), Some(trace)) => {
            println!("   it died of SIGSEGV; recorded in {seconds:.1} s as\n   {}\n", trace.in_text());
            Ok(recorded)
        }
        (signal, _) => Err(Error::Unexpected {
            expected: "the program to die of SIGSEGV",
            got: signal.map_or_else(|| format!("exit code {}", recorded.exit_code.unwrap_or_default()), str::to_owned),
        }),
    }
}

/// Goes forward to the crash and back to the cause. Gives the culprit as `file:line: text`.
fn investigate(engine: &mut Engine) -> Result<String, Error> {
    println!("3. Replaying it, forward to the crash");
    let crash = go(engine, Motion::Continue(Direction::Forward))?;
    match &crash.reason {
        Reason::Signal { name, meaning, .. } if name == "SIGSEGV" => {
            println!("   {name} ({meaning}) {}", moment(&crash));
        }
        other => return Err(unexpected("the crash, a stop for SIGSEGV", other)),
    }
    show_source(&crash);
    let Backtrace { frames, .. } = engine.backtrace(0, 10, true)?;
    if frames.is_empty() {
        return Err(Error::Unexpected { expected: "a stack", got: "no frames".into() });
    }
    frames.iter().for_each(|frame| println!("   {}", described(frame)));

    println!("\n4. What is wrong there?");
    let suspect = engine.evaluate(SUSPECT, Show::default())?;
    println!("   {SUSPECT} = {}", suspect.value);
    match engine.evaluate(&format!("*{SUSPECT}"), Show::default()) {
        Err(refusal) => {
            // Below the message stands where in the expression; here that is all of it.
            let refusal = refusal.to_string();
            println!("   *{SUSPECT}: {}", refusal.lines().next().unwrap_or_default());
        }
        Ok(pointee) => {
            return Err(Error::Unexpected { expected: "a pointer to nowhere", got: format!("{:?}", pointee.value) });
        }
    }
    println!(
        "   The pointer is not a valid address. Nothing in this function changes it, so something did so earlier. What, and when?"
    );

    println!("\n5. Watching it, and running backwards");
    let watch = engine.set_watchpoint(SUSPECT, Access::Write, None, None)?;
    println!("   watchpoint {} on {SUSPECT}", watch.number);
    let cause = go(engine, Motion::Continue(Direction::Reverse))?;
    let Reason::Watchpoint { number, old: Some(old), new: Some(new), writer, .. } = &cause.reason else {
        return Err(unexpected("the watchpoint, with the value before and after", &cause.reason));
    };
    if *number != watch.number {
        return Err(unexpected("the watchpoint that was set", &cause.reason));
    }
    println!("   watchpoint {number} {}", moment(&cause));
    println!("   before: {old}\n   after:  {new}");
    let writer = writer.as_ref().unwrap_or(&cause.frame);
    println!("   written by {}", described(writer));
    show_source(&cause);

    println!("\n6. In the frame that wrote it");
    let locals = engine.locals()?;
    if locals.is_empty() {
        return Err(Error::Unexpected { expected: "the writer's variables", got: "none".into() });
    }
    locals.iter().for_each(|local| println!("   {} = {}", local.name, local.value));
    println!("   The table ends with slot 7; the pointer comes right behind it.\n");
    culprit(engine, writer)
}

fn culprit(engine: &mut Engine, writer: &Frame) -> Result<String, Error> {
    let (Some(file), Some(line)) = (&writer.file, writer.line) else {
        return Err(Error::Unexpected { expected: "the writer's source line", got: described(writer) });
    };
    let source = engine.source(writer.fullname.as_deref().or(Some(file)), Some(line), 1)?;
    match source.lines.iter().find(|shown| shown.number == line) {
        Some(shown) if shown.text.contains("readings[slot] = value") => {
            Ok(format!("{file}:{line}: {}", shown.text.trim()))
        }
        other => Err(Error::Unexpected { expected: "the line that writes a reading", got: format!("{other:?}") }),
    }
}

fn go(engine: &mut Engine, motion: Motion) -> Result<Stop, Error> {
    Ok(engine.go(motion)?)
}

fn unexpected(expected: &'static str, got: &Reason) -> Error {
    Error::Unexpected { expected, got: format!("{got:?}") }
}

fn moment(stop: &Stop) -> String {
    match stop.position.moment {
        Some(Moment { event, ticks }) => format!("at event {event}, tick {ticks}"),
        None => "at an unknown event".to_owned(),
    }
}

/// Describes a frame: `#0 function (a=1) at file:line`.
fn described(frame: &Frame) -> String {
    let function = frame.function.as_deref().unwrap_or("??");
    let args: Vec<_> = frame.args.iter().map(|Variable { name, value, .. }| format!("{name}={value}")).collect();
    let place = match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!("at {file}:{line}"),
        _ => format!("at {}", frame.address),
    };
    format!("#{} {function} ({}) {place}", frame.level, args.join(", "))
}

fn show_source(stop: &Stop) {
    for line in &stop.source {
        let mark = if line.current { '>' } else { ' ' };
        println!("   {mark} {:>3}  {}", line.number, line.text);
    }
}
