//! How soon debug info of a large program answers, and in how much memory: ours without and with its cache, and GDB.
//!
//! `cargo bench --bench large_binary -- --binary FILE --function NAME --type NAME [--rounds N] [--gdb FILE]
//! [--debug-directory DIRECTORY] [--trace DIRECTORY --stop FUNCTION]`, or `--generate` instead of the binary and its
//! names: a program of 70 MB with uncompressed debug info is compiled first.
//!
//! Each measurement is a process from its start to its end that binds a breakpoint on the function, or lists the
//! members of the type with their offsets; with a trace, one that replays it up to a function and gives the first
//! backtrace there, with the names of the innermost variables. In each round all run one after the other. The answers
//! have to be equal. Without arguments there is nothing to measure.
//!
//! What the symbol table has of the function is bound before the names of all units are read: that is measured by
//! itself, with how many of the places it is, for it is not the whole answer. Members of a class may come from a unit
//! that the symbol table leads to, too.
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

#[path = "large_binary/backtrace.rs"]
mod backtrace;
#[path = "large_binary/generate.rs"]
mod generate;

use ctype::Type;
use dwarf::{DebugPaths, Image};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// What one process is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    /// What of it the symbol table has.
    Symbols,
    Breakpoint,
    Members,
    Backtrace,
}

impl Question {
    const ALL: [(&str, Self); 4] = [
        ("symbols", Self::Symbols),
        ("breakpoint", Self::Breakpoint),
        ("members", Self::Members),
        ("backtrace", Self::Backtrace),
    ];
}

struct Options {
    binary: PathBuf,
    function: String,
    ty: String,
    rounds: usize,
    gdb: PathBuf,
    debug_directory: PathBuf,
    /// A trace, and where to stop in its replay.
    replay: Option<(PathBuf, String)>,
}

/// What one process took.
struct Run {
    /// Seconds from start to end.
    wall: f64,
    /// Seconds of all its threads.
    cpu: f64,
    /// Peak resident memory in MiB.
    memory: f64,
    answer: BTreeSet<String>,
}

fn main() {
    let mut arguments = lexopt::Parser::from_env();
    let (mut binary, mut function, mut ty, mut rounds) = (None, None, None, 5);
    let (mut gdb, mut debug_directory) = (PathBuf::from("gdb"), PathBuf::from("/usr/lib/debug"));
    let (mut child, mut trace, mut stop, mut generated) = (None, None, None, None);
    while let Some(argument) = arguments.next().expect("arguments can be read") {
        use lexopt::prelude::*;
        let name = match argument {
            Long(name) => name.to_owned(),
            Value(_) => continue,
            other => panic!("{}", other.unexpected()),
        };
        // What `cargo bench` itself passes.
        if name == "bench" {
            continue;
        }
        if name == "generate" {
            let directory = tempfile::tempdir().expect("a directory can be made");
            binary = Some(generate::generate(directory.path()));
            (function, ty) = (Some(generate::FUNCTION.to_owned()), Some(generate::TYPE.to_owned()));
            generated = Some(directory);
            continue;
        }
        let value = arguments.value().and_then(|v| v.string()).expect("a value");
        match name.as_str() {
            "binary" => binary = Some(PathBuf::from(value)),
            "function" => function = Some(value),
            "type" => ty = Some(value),
            "rounds" => rounds = value.parse().expect("--rounds N"),
            "gdb" => gdb = value.into(),
            "debug-directory" => debug_directory = value.into(),
            "trace" => trace = Some(PathBuf::from(value)),
            "stop" => stop = Some(value),
            // How it runs itself, once for each measurement.
            "answer" => child = Some(value),
            _ => panic!("unknown option --{name}"),
        }
    }
    let (Some(binary), Some(function), Some(ty)) = (binary, function, ty) else {
        println!("nothing to measure without --binary, --function and --type");
        return;
    };
    let options = Options { binary, function, ty, rounds, gdb, debug_directory, replay: trace.zip(stop) };
    match child {
        Some(child) => {
            let known = Question::ALL.into_iter().find(|(name, _)| *name == child);
            options.answer(known.unwrap_or_else(|| panic!("unknown question {child}")).1);
        }
        None => options.measure(),
    }
    drop(generated);
}

impl Options {
    /// The child: prints the answer, a line for each place or member.
    fn answer(&self, question: Question) {
        if let (Question::Backtrace, Some((trace, stop))) = (question, &self.replay) {
            return backtrace::answer(trace, stop);
        }
        let paths = DebugPaths { directories: vec![self.debug_directory.clone()], debuginfod_cache: None };
        let image = Image::open(&self.binary, &paths).expect("the binary is an ELF file");
        match question {
            Question::Symbols | Question::Breakpoint => {
                let early = matches!(question, Question::Symbols);
                let functions = match early {
                    true => image.functions_by_symbol(&self.function).unwrap_or_default(),
                    false => image.functions_named(&self.function),
                };
                let mut places: BTreeSet<_> = functions.iter().map(|f| image.after_prologue(f)).collect();
                if !early {
                    places.extend(image.inlined_copies(&self.function).into_iter().map(|(at, _)| at));
                }
                for at in places {
                    let line = image.line_at(at).expect("a place of a breakpoint has a line");
                    println!("{:#x} {}:{}", at.0, line.file.name, line.line);
                }
            }
            Question::Members | Question::Backtrace => {
                let found = image.type_named(None, &self.ty).expect("the type is known");
                let Type::Record(record) = &*found else { panic!("{} is no class", self.ty) };
                println!("size {}", record.size.expect("the type is complete"));
                for member in &record.members {
                    println!("{} at {}", member.name.as_deref().unwrap_or("?"), member.offset);
                }
            }
        }
    }

    fn ours(&self, question: Question, cache: &std::path::Path) -> Run {
        let mut command = Command::new(std::env::current_exe().expect("a program knows its file"));
        let which = Question::ALL.into_iter().find(|(_, known)| *known == question).map_or("", |(name, _)| name);
        command.env("XDG_CACHE_HOME", cache).env_remove("RETROGRADE_CACHE");
        command.args(["--answer", which, "--function", &self.function, "--type", &self.ty]);
        command.arg("--binary").arg(&self.binary).arg("--debug-directory").arg(&self.debug_directory);
        if let Some((trace, stop)) = &self.replay {
            command.arg("--trace").arg(trace).args(["--stop", stop]);
        }
        let (mut run, output) = run(command);
        run.answer = output.lines().map(str::to_owned).collect();
        run
    }

    fn gdb(&self, question: Question) -> Run {
        let answers = |(mut run, output): (Run, String)| {
            run.answer = output.lines().filter_map(|line| line.strip_prefix("ANSWER ")).map(str::to_owned).collect();
            run
        };
        if let (Question::Backtrace, Some((trace, stop))) = (question, &self.replay) {
            return backtrace::serving(trace, |port| {
                answers(run(backtrace::gdb(&self.gdb, &self.binary, &self.debug_directory, port, stop)))
            });
        }
        let mut command = Command::new(&self.gdb);
        command.args(["-nx", "-batch"]).arg("-iex");
        command.arg(format!("set debug-file-directory {}", self.debug_directory.display())).arg(&self.binary);
        match question {
            // Its answer is parsed here, so that it does what it does for a user.
            Question::Symbols | Question::Breakpoint => {
                command.arg("-ex").arg(format!("break {}", self.function)).args([
                    "-ex",
                    "python import re\nfor line in gdb.execute('info breakpoints', to_string=True).splitlines():\n  \
                 m = re.search(r'(0x[0-9a-f]+) .* at (\\S+:\\d+)$', line)\n  \
                 if m: print('ANSWER %#x %s' % (int(m.group(1), 16), m.group(2)))",
                ])
            }
            Question::Members | Question::Backtrace => command.arg("-ex").arg(format!(
                "python t = gdb.lookup_type('{}').strip_typedefs()\nprint('ANSWER size %d' % t.sizeof)\n\
                 for f in t.fields():\n  if hasattr(f, 'bitpos'): print('ANSWER %s at %d' % (f.name, f.bitpos // 8))",
                self.ty
            )),
        };
        answers(run(command))
    }

    fn measure(&self) {
        println!("{}: medians of {} rounds", self.binary.display(), self.rounds);
        println!("{:42} {:>9} {:>9} {:>9}   ratio to GDB: wall, cpu, memory", "", "wall s", "cpu s", "MiB");
        let mut questions = vec![(Question::Breakpoint, &self.function), (Question::Members, &self.ty)];
        questions.extend(self.replay.as_ref().map(|(_, stop)| (Question::Backtrace, stop)));
        for (question, what) in questions {
            let [mut theirs, mut symbols, mut cold, mut cached]: [Vec<Run>; 4] = Default::default();
            for _ in 0..self.rounds {
                let [early, whole] = [(); 2].map(|()| tempfile::tempdir().expect("a directory can be made"));
                theirs.push(self.gdb(question));
                if question == Question::Breakpoint {
                    symbols.push(self.ours(Question::Symbols, early.path()));
                }
                cold.push(self.ours(question, whole.path()));
                // Whatever was asked first: what is kept is complete when a breakpoint is.
                self.ours(Question::Breakpoint, whole.path());
                cached.push(self.ours(question, whole.path()));
            }
            let expected = &theirs.first().expect("a round").answer;
            assert!(!expected.is_empty(), "GDB does not know {what}");
            for run in cold.iter().chain(&cached).chain(&theirs) {
                assert_eq!(run.answer, *expected, "about {what}");
            }
            let gdb = Medians::of(&theirs);
            gdb.print(&format!("{what}: GDB"), &gdb);
            if let Some(first) = symbols.first() {
                assert!(symbols.iter().all(|run| run.answer.is_subset(expected)), "symbols of {what}");
                let bound = format!("by symbols, {} of {}", first.answer.len(), expected.len());
                Medians::of(&symbols).print(&format!("{what}: {bound}"), &gdb);
            }
            Medians::of(&cold).print(&format!("{what}: without cache"), &gdb);
            Medians::of(&cached).print(&format!("{what}: with cache"), &gdb);
        }
    }
}

struct Medians([f64; 3]);

impl Medians {
    fn of(runs: &[Run]) -> Self {
        let median = |of: fn(&Run) -> f64| {
            let mut values: Vec<f64> = runs.iter().map(of).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        Self([median(|r| r.wall), median(|r| r.cpu), median(|r| r.memory)])
    }

    fn print(&self, what: &str, gdb: &Self) {
        let [wall, cpu, memory] = self.0;
        let [a, b, c] = std::array::from_fn(|i| self.0[i] / gdb.0[i]);
        println!("{what:42} {wall:9.3} {cpu:9.3} {memory:9.0}   {a:.3}, {b:.3}, {c:.3}");
    }
}

/// Runs a process to its end.
#[expect(clippy::zombie_processes, reason = "`wait4` waits for it, and tells what it took")]
fn run(mut command: Command) -> (Run, String) {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the process starts");
    let mut output = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut output).expect("text");
    // SAFETY: both are written to before they are read; the process is a child that nobody else waits for.
    let (status, usage) = unsafe {
        let (mut status, mut usage) = (0, std::mem::zeroed::<libc::rusage>());
        assert_eq!(libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage), child.id() as libc::pid_t);
        (status, usage)
    };
    assert_eq!(status, 0, "{command:?} fails");
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    let memory = usage.ru_maxrss as f64 / 1024.0;
    (Run { wall: start.elapsed().as_secs_f64(), cpu, memory, answer: BTreeSet::new() }, output)
}
