//! Records and replays small programs with an unmodified rr under soft counters.
//!
//! A replay that left the recorded path would end rr with an error or print something else; both are checked.
use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::recordings::rr;

const LOOP: &str = r#"
#include <stdio.h>
int main(void) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 500; i++) { if (i % 3 == 0) sum += i; else if (i % 7 == 0) sum ^= i; }
    printf("%u\n", sum);
    return sum & 7;
}
"#;

const THREADS: &str = r#"
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned order;
static void *work(void *id) {
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&lock);
        order = order * 31 + (unsigned)(long)id;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, (void *)(i + 1));
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    printf("%u\n", order);
    return 0;
}
"#;

const SIGNALS: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
static volatile int alarms, users;
static void on_signal(int number) { if (number == SIGALRM) alarms++; else users++; }
int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigaction(SIGALRM, &action, 0);
    sigaction(SIGUSR1, &action, 0);
    struct itimerval timer = {{0, 10000}, {0, 10000}};
    setitimer(ITIMER_REAL, &timer, 0);
    long spins = 0;
    while (alarms < 3) if (++spins % 200 == 0) raise(SIGUSR1);
    memset(&timer, 0, sizeof timer);
    setitimer(ITIMER_REAL, &timer, 0);
    printf("%ld spins %d users\n", spins, users);
    return 3;
}
"#;

const FORK_EXEC: &str = r#"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
    if (argc > 1) { printf("child %s\n", argv[1]); return 5; }
    int status;
    pid_t child = fork();
    if (!child) { execl(argv[0], argv[0], "forked", (char *)0); _exit(9); }
    waitpid(child, &status, 0);
    printf("status %d\n", WEXITSTATUS(status));
    fflush(stdout);
    child = vfork();
    if (!child) { execl(argv[0], argv[0], "vforked", (char *)0); _exit(9); }
    waitpid(child, &status, 0);
    printf("status %d\n", WEXITSTATUS(status));
    return 4;
}
"#;

const CRASH: &str = r#"
#include <stdio.h>
int main(void) {
    puts("before");
    fflush(stdout);
    int *volatile nowhere = (int *)16;
    *nowhere = 1;
    return 0;
}
"#;

/// Blocks `SIGTRAP`, which stepping must hide from the program, and stores its flags, which stepping shows in.
const TRAPS: &str = r#"
#include <signal.h>
#include <stdio.h>
static volatile int handled;
static void on_trap(int number) { (void)number; handled++; }
int main(void) {
    unsigned long flags;
    unsigned short low_flags;
    __asm__ volatile("pushfq\n\tpopq %0" : "=r"(flags));
    __asm__ volatile("pushfw\n\tpopw %0" : "=r"(low_flags));
    signal(SIGTRAP, on_trap);
    __asm__ volatile("int3");
    sigset_t mask, pending;
    sigemptyset(&mask);
    sigaddset(&mask, SIGTRAP);
    sigprocmask(SIG_BLOCK, &mask, 0);
    raise(SIGTRAP);
    sigpending(&pending);
    int before = handled;
    sigprocmask(SIG_UNBLOCK, &mask, 0);
    struct sigaction action;
    sigaction(SIGTRAP, 0, &action);
    printf("flags %lx %x, pending %d, handled %d then %d, handler kept %d\n", flags & 0x100, low_flags & 0x100u,
           sigismember(&pending, SIGTRAP), before, handled, action.sa_handler == on_trap);
    return 0;
}
"#;

/// A directory with programs and recordings, and what it takes to run rr.
struct Bench {
    directory: tempfile::TempDir,
    rr: PathBuf,
    preload: Vec<(OsString, OsString)>,
}

impl Bench {
    fn new() -> Bench {
        let object = softcounters::install().expect("the object can be installed");
        Bench {
            directory: tempfile::tempdir().unwrap(),
            rr: rr().program().to_owned(),
            preload: softcounters::environment(&object, None),
        }
    }

    /// With an object that nobody else uses: what is known of programs is kept beside it, and here nothing is.
    fn without_a_past() -> Bench {
        let mut bench = Bench::new();
        let object = softcounters::install().expect("the object can be installed");
        let own = bench.directory.path().join("own.so");
        // Beside an object that others could replace nothing is kept.
        fs::set_permissions(bench.directory.path(), Permissions::from_mode(0o700)).unwrap();
        fs::copy(object, &own).unwrap();
        bench.preload = softcounters::environment(&own, None);
        bench
    }

    /// Compiles a static program: its start-up is ten times shorter than a dynamic one's.
    fn compile(&self, name: &str, source: &str) -> PathBuf {
        self.compile_with(name, source, &["-static"])
    }

    fn compile_with(&self, name: &str, source: &str, flags: &[&str]) -> PathBuf {
        let program = self.directory.path().join(name);
        let file = program.with_extension("c");
        fs::write(&file, source).unwrap();
        let compiler = Command::new("gcc")
            .args(["-O1", "-g", "-pthread"])
            .args(flags)
            .arg("-o")
            .args([&program, &file])
            .output()
            .expect("gcc runs");
        assert!(compiler.status.success(), "{}", String::from_utf8_lossy(&compiler.stderr));
        program
    }

    /// Runs rr with a small environment, which C programs parse at their start.
    fn rr(&self, command: &str, arguments: &[&str], trace: &Path, program: Option<&Path>) -> Output {
        self.rr_with(&[], command, arguments, trace, program)
    }

    /// The same, with switches of the soft counters.
    fn rr_with(
        &self,
        switches: &[(&str, &str)],
        command: &str,
        arguments: &[&str],
        trace: &Path,
        program: Option<&Path>,
    ) -> Output {
        let mut rr = Command::new(&self.rr);
        rr.env_clear().env("HOME", self.directory.path()).envs(self.preload.iter().cloned());
        rr.envs(switches.iter().copied()).env("RETROGRADE_SOFT_STATS", "1");
        rr.arg(command).args(arguments);
        if command == "record" {
            rr.args(softcounters::record_options(
                Some("1".as_ref()),
                crate::support::recordings::rr().guards_buffered_calls(),
            ))
            .arg("-o");
        }
        rr.arg(trace).args(program).current_dir(self.directory.path());
        rr.output().expect("rr runs")
    }

    /// Records once and replays twice; returns what the program printed and the shell's idea of its exit status.
    fn round(&self, program: &Path, record_arguments: &[&str], number: usize) -> (String, Option<i32>) {
        let trace = self.directory.path().join(format!("trace-{number}"));
        let recorded = self.rr("record", record_arguments, &trace, Some(program));
        assert_sound(&recorded, "record");
        for _ in 0..2 {
            let replayed = self.rr("replay", &["-a"], &trace, None);
            assert_sound(&replayed, "replay");
            assert!(replayed.status.success(), "replay ended with {}: {}", replayed.status, errors(&replayed));
            assert_eq!(text(&replayed.stdout), text(&recorded.stdout));
        }
        fs::remove_dir_all(&trace).unwrap();
        use std::os::unix::process::ExitStatusExt;
        let status = recorded.status.code().or_else(|| recorded.status.signal().map(|signal| 128 + signal));
        (text(&recorded.stdout), status)
    }
}

/// A number of the statistics an rr printed at its end.
fn statistic(output: &Output, name: &str) -> u64 {
    let errors = errors(output);
    let (_, rest) = errors.split_once(&format!(" {name}: ")).unwrap_or_else(|| panic!("no {name} in {errors}"));
    rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
}

/// What recording one program under one set of switches and replaying it under another came to.
struct Crossed {
    recorded: Output,
    replayed: Output,
}

impl Bench {
    fn cross(
        &self,
        program: &Path,
        record_arguments: &[&str],
        recorder: &[(&str, &str)],
        replayer: &[(&str, &str)],
    ) -> Crossed {
        let trace = self.directory.path().join("crossed");
        let recorded = self.rr_with(recorder, "record", record_arguments, &trace, Some(program));
        assert_sound(&recorded, "record");
        let replayed = self.rr_with(replayer, "replay", &["-a"], &trace, None);
        assert_sound(&replayed, "replay");
        assert!(replayed.status.success(), "replay ended with {}: {}", replayed.status, errors(&replayed));
        assert_eq!(text(&replayed.stdout), text(&recorded.stdout));
        fs::remove_dir_all(&trace).unwrap();
        Crossed { recorded, replayed }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn errors(output: &Output) -> String {
    text(&output.stderr)
}

fn assert_sound(output: &Output, what: &str) {
    let errors = errors(output);
    for word in ["FATAL", "ERROR", "Assertion", "diverge"] {
        assert!(!errors.contains(word), "{what}: {errors}");
    }
}

/// Time slices in ticks: rr's own, and small ones that force overflows in the middle of code.
const SLICES: [&[&str]; 4] = [&[], &["-c", "1000"], &["-c", "137"], &["-h"]];

fn rounds(name: &str, source: &str, check: impl Fn(&str, Option<i32>)) {
    let bench = Bench::new();
    let program = bench.compile(name, source);
    for (number, arguments) in SLICES.iter().enumerate() {
        let (output, status) = bench.round(&program, arguments, number);
        check(&output, status);
    }
}

#[test]
fn a_loop() {
    rounds("loop", LOOP, |output, status| assert_eq!((output, status), ("40399\n", Some(7))));
}

#[test]
fn threads_keep_their_order() {
    rounds("threads", THREADS, |output, status| {
        assert!(output.trim_end().parse::<u32>().is_ok(), "{output}");
        assert_eq!(status, Some(0));
    });
}

#[test]
fn asynchronous_signals_arrive_at_the_same_instruction() {
    rounds("signals", SIGNALS, |output, status| {
        assert!(output.contains(" spins "), "{output}");
        assert_eq!(status, Some(3));
    });
}

#[test]
fn processes() {
    let expected = "child forked\nstatus 5\nchild vforked\nstatus 5\n";
    rounds("processes", FORK_EXEC, |output, status| assert_eq!((output, status), (expected, Some(4))));
}

#[test]
fn a_crash() {
    const SIGSEGV: i32 = 11;
    rounds("crash", CRASH, |output, status| assert_eq!((output, status), ("before\n", Some(128 + SIGSEGV))));
}

#[test]
fn stepping_does_not_show() {
    let expected = "flags 0 0, pending 1, handled 1 then 2, handler kept 1\n";
    rounds("traps", TRAPS, |output, status| assert_eq!((output, status), (expected, Some(0))));
}

const STEPPED: &[(&str, &str)] = &[("RETROGRADE_SOFT_MODE", "step")];
const CACHED: &[(&str, &str)] = &[("RETROGRADE_SOFT_STORE", "0")];
const BY_BRANCH: &[(&str, &str)] = &[("RETROGRADE_SOFT_STORE", "0"), ("RETROGRADE_SOFT_MODE", "branch")];

/// Stepping and the code cache are two ways to count the same thing: a recording made by either replays by the other,
/// and rr compares the ticks and registers at each event.
#[test]
fn stepping_and_the_cache_count_the_same() {
    let bench = Bench::new();
    for (name, source) in [("loop", LOOP), ("traps", TRAPS), ("processes", FORK_EXEC)] {
        let program = bench.compile(name, source);
        let stepped = bench.cross(&program, &[], STEPPED, CACHED);
        let cached = bench.cross(&program, &[], CACHED, STEPPED);
        assert_eq!(statistic(&stepped.recorded, "entries"), 0);
        assert_eq!(statistic(&cached.replayed, "entries"), 0);
        for output in [&cached.recorded, &stepped.replayed] {
            assert!(statistic(output, "ticks") > 1000, "{}", errors(output));
            assert!(statistic(output, "steps") < statistic(output, "ticks") / 4, "{}", errors(output));
        }
    }
}

/// So are counting branches where blocks are left and one by one: wherever slices end and signals arrive, and whatever
/// becomes of the branches that a thread is lent at a time.
#[test]
fn where_branches_are_counted_does_not_matter() {
    const FEW: &[(&str, &str)] = &[("RETROGRADE_SOFT_STORE", "0"), ("RETROGRADE_SOFT_LEND", "60")];
    const FEWEST: &[(&str, &str)] = &[("RETROGRADE_SOFT_STORE", "0"), ("RETROGRADE_SOFT_LEND", "9")];
    let bench = Bench::new();
    let programs =
        [("loop", LOOP), ("threads", THREADS), ("signals", SIGNALS), ("processes", FORK_EXEC), ("traps", TRAPS)];
    for (name, source) in programs {
        let program = bench.compile(name, source);
        for arguments in SLICES {
            for (recorder, replayer) in
                [(BY_BRANCH, CACHED), (CACHED, BY_BRANCH), (BY_BRANCH, FEW), (FEWEST, BY_BRANCH)]
            {
                let crossed = bench.cross(&program, arguments, recorder, replayer);
                for (output, switches) in [(&crossed.recorded, recorder), (&crossed.replayed, replayer)] {
                    let spent = statistic(output, "spent_exits") > 0;
                    if switches != CACHED {
                        assert_eq!(spent, switches != BY_BRANCH, "{}", errors(output));
                    }
                }
            }
        }
    }
}

/// What a program prints and where it is interrupted does not depend on how its translations came to be, and the cases
/// that are rare otherwise do occur here.
#[test]
fn overflows_flushes_and_small_batches() {
    // Room for a few thousand bytes of translations.
    const SMALL: &[(&str, &str)] = &[("RETROGRADE_SOFT_REGION", "1200000"), ("RETROGRADE_SOFT_STORE", "0")];
    const SINGLE: &[(&str, &str)] = &[("RETROGRADE_SOFT_BATCH", "1"), ("RETROGRADE_SOFT_STORE", "0")];
    // A replayer that is to stop after so many ticks has the counter interrupt it only if they are more than twice its
    // skid, which is up to 10,000, by the processor; it steps through fewer.
    const SLICE: &[&str] = &["-c", "45000"];
    let bench = Bench::new();
    // How long a thread runs between two events depends on who holds the lock when a slice ends. Before it takes the
    // lock for the first time it makes no call, for longer than a slice.
    const ALONE: &str = "for (volatile int i = 0; i < 100000; i++);";
    let source = THREADS.replace("i < 20", "i < 9000").replace("(void *id) {", &format!("(void *id) {{ {ALONE}"));
    assert!(source.contains(ALONE));
    let program = bench.compile("threads", &source);
    for (recorder, replayer) in [(SMALL, SINGLE), (SINGLE, SMALL)] {
        let crossed = bench.cross(&program, SLICE, recorder, replayer);
        for (output, switches) in [(&crossed.recorded, recorder), (&crossed.replayed, replayer)] {
            assert_eq!(statistic(output, "flushes") > 0, switches == SMALL, "{}", errors(output));
            assert!(statistic(output, "overflow_exits") > 0, "{}", errors(output));
        }
    }
}

/// A system call that is recorded is made from the cache, without a stop of its own before.
#[test]
fn system_calls_are_made_from_the_cache() {
    let bench = Bench::new();
    let crossed = bench.cross(&bench.compile("loop", LOOP), &[], CACHED, CACHED);
    let [calls, exits] = ["calls", "native_exits"].map(|name| statistic(&crossed.recorded, name));
    assert!(calls > 10 && calls * 10 > exits * 9, "{}", errors(&crossed.recorded));
}

/// Calls that rr buffers are made without a stop, also if the program has a filter; and a call that the filter denies
/// changes no count.
#[test]
fn buffered_system_calls_make_no_stop() {
    const CALLS: &str = r#"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv) {
    (void)argv;
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 77),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof *code, code};
    long sum = syscall(SYS_getppid) > 0;
    if (FILTERED && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))) return 1;
    sum += syscall(SYS_getppid) > 0;
    for (int i = 0; i < 3000; i++) sum += syscall(SYS_getuid) == (long)getuid();
    int ends[2];
    printf("%ld %d\n", sum, pipe(ends));
    return 0;
}
"#;
    let bench = Bench::new();
    for (name, filtered) in [("free", "0"), ("filtered", "1")] {
        let program = bench.compile_with(name, &CALLS.replace("FILTERED", filtered), &[]);
        let crossed = bench.cross(&program, &[], CACHED, CACHED);
        let expected = if filtered == "0" { "3002 0\n" } else { "3001 0\n" };
        assert_eq!(text(&crossed.recorded.stdout), expected);
        for output in [&crossed.recorded, &crossed.replayed] {
            assert!(statistic(output, "driven") < 1000, "{}", errors(output));
        }
    }
}

/// rr replaces `rdtsc` by a call of its library, which makes two system calls for it.
#[test]
fn rdtsc_makes_no_stop() {
    const TIMES: &str = r#"
#include <stdio.h>
#include <x86intrin.h>
int main(void) {
    int later = 0;
    unsigned long before = 0;
    for (int i = 0; i < 3000; i++) {
        unsigned long now = __rdtsc();
        later += now > before;
        before = now;
    }
    printf("%d\n", later);
    return 0;
}
"#;
    let bench = Bench::new();
    let crossed = bench.cross(&bench.compile_with("times", TIMES, &[]), &[], CACHED, CACHED);
    assert_eq!(text(&crossed.recorded.stdout), "3000\n");
    for output in [&crossed.recorded, &crossed.replayed] {
        assert!(statistic(output, "driven") < 1000, "{}", errors(output));
    }
}

/// A thread that used up the branches lent to it goes on with more, and is stopped where it is with all of them at
/// once.
#[test]
fn branches_are_lent_again() {
    const FEW: &[(&str, &str)] = &[("RETROGRADE_SOFT_LEND", "60")];
    let bench = Bench::new();
    let program = bench.compile("threads", THREADS);
    for (recorder, replayer) in [(FEW, CACHED), (CACHED, FEW)] {
        let crossed = bench.cross(&program, &["-c", "1000"], recorder, replayer);
        for (output, switches) in [(&crossed.recorded, recorder), (&crossed.replayed, replayer)] {
            let many = statistic(output, "spent_exits") > statistic(output, "ticks") / 200;
            assert_eq!(many, switches == FEW, "{}", errors(output));
        }
    }
}

/// The second recording of a program finds what the first one translated, but for what was made on a guess and never
/// run.
#[test]
fn translations_are_kept_between_runs() {
    let bench = Bench::without_a_past();
    let program = bench.compile("loop", LOOP);
    bench.cross(&program, &[], &[], CACHED);
    let hot = bench.cross(&program, &[], &[], CACHED);
    let misses = |output| statistic(output, "direct_exits") + statistic(output, "indirect_exits");
    assert!(misses(&hot.recorded) * 2 < misses(&hot.replayed), "{}", errors(&hot.recorded));
    let [known, guessed] = [&hot.recorded, &hot.replayed].map(|output| statistic(output, "blocks"));
    assert!(known * 4 < guessed * 3, "{known} of {guessed}");
}

/// The environment of a recorded program is what it would be without soft counters.
#[test]
fn the_preload_variable_does_not_reach_the_program() {
    const SHOW: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    const char *preload = getenv("LD_PRELOAD");
    puts(preload && strstr(preload, "soft-counters") ? "leaked" : "clean");
    return 0;
}
"#;
    let bench = Bench::new();
    let program = bench.compile("show", SHOW);
    assert_eq!(bench.round(&program, &[], 0), ("clean\n".to_owned(), Some(0)));
}

/// A recorded rr that detaches itself from the outer one makes a recording of its own.
#[test]
fn an_rr_that_detaches_itself() {
    let bench = Bench::new();
    let program = bench.compile("loop", LOOP);
    for options in [&[] as &[&str], &["-n"]] {
        let [outer, inner] = ["outer", "inner"].map(|name| bench.directory.path().join(name));
        let mut rr = Command::new(&bench.rr);
        rr.env_clear().env("HOME", bench.directory.path()).envs(bench.preload.iter().cloned());
        rr.arg("record")
            .args(options)
            .args(softcounters::record_options(
                Some("1".as_ref()),
                crate::support::recordings::rr().guards_buffered_calls(),
            ))
            .arg("-o")
            .arg(&outer);
        for (name, value) in &bench.preload {
            rr.arg("--env").arg([name.as_os_str(), value.as_os_str()].join(OsStr::new("=")));
        }
        rr.arg(&bench.rr).args(["record", "--nested=detach"]).args(options).arg("-o").args([&inner, &program]);
        let recorded = rr.output().expect("rr runs");
        assert_sound(&recorded, "record");
        let ended = (text(&recorded.stdout), recorded.status.code());
        assert_eq!(ended, ("40399\n".to_owned(), Some(7)), "{}", errors(&recorded));
        for (trace, output) in [(&outer, ""), (&inner, "40399\n")] {
            let replayed = bench.rr("replay", &["-a"], trace, None);
            assert_sound(&replayed, "replay");
            assert_eq!((text(&replayed.stdout).as_str(), replayed.status.code()), (output, Some(0)));
            fs::remove_dir_all(trace).unwrap();
        }
    }
}
