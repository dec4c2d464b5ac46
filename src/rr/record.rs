//! Recording a program.

use super::child_output::{Drain, Tail};
use super::counters::Counters;
use super::error::Error;
use super::events::{has_ended, survey};
use super::fatal::Fatal;
use super::interpreter;
use super::lock::Lock;
use super::manifest::Manifest;
use super::paths;
use super::process::{Group, Stream, ask, ending, last_words, start_told};
use super::program::Rr;
use super::program_environment;
use super::ps;
use super::record_limits::{Bounds, CutShort};
use super::record_notes;
use super::recordings::size;
use super::self_test::one_line;
use super::signals::signal_name;
use super::trace::{self, Completeness};
use super::underway::{GLANCE, Latest, Underway};
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek as _, Write as _};
use std::os::fd::FromRawFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// How much of each of the program's output streams is kept.
const OUTPUT: usize = 16 << 10;
/// How much of each is read back: what rr says when it gives up comes behind what the program has printed.
const HEARD: usize = 256 << 10;
/// How long the events of a recording may be looked at for what is to be told of it.
const SURVEY: Duration = Duration::from_secs(20);
/// How long to wait for output after rr's end: only a daemon that has left the process group can make us wait.
const LINGER: Duration = Duration::from_millis(500);
/// How often another recording may take the name that we chose before we give up.
const ATTEMPTS: u32 = 100;
/// rr's exit code if it cannot start the program (`EX_UNAVAILABLE`).
const NOT_STARTED: i32 = 69;
/// How long rr may take to look for the last event of a trace.
const COUNTING: Duration = Duration::from_secs(20);

/// Is told what a recorded program prints (and rr, on stderr), as it comes.
pub type Listener = Arc<dyn Fn(Stream, &[u8]) + Send + Sync>;

/// What to record, and how.
#[derive(Clone, Debug, Default)]
pub struct RecordOptions {
    /// The program and its arguments. A program without a slash is looked up on `PATH`.
    pub command: Vec<String>,
    /// Where it runs; `None`: where we run.
    pub working_directory: Option<PathBuf>,
    /// Added to our environment, for the program and what it starts. None of it reaches rr, nor chooses where the
    /// recording is.
    pub env: BTreeMap<String, String>,
    /// A directory that does not exist yet, relative to *our* working directory; `~` is the home directory. `None`:
    /// chosen as rr would.
    pub trace_dir: Option<PathBuf>,
    /// When it has passed, the program is ended by SIGINT, and if need be by SIGTERM and SIGKILL. `None`: no limit.
    pub timeout: Option<Duration>,
    /// When the files of the trace have so many bytes, the program is ended in the same way. What rr has not written
    /// yet comes on top. `None`: no limit.
    pub max_trace_bytes: Option<u64>,
    /// Let rr choose at random which thread runs and for how long, which makes rare interleavings happen.
    pub chaos: bool,
    /// What the program reads on stdin. `None`: nothing.
    pub stdin: Option<Vec<u8>>,
    /// Have each system call stop the program, instead of having rr's buffer make it: slower. Signal handlers then
    /// never run on a stack of rr's.
    pub without_buffer: bool,
    /// Record until all processes have ended, not just the first.
    pub waits_for_all: bool,
}

/// A finished recording.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The new trace directory; it exists and is complete. `None` only if rr had to be killed.
    pub trace_dir: Option<PathBuf>,
    /// The directory of a trace that rr could not finish, because it had to be killed. It cannot be replayed.
    pub incomplete: Option<PathBuf>,
    /// Exit code of the program; 128+n if signal n ended it. `None`: rr gave up before it ended.
    pub exit_code: Option<i32>,
    /// The signal that ended it: `SIGSEGV`.
    pub signal: Option<String>,
    /// The last 16 KiB.
    pub stdout: String,
    /// There was more before.
    pub stdout_truncated: bool,
    /// The last 16 KiB. rr's own warnings are among it, but not what it says when it gives up.
    pub stderr: String,
    /// There was more before.
    pub stderr_truncated: bool,
    /// Why the recording ended before the program did, if so.
    pub cut: Option<CutShort>,
    /// From the start of rr to its end.
    pub duration: Duration,
    /// Bytes in the files of a complete trace.
    pub trace_size: Option<u64>,
    /// The number of the last event of a complete trace, if rr could tell.
    pub events: Option<u64>,
    /// What counted ticks.
    pub counters: Counters,
    /// What went wrong without spoiling the recording, in words.
    pub notes: Vec<String>,
}

impl Rr {
    /// Records a program to its end, or until that is [cancelled](Rr::with_cancel): then the program is ended as if
    /// its time were up.
    ///
    /// # Errors
    /// That the program fails is no error. It is one if rr cannot start it, or fails itself; then no trace is left,
    /// except what rr wrote before it crashed in mid-run.
    pub fn record(&self, options: &RecordOptions) -> Result<Recorded, Error> {
        self.record_heard(options, &(Arc::new(|_, _: &[u8]| ()) as Listener))
    }

    /// Records as [`Self::record`] does, with somebody who is told what the program prints.
    ///
    /// # Errors
    /// As above.
    pub fn record_heard(&self, options: &RecordOptions, listener: &Listener) -> Result<Recorded, Error> {
        self.record_kept(options, listener, None)
    }

    /// Records as [`Self::record_heard`] does. A complete recording that is not to be kept, where that is asked, is
    /// removed at once, and no trace directory told.
    pub(super) fn record_kept(
        &self,
        options: &RecordOptions,
        listener: &Listener,
        is_kept: Option<&dyn Fn(&Recorded) -> bool>,
    ) -> Result<Recorded, Error> {
        let program = options.check()?;
        let mut selection = self.counters()?;
        if let Some(directory) = &options.working_directory {
            fs::read_dir(directory).map_err(Error::io(format!("use working directory `{}`", directory.in_text())))?;
        }
        let place = TraceDestination::choose(options, program)?;
        let latest = match (place.is_ours_to_choose(), is_kept) {
            (false, _) => Latest::Never,
            (true, None) => Latest::WhenBegun,
            (true, Some(_)) => Latest::WhenKept,
        };

        let mut run = self.run_somewhere(options, selection.counters, &place, latest, listener)?;
        if run.is_refusal(selection.counters)
            && let Some(other) = self.after_refusal(one_line(&last_words(&run.stderr.0)))
        {
            run.discard();
            let again = self.run_somewhere(options, other.counters, &place, latest, listener)?;
            if !matches!(again.outcome(), Outcome::RrFailed) {
                self.note_refused_hardware(other.refusal.clone().unwrap_or_default());
                (run, selection) = (again, other);
            }
        }
        let counters = selection.counters;

        let without_buffer = RecordOptions { without_buffer: true, ..options.clone() };
        let first_words = run.fatal().filter(|words| run.rr_gave_up() && words.may_be_the_buffer());
        let mut again = None;
        if let Some(words) = first_words.filter(|_| !options.without_buffer && !self.cancel.is_cancelled()) {
            run.throw_away();
            run = self.run_somewhere(&without_buffer, selection.counters, &place, latest, listener)?;
            again = Some(record_notes::again(&words));
        }

        match run.outcome() {
            Outcome::Recorded => {}
            Outcome::NameTaken => return Err(Error::TraceExists(run.trace().to_owned())),
            Outcome::Killed => return Ok(run.recorded(counters)),
            Outcome::NotStarted => {
                run.discard();
                let program = program.to_owned();
                return Err(Error::ProgramNotStarted { program, reason: last_words(&run.stderr.0) });
            }
            Outcome::RrFailed => {
                run.discard();
                let incomplete = run.trace().is_dir().then(|| run.trace().to_owned());
                let words = last_words(&run.stderr.0);
                return Err(Error::Record { ended: ending(run.status), words, incomplete });
            }
        }
        let mut recorded = run.recorded(counters);
        let trace = run.trace().to_owned();
        if is_kept.is_some_and(|is_kept| !is_kept(&recorded)) {
            fs::remove_dir_all(&trace).map_err(Error::io(format!("remove `{}`", trace.in_text())))?;
            recorded.trace_dir = None;
            return Ok(recorded);
        }
        recorded.trace_size = Some(size(&trace));
        recorded.events = self.last_event(&trace);
        // From here on there is a good recording, whatever else fails.
        let (gave_up, fatal) = (run.rr_gave_up(), run.fatal());
        let survey = survey(&trace, SURVEY, &self.cancel).unwrap_or_default();
        recorded.notes = run.underway.finish((!gave_up).then_some(run.status), recorded.events);
        recorded.notes.extend(again);
        recorded.notes.extend(gave_up.then(|| record_notes::why_it_gave_up(fatal.as_ref(), survey.events)));
        recorded.notes.extend(options.asks_for_musl().then(|| record_notes::of_musl(program)));
        recorded.notes.extend(record_notes::of(&survey, counters, recorded.cut));
        recorded.notes.extend(selection.note());
        recorded.notes.extend(ps::faults_of_children(&trace));
        Ok(recorded)
    }

    /// Runs `rr record` into a directory that it is to make: the next one if the name is taken, where it is ours to
    /// choose.
    fn run_somewhere(
        &self,
        options: &RecordOptions,
        counters: Counters,
        place: &TraceDestination,
        latest: Latest,
        listener: &Listener,
    ) -> Result<Run, Error> {
        let mut attempt = 0;
        loop {
            let run = self.run_record(options, counters, place, latest, listener)?;
            attempt += 1;
            if run.name_is_taken() {
                run.underway.yield_to_another();
            }
            if !(run.name_is_taken() && place.is_ours_to_choose() && attempt < ATTEMPTS) {
                return Ok(run);
            }
        }
    }

    /// Runs `rr record` into a directory that it is to make.
    fn run_record(
        &self,
        options: &RecordOptions,
        counters: Counters,
        place: &TraceDestination,
        latest: Latest,
        listener: &Listener,
    ) -> Result<Run, Error> {
        let failed = || Error::io(format!("run `{} record`", self.program().in_text()));
        let mut command = self.counting_command(counters, "record")?;
        if let Some(directory) = &options.working_directory {
            command.current_dir(directory);
        }
        let naming = place.lock(&self.cancel);
        let trace = place.next();
        if options.chaos {
            command.arg("--chaos");
        }
        program_environment::set(&mut command, &options.env);
        if options.without_buffer || options.asks_for_musl() {
            command.arg(self.option_without_preload());
        }
        if options.waits_for_all {
            command.arg("-w");
        }
        command.arg("-o").arg(&trace).arg("--").args(&options.command);
        let stdin = match &options.stdin {
            Some(text) => text_to_read(text).map_err(Error::io("keep the text for stdin"))?,
            None => Stdio::null(),
        };

        let manifest = Manifest::new(counters, self.version(), options.command.join(" "), SystemTime::now());
        let mut underway = Underway::new(trace.clone(), manifest, latest);
        let (begun, listener) = (Instant::now(), listener.clone());
        let tell = move |stream, new: &[u8]| listener(stream, new);
        let (group, stdout, stderr) = start_told(command, stdin, HEARD, tell).map_err(failed())?;
        let bounds = Bounds::new(options.timeout, options.max_trace_bytes, &trace, &self.cancel);
        wait_until_begun(&group, &mut underway, &bounds);
        drop(naming);
        let (status, cut) = bounds.keep(&group).map_err(failed())?;
        let duration = begun.elapsed();
        let heard = |drain: Drain| drain.finish(LINGER);
        Ok(Run { status, cut, duration, stdout: heard(stdout), stderr: heard(stderr), underway })
    }

    /// Returns the number of the last event of a finished recording, as it was written down when it was made, or as rr
    /// tells.
    pub fn events_of(&self, trace: &Path) -> Option<u64> {
        let written = Manifest::read(trace).ok().flatten().and_then(|manifest| manifest.events);
        written.or_else(|| self.last_event(trace))
    }

    /// Returns the number of the last event of a recording that ends before its program did: rr cannot replay that one.
    /// `None` of any other.
    pub fn last_event_of_cut(&self, trace: &Path) -> Option<u64> {
        has_ended(trace).is_ok_and(|has_ended| !has_ended).then(|| self.events_of(trace))?
    }

    /// Reads the number of the last event of a trace from `rr dump TRACE end`, which reads it through but nothing more.
    /// `None` if that takes too long.
    fn last_event(&self, trace: &Path) -> Option<u64> {
        let mut command = self.plain_command("dump");
        command.arg(trace).arg("end");
        let answer = ask(command, "dump", COUNTING, &self.cancel).ok()?;
        let (_, after) = answer.stdout.rsplit_once("global_time:")?;
        after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    }
}

impl RecordOptions {
    /// Returns whether the program is linked with musl.
    fn asks_for_musl(&self) -> bool {
        let here = self.working_directory.clone().unwrap_or_else(|| PathBuf::from("."));
        let path = self.env.get("PATH").map(OsString::from).or_else(|| std::env::var_os("PATH"));
        let file = self.command.first().and_then(|program| interpreter::file_of(program, &here, path.as_deref()));
        file.is_some_and(|file| interpreter::asks_for_musl(&file))
    }

    /// Checks the options and returns the program; the error is what the system cannot express.
    fn check(&self) -> Result<&str, Error> {
        let bad = |what: String| Err(Error::BadOption(what));
        let program = match self.command.first() {
            Some(program) if !program.is_empty() => program,
            _ => return Err(Error::EmptyCommand),
        };
        if let Some(word) = self.command.iter().find(|word| word.contains('\0')) {
            return bad(format!("the command's word {word:?} contains a NUL"));
        }
        for (name, value) in &self.env {
            if name.is_empty() || name.contains(['=', '\0']) {
                return bad(format!(
                    "{name:?} is not a name for an environment variable: empty, or with `=` or NUL in it"
                ));
            }
            if value.contains('\0') {
                return bad(format!("the value of the environment variable `{name}` contains a NUL"));
            }
        }
        for (name, path) in [("trace directory", &self.trace_dir), ("working directory", &self.working_directory)] {
            if path.as_ref().is_some_and(|path| path.as_os_str().is_empty()) {
                return bad(format!("the {name} is empty; leave it out, or name one"));
            }
        }
        Ok(program)
    }
}

/// Removes what a failed rr left of a trace that has nothing in it, and that nobody is writing: in the place that was
/// meant for ours there may be somebody else's.
fn discard(trace: &Path) {
    let is_finished = matches!(trace::state(trace), Some(Completeness::Complete | Completeness::Incomplete));
    if is_finished && !trace::has_tasks(trace) {
        // What cannot be removed is shown as incomplete by the list of recordings.
        let _ = fs::remove_dir_all(trace);
    }
}

/// Waits until rr has begun and that is written down, or until it has ended or is to be ended.
fn wait_until_begun(group: &Group, underway: &mut Underway, bounds: &Bounds<'_>) {
    let goes_on = || Instant::now() < bounds.deadline && !bounds.cancel.is_cancelled();
    while !underway.has_begun() && goes_on() && matches!(group.wait(Instant::now() + GLANCE), Ok(None)) {}
}

/// Creates a file in memory with this text. (A pipe would have to be written by somebody as long as the program runs.)
fn text_to_read(text: &[u8]) -> io::Result<Stdio> {
    // SAFETY: a plain system call with a string that ends in NUL.
    let descriptor = unsafe { libc::memfd_create(c"stdin".as_ptr(), libc::MFD_CLOEXEC) };
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just made this descriptor, and nobody else has it.
    let mut file = unsafe { File::from_raw_fd(descriptor) };
    file.write_all(text)?;
    file.rewind()?;
    Ok(file.into())
}

/// Where a trace goes.
enum TraceDestination {
    /// Exactly there.
    Given(PathBuf),
    /// To the next free name.
    Chosen { base: PathBuf, program: OsString },
}

impl TraceDestination {
    fn choose(options: &RecordOptions, program: &str) -> Result<Self, Error> {
        let absolute = |path: &Path| std::path::absolute(path).map_err(Error::io("read the working directory"));
        let (place, parent) = match &options.trace_dir {
            Some(given) => {
                // rr would make the directories that `..` leaves, and the path would not be the system's.
                let given = absolute(&paths::at_home(given))?;
                // What the name itself leads to is not looked up: a link there is in the way.
                let given = match (given.parent(), given.file_name()) {
                    (Some(parent), Some(name)) => paths::real(parent).join(name),
                    _ => paths::real(&given),
                };
                if given.symlink_metadata().is_ok() {
                    return Err(Error::TraceExists(given));
                }
                let parent = given.parent().map(Path::to_owned).unwrap_or_default();
                (Self::Given(given), parent)
            }
            None => {
                let base = absolute(&trace::trace_base())?;
                (Self::Chosen { base: base.clone(), program: program.into() }, base)
            }
        };
        fs::create_dir_all(&parent).map_err(Error::io(format!("create `{}`", parent.in_text())))?;
        Ok(place)
    }

    fn next(&self) -> PathBuf {
        match self {
            Self::Given(path) => path.clone(),
            Self::Chosen { base, program } => trace::next_name(base, program),
        }
    }

    /// Keeps other recorders of ours from choosing a name until this one's directory is made. rr itself refuses a name
    /// that is taken, so that without a lock nothing is lost but an attempt.
    fn lock(&self, cancel: &Cancel) -> Option<Lock> {
        match self {
            Self::Given(_) => None,
            Self::Chosen { base, .. } => Lock::of_names(base, cancel).ok().flatten(),
        }
    }

    fn is_ours_to_choose(&self) -> bool {
        matches!(self, Self::Chosen { .. })
    }
}

/// What became of an `rr record`.
enum Outcome {
    /// There is a complete trace.
    Recorded,
    /// Another recording made the directory after we had looked.
    NameTaken,
    /// rr did not finish when it was asked to, and was killed.
    Killed,
    /// There is no such program, or it cannot be executed.
    NotStarted,
    /// rr itself is to blame.
    RrFailed,
}

/// One `rr record` that has ended.
struct Run {
    underway: Underway,
    status: ExitStatus,
    cut: Option<CutShort>,
    duration: Duration,
    stdout: (String, bool),
    stderr: (String, bool),
}

impl Run {
    fn trace(&self) -> &Path {
        self.underway.trace()
    }

    /// Removes what it left, if that is nothing.
    fn discard(&self) {
        discard(self.trace());
        if !self.trace().is_dir() {
            self.underway.withdraw();
        }
    }

    /// Finds out what became of it. rr makes the directory itself, so a complete trace there is new, and proves that rr
    /// is not to blame for the exit status.
    fn outcome(&self) -> Outcome {
        let started = trace::has_tasks(self.trace());
        match trace::state(self.trace()) {
            _ if self.name_is_taken() => Outcome::NameTaken,
            Some(Completeness::Complete) if started => Outcome::Recorded,
            Some(Completeness::Complete) if self.status.code() == Some(NOT_STARTED) => Outcome::NotStarted,
            _ if self.cut.is_some() => Outcome::Killed,
            _ => Outcome::RrFailed,
        }
    }

    /// Returns whether rr has ended by itself before it started anything, and hardware was to count.
    fn is_refusal(&self, counters: Counters) -> bool {
        let is_failure = matches!(self.outcome(), Outcome::RrFailed);
        counters == Counters::Hardware && is_failure && self.cut.is_none() && !trace::has_tasks(self.trace())
    }

    /// Returns whether rr found that the directory exists, and touched nothing.
    fn name_is_taken(&self) -> bool {
        let complaint = format!("Trace directory `{}' already exists", self.trace().to_string_lossy());
        !self.status.success() && self.stderr.0.contains(&complaint)
    }

    /// Returns whether rr gave up while the program ran: that program has no end then, and rr's exit status is not the
    /// program's.
    fn rr_gave_up(&self) -> bool {
        let is_recorded = matches!(self.outcome(), Outcome::Recorded) && self.cut.is_none() && !self.status.success();
        is_recorded && has_ended(self.trace()).is_ok_and(|has_ended| !has_ended)
    }

    /// Returns what rr has said of that.
    fn fatal(&self) -> Option<Fatal> {
        Fatal::read(&self.stderr.0)
    }

    /// Removes a recording that is made again.
    fn throw_away(&self) {
        self.underway.withdraw();
        // What cannot be removed makes the next recording fail where its place is given, and is listed otherwise.
        let _ = fs::remove_dir_all(self.trace());
    }

    fn recorded(&self, counters: Counters) -> Recorded {
        let gave_up = self.rr_gave_up();
        let (exit_code, signal) = match program_end(self.status) {
            _ if gave_up => (None, None),
            (code, signal) => (Some(code), signal),
        };
        let stderr = if gave_up { (Fatal::without(&self.stderr.0), self.stderr.1) } else { self.stderr.clone() };
        let (stdout, stderr) = (end_of(&self.stdout), end_of(&stderr));
        let complete = matches!(self.outcome(), Outcome::Recorded);
        let trace = self.trace().is_dir().then(|| self.trace().to_owned());
        let (trace_dir, incomplete) = if complete { (trace, None) } else { (None, trace) };
        Recorded {
            trace_dir,
            incomplete,
            exit_code,
            signal: signal.and_then(signal_name),
            stdout: stdout.0,
            stdout_truncated: stdout.1,
            stderr: stderr.0,
            stderr_truncated: stderr.1,
            cut: if gave_up { Some(CutShort::GivenUp) } else { self.cut },
            duration: self.duration,
            trace_size: None,
            events: None,
            counters,
            notes: Vec::new(),
        }
    }
}

/// Returns the end of what was heard, as much as is kept, and whether there was more.
fn end_of((text, is_cut): &(String, bool)) -> (String, bool) {
    let mut tail = Tail::new(OUTPUT);
    tail.push(text.as_bytes());
    (tail.text(), *is_cut || tail.is_cut())
}

/// Returns the program's exit code and the number of the signal that ended it. rr ends itself by the same signal.
fn program_end(status: ExitStatus) -> (i32, Option<i32>) {
    match (status.code(), status.signal()) {
        (Some(code), _) => (code, None),
        (None, Some(signal)) => (128 + signal, Some(signal)),
        (None, None) => (-1, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_told_from_an_exit_code() {
        assert_eq!(program_end(ExitStatus::from_raw(7 << 8)), (7, None));
        assert_eq!(program_end(ExitStatus::from_raw(139 << 8)), (139, None));
        assert_eq!(program_end(ExitStatus::from_raw(libc::SIGSEGV)), (139, Some(libc::SIGSEGV)));
        assert_eq!(program_end(ExitStatus::from_raw(libc::SIGABRT | 0x80)), (134, Some(libc::SIGABRT)));
    }

    #[test]
    fn an_existing_directory_is_refused_before_rr_is_started() {
        let directory = tempfile::tempdir().unwrap();
        let options = RecordOptions { trace_dir: Some(directory.path().into()), ..RecordOptions::default() };
        assert!(matches!(TraceDestination::choose(&options, "p"), Err(Error::TraceExists(_))));
    }

    #[test]
    fn the_programs_environment_does_not_decide_where_its_trace_goes() {
        let directory = tempfile::tempdir().unwrap();
        let elsewhere = directory.path().join("a/b");
        let names = ["_RR_TRACE_DIR", "HOME", "XDG_DATA_HOME"];
        let env = BTreeMap::from(names.map(|name| (name.to_owned(), elsewhere.display().to_string())));
        let place = TraceDestination::choose(&RecordOptions { env, ..RecordOptions::default() }, "bin/prog").unwrap();
        assert!(place.is_ours_to_choose());
        assert_eq!(place.next().parent(), Some(&*std::path::absolute(trace::trace_base()).unwrap()));
        assert!(!elsewhere.exists());
    }

    /// A trace as a dead rr leaves it, with these streams.
    fn abandoned(base: &Path, name: &str, streams: &[&str]) -> PathBuf {
        let trace = base.join(name);
        fs::create_dir(&trace).unwrap();
        fs::write(trace.join("incomplete"), "85\n").unwrap();
        streams.iter().for_each(|stream| fs::write(trace.join(stream), "x").unwrap());
        trace
    }

    fn ended(trace: &Path, signal: i32, cut: Option<CutShort>) -> Run {
        let quiet = || (String::new(), false);
        let (status, duration) = (ExitStatus::from_raw(signal), Duration::from_secs(1));
        let manifest = Manifest::new(Counters::Soft, (5, 10, 0), "prog".to_owned(), SystemTime::now());
        let underway = Underway::new(trace.into(), manifest, Latest::Never);
        Run { underway, status, cut, duration, stdout: quiet(), stderr: quiet() }
    }

    #[test]
    fn what_a_killed_rr_leaves_is_named() {
        let base = tempfile::tempdir().unwrap();
        let trace = abandoned(base.path(), "prog-0", &["tasks", "events"]);
        let run = ended(&trace, libc::SIGKILL, Some(CutShort::Time));
        assert!(matches!(run.outcome(), Outcome::Killed));
        let recorded = run.recorded(Counters::Soft);
        assert_eq!((recorded.trace_dir, recorded.incomplete), (None, Some(trace)));
        let recorded =
            ended(&base.path().join("never-made"), libc::SIGKILL, Some(CutShort::Time)).recorded(Counters::Soft);
        assert_eq!((recorded.trace_dir, recorded.incomplete), (None, None));
    }

    #[test]
    fn a_failure_names_what_it_leaves() {
        let left = |incomplete| {
            let (ended, words) = ("SIGABRT".to_owned(), "why".to_owned());
            Error::Record { ended, words, incomplete }.to_string()
        };
        assert_eq!(left(None), "rr failed to record (SIGABRT): why");
        let named = "rr failed to record (SIGABRT): why; the recording in `/t/prog-0` cannot be replayed";
        assert_eq!(left(Some("/t/prog-0".into())), named);
    }

    #[test]
    fn only_what_nobody_writes_and_nobody_misses_is_discarded() {
        let base = tempfile::tempdir().unwrap();
        let (empty, used) = (abandoned(base.path(), "empty", &[]), abandoned(base.path(), "used", &["tasks"]));
        // Another rr has just taken the name: it has made the directory, and goes on to fill it.
        let fresh = base.path().join("fresh");
        fs::create_dir(&fresh).unwrap();
        let written = abandoned(base.path(), "written", &[]);
        let _writer = Lock::take(&written.join("incomplete")).unwrap();
        for trace in [&empty, &used, &fresh, &written] {
            discard(trace);
        }
        assert_eq!([&empty, &used, &fresh, &written].map(|trace| trace.is_dir()), [false, true, true, true]);
    }

    #[test]
    fn what_the_system_cannot_express_is_refused_before_rr_is_started() {
        let refusal = |options: RecordOptions| options.check().unwrap_err().to_string();
        let command = || vec!["prog".to_owned()];
        let with_env = |name: &str, value: &str| {
            let env = BTreeMap::from([(name.to_owned(), value.to_owned())]);
            refusal(RecordOptions { command: command(), env, ..RecordOptions::default() })
        };
        for name in ["", "A=B", "A\0"] {
            let expected =
                format!("{name:?} is not a name for an environment variable: empty, or with `=` or NUL in it");
            assert_eq!(with_env(name, "x"), expected);
        }
        assert_eq!(with_env("A", "x\0"), "the value of the environment variable `A` contains a NUL");
        let trace_dir = Some(PathBuf::new());
        let said = refusal(RecordOptions { command: command(), trace_dir, ..RecordOptions::default() });
        assert_eq!(said, "the trace directory is empty; leave it out, or name one");
        let working_directory = Some(PathBuf::new());
        let said = refusal(RecordOptions { command: command(), working_directory, ..RecordOptions::default() });
        assert_eq!(said, "the working directory is empty; leave it out, or name one");
        let said = refusal(RecordOptions { command: vec!["prog".into(), "a\0b".into()], ..RecordOptions::default() });
        assert_eq!(said, "the command's word \"a\\0b\" contains a NUL");
        let empty = RecordOptions { command: vec![String::new()], ..RecordOptions::default() };
        assert!(matches!(empty.check(), Err(Error::EmptyCommand)));
    }
}
