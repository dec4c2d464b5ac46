//! The programs that are recorded and replayed: what each of them is, how it is built, and how it must end.

use crate::support::fixtures::scratch;
use crate::support::machine;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many branches a program executes, roughly.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// At most some millions.
    Small,
    /// More, in an interpreter, a compiler, or several of them.
    Large,
}

/// How a program comes about.
enum Kind {
    /// Compiled from a source in `programs/`, with these flags.
    Compiled(&'static str, &'static [&'static str]),
    /// This interpreter on a script in `programs/`.
    Script(&'static str, &'static str),
    /// A program of the machine.
    Installed(&'static str),
}

/// An entry of the catalogue.
pub struct Program {
    /// Unique.
    pub name: &'static str,
    kind: Kind,
    arguments: &'static [&'static str],
    /// The first argument, if the program takes an amount of work.
    work: Option<&'static str>,
    /// How it ends: its exit code, or 128 and the signal.
    pub ends: i32,
    /// What it costs.
    pub size: Size,
    /// A flag that `/proc/cpuinfo` must have.
    cpu: Option<&'static str>,
    /// It takes part only if it is asked for by name.
    pub on_demand: bool,
}

const STATIC: &[&str] = &["-static"];
const THREADS: &[&str] = &["-static", "-pthread"];
const DYNAMIC_THREADS: &[&str] = &["-pthread"];

const fn compiled(name: &'static str, source: &'static str, flags: &'static [&'static str]) -> Program {
    let kind = Kind::Compiled(source, flags);
    Program { name, kind, arguments: &[], work: None, ends: 0, size: Size::Small, cpu: None, on_demand: false }
}

const fn script(name: &'static str, interpreter: &'static str, file: &'static str) -> Program {
    let kind = Kind::Script(interpreter, file);
    Program { name, kind, arguments: &[], work: None, ends: 0, size: Size::Large, cpu: None, on_demand: false }
}

const fn installed(name: &'static str, program: &'static str, arguments: &'static [&'static str]) -> Program {
    let kind = Kind::Installed(program);
    Program { name, kind, arguments, work: None, ends: 0, size: Size::Large, cpu: None, on_demand: false }
}

impl Program {
    const fn arguments(self, arguments: &'static [&'static str]) -> Self {
        Program { arguments, ..self }
    }

    const fn work(self, amount: &'static str) -> Self {
        Program { work: Some(amount), ..self }
    }

    const fn ends(self, ends: i32) -> Self {
        Program { ends, ..self }
    }

    const fn on_demand(self) -> Self {
        Program { on_demand: true, ..self }
    }

    const fn cpu(self, flag: &'static str) -> Self {
        Program { cpu: Some(flag), ..self }
    }

    const fn dies_of(self, signal: i32) -> Self {
        self.ends(128 + signal)
    }
}

/// All of them. A program that the machine cannot run (a CPU without AVX-512, no git) has no part in the rounds.
pub const PROGRAMS: &[Program] = &[
    compiled("bare", "bare.c", &["-static", "-nostdlib", "-fno-stack-protector"]).ends(3),
    compiled("static hello", "hello.c", STATIC),
    compiled("dynamic hello", "hello.c", &[]),
    compiled("tight loop", "tight_loop.c", STATIC).work("2000000"),
    compiled("linked list", "linked_list.c", STATIC).work("1000"),
    compiled("mutexes", "mutexes.c", THREADS).work("2000"),
    compiled("dynamic mutexes", "mutexes.c", DYNAMIC_THREADS).work("2000"),
    compiled("atomics", "atomics.c", THREADS).work("20000"),
    compiled("signals", "signals.c", STATIC),
    compiled("alarm", "alarm.c", STATIC),
    compiled("trap blocked", "traps.c", STATIC).arguments(&["blocked"]),
    compiled("trap handled", "traps.c", STATIC).arguments(&["handled"]),
    compiled("trap ignored", "traps.c", STATIC).arguments(&["ignored"]),
    compiled("crash: write", "crash.c", STATIC).arguments(&["write"]).dies_of(libc::SIGSEGV),
    compiled("crash: call", "crash.c", STATIC).arguments(&["call"]).dies_of(libc::SIGSEGV),
    compiled("crash: return", "crash.c", STATIC).arguments(&["return"]).dies_of(libc::SIGSEGV),
    compiled("crash: divide", "crash.c", STATIC).arguments(&["divide"]).dies_of(libc::SIGFPE),
    compiled("crash: ud2", "crash.c", STATIC).arguments(&["ud2"]).dies_of(libc::SIGILL),
    compiled("crash: int3", "crash.c", STATIC).arguments(&["int3"]).dies_of(libc::SIGTRAP),
    compiled("crash: abort", "crash.c", STATIC).arguments(&["abort"]).dies_of(libc::SIGABRT),
    compiled("signals to the group", "group.c", STATIC).dies_of(libc::SIGABRT),
    compiled("faults", "faults.c", STATIC),
    compiled("fork and exec", "chain.c", STATIC).arguments(&["fork", "2"]).ends(7),
    compiled("vfork and exec", "chain.c", STATIC).arguments(&["vfork", "2"]).ends(7),
    compiled("exec from a thread", "exec_from_thread.c", THREADS).ends(4),
    compiled("children", "children.c", STATIC).work("20000"),
    compiled("longjmp", "longjmp.c", STATIC),
    compiled("exceptions", "exceptions.cpp", &[]).work("500"),
    compiled("static exceptions", "exceptions.cpp", STATIC).work("500"),
    compiled("generated: writable", "generated.c", STATIC).arguments(&["writable"]),
    compiled("generated: switched", "generated.c", STATIC).arguments(&["switched"]),
    compiled("generated: shared", "generated.c", STATIC).arguments(&["shared"]),
    compiled("rewritten", "rewritten.c", THREADS).work("20000"),
    compiled("mended", "mended.c", STATIC),
    compiled("flags", "flags.c", THREADS),
    compiled("interrupted flags", "interrupted_flags.c", STATIC),
    compiled("loading", "loading.c", &[]),
    compiled("restarts", "restarts.c", STATIC),
    compiled("x87", "x87.c", STATIC),
    compiled("clocks", "clocks.c", STATIC),
    compiled("avx", "avx.c", STATIC).work("100000").cpu("avx2"),
    compiled("avx512", "avx512.c", STATIC).work("100000").cpu("avx512bw"),
    compiled("strings", "strings.c", STATIC).work("12000"),
    compiled("own maps", "own_maps.c", STATIC),
    compiled("filters", "filters.c", STATIC),
    compiled("jumps", "jumps.c", STATIC).work("200"),
    compiled("contexts", "contexts.c", STATIC).work("5000"),
    compiled("tracer", "tracer.c", STATIC),
    compiled("refused", "refused.c", STATIC),
    compiled("low places", "low_places.c", STATIC),
    compiled("random numbers", "random.c", STATIC).cpu("rdseed"),
    // rr's system-call buffer is a library, which static programs do not load.
    compiled("buffered", "buffered.c", DYNAMIC_THREADS).work("20"),
    compiled("buffered signals", "signals.c", &[]),
    compiled("buffered kept signals", "kept_signals.c", DYNAMIC_THREADS).work("100"),
    compiled("buffered alarm", "alarm.c", &[]),
    compiled("buffered trap blocked", "traps.c", &[]).arguments(&["blocked"]),
    compiled("buffered crash", "crash.c", &[]).arguments(&["write"]).dies_of(libc::SIGSEGV),
    compiled("buffered signals to the group", "group.c", &[]).dies_of(libc::SIGABRT),
    compiled("buffered faults", "faults.c", &[]),
    compiled("buffered fork and exec", "chain.c", &[]).arguments(&["fork", "2"]).ends(7),
    compiled("buffered vfork and exec", "chain.c", &[]).arguments(&["vfork", "2"]).ends(7),
    compiled("buffered exec from a thread", "exec_from_thread.c", DYNAMIC_THREADS).ends(4),
    compiled("buffered children", "children.c", &[]).work("20000"),
    compiled("buffered code", "generated.c", &[]).arguments(&["switched"]),
    compiled("buffered mended", "mended.c", &[]),
    compiled("buffered restarts", "restarts.c", &[]),
    compiled("buffered clocks", "clocks.c", &[]),
    compiled("buffered filters", "filters.c", &[]),
    compiled("buffered contexts", "contexts.c", &[]).work("5000"),
    compiled("buffered tracer", "tracer.c", &[]),
    compiled("buffered refused", "refused.c", &[]),
    script("pipeline", "sh", "pipeline.sh").ends(3),
    script("repository", "sh", "repository.sh"),
    installed("git", "git", &["--version"]),
    installed("gcc", "gcc", &["-O2", "-S", "-o", "-", "{programs}/compiled.c"]),
    script("python", "python3", "objects.py"),
    script("zoo: node", "node", "hello.js").on_demand(),
    script("zoo: luajit", "luajit", "loops.lua").on_demand(),
    script("zoo: a java program", "java", "Work.java").on_demand(),
    installed("zoo: java", "java", &["--version"]).on_demand(),
    installed("zoo: git grep -P", "git", &["-C", "{programs}", "grep", "--no-index", "-P", "-c", "int \\w+\\("])
        .on_demand(),
    installed("zoo: sqlite3", "sqlite3", &[":memory:", SUMS]).on_demand(),
    installed("zoo: perl", "perl", &["-e", "$h{$_ % 97} .= $_ for 1..20000; print length join '', sort values %h"])
        .on_demand(),
    installed("zoo: ruby", "ruby", &["-e", "puts (1..20000).map { |i| i * i }.select(&:even?).sum"]).on_demand(),
    installed("zoo: php", "php", &["-r", "echo md5(serialize(range(1, 20000)));"]).on_demand(),
    installed("zoo: lua", "lua5.4", &["{programs}/loops.lua"]).on_demand(),
    installed("zoo: tcl", "tclsh", &["{programs}/squares.tcl"]).on_demand(),
    installed("zoo: go", "go", &["version"]).on_demand(),
    installed("zoo: rustc", "rustc", &["--crate-type=lib", "--emit=asm", "-o", "-", "{programs}/compiled.rs"])
        .on_demand(),
    installed("zoo: gcc", "gcc", &["-O2", "-S", "-o", "-", "{programs}/compiled.c"]).on_demand(),
    installed("zoo: openssl", "openssl", &["dgst", "-sha512", "{programs}/compiled.c"]).on_demand(),
    installed("zoo: zstd", "zstd", &["-19", "-c", "{programs}/compiled.c"]).on_demand(),
    installed("zoo: xz", "xz", &["-9", "-c", "{programs}/compiled.c"]).on_demand(),
    installed("zoo: make", "make", &["--eval", "all: ; @for i in 1 2 3; do echo $$i; done", "all"]).on_demand(),
    installed("zoo: vim", "vim", &["-u", "NONE", "-es", "+put =range(1,500)", "+%s/1/one/g", "+%print", "+qa!"])
        .on_demand(),
    installed("zoo: redis", "redis-server", &["--version"]).on_demand(),
    installed("zoo: postgres", "psql", &["--version"]).on_demand(),
    installed(
        "zoo: ffmpeg",
        "ffmpeg",
        &["-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:s=160x120", "-f", "framemd5", "-"],
    )
    .on_demand(),
];

/// A question for SQLite that keeps it busy.
const SUMS: &str = "with recursive t(n) as (select 1 union all select n + 1 from t where n < 20000) select count(*), sum(n * n) from t";

/// A program that can be run.
pub struct Ready {
    /// Its entry.
    pub program: &'static Program,
    /// The command.
    pub words: Vec<OsString>,
}

/// Builds the programs that are wanted and leaves out those that the machine cannot run, which it names.
pub fn prepare(wanted: impl Fn(&Program) -> bool) -> Vec<Ready> {
    let mut workshop = Workshop::default();
    let mut all = Vec::new();
    for program in PROGRAMS.iter().filter(|p| wanted(p)) {
        let words = if program.cpu.is_none_or(machine::has) { workshop.command(program) } else { None };
        match words {
            Some(words) => all.push(Ready { program, words }),
            None => println!("{}: this machine cannot run it", program.name),
        }
    }
    all
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rounds/programs")
}

/// What has been built.
#[derive(Default)]
struct Workshop(HashMap<(&'static str, &'static [&'static str]), PathBuf>);

impl Workshop {
    /// None if the machine does not have what it takes.
    fn command(&mut self, program: &Program) -> Option<Vec<OsString>> {
        let mut words = match program.kind {
            Kind::Compiled(source, flags) => vec![self.built(source, flags).into()],
            Kind::Script(interpreter, file) => vec![found(interpreter)?.into(), sources().join(file).into()],
            Kind::Installed(name) => vec![found(name)?.into()],
        };
        words.extend(program.work.map(OsString::from));
        for argument in program.arguments {
            let argument = argument.replace("{programs}", &sources().to_string_lossy());
            words.push(argument.into());
        }
        Some(words)
    }

    fn built(&mut self, source: &'static str, flags: &'static [&'static str]) -> PathBuf {
        if source == "loading.c" {
            for (name, limit) in [("libone.so", "-DLIMIT=10"), ("libtwo.so", "-DLIMIT=100")] {
                compile("library.c", &["-shared", "-fPIC", limit], name);
            }
        }
        let next = self.0.len();
        self.0.entry((source, flags)).or_insert_with(|| compile(source, flags, &format!("program-{next}"))).clone()
    }
}

/// Builds one of the programs; the flags come last. Panics if that fails.
pub fn compile(source: &str, flags: &[&str], name: &str) -> PathBuf {
    let compiler = if source.ends_with(".cpp") { "g++" } else { "gcc" };
    let output = scratch().join(name);
    let result = Command::new(compiler)
        .args(["-O1", "-g", "-o"])
        .args([&output, &sources().join(source)])
        .args(flags)
        .output()
        .unwrap_or_else(|e| panic!("the rounds need {compiler}: {e}"));
    assert!(result.status.success(), "{source}: {}", String::from_utf8_lossy(&result.stderr));
    output
}

/// A program on `PATH`. Python tells where it really is: what is on `PATH` may be a shell script that looks for it.
fn found(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let program = std::env::split_paths(&path).map(|directory| directory.join(name)).find(|file| file.is_file())?;
    if name != "python3" {
        return Some(program);
    }
    let output = Command::new(program).args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim_end()))
}
