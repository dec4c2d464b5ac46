//! What is written down of a recording as soon as rr has begun it, so that it is found while it is made, and known for
//! what it is if its recorder is killed.

use super::manifest::Manifest;
use super::trace;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

/// How often to look whether rr has begun.
pub(super) const GLANCE: Duration = Duration::from_millis(1);

/// When a recording becomes the latest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Latest {
    /// Not at all: its place was given, and rr does not make such a one the latest either.
    Never,
    /// When it begins, as with rr: what was started last wins.
    WhenBegun,
    /// When it has ended: until then it may be thrown away.
    WhenKept,
}

/// A recording that rr was told to make in a directory that did not exist.
#[derive(Debug)]
pub(super) struct Underway {
    trace: PathBuf,
    manifest: Manifest,
    latest: Latest,
    begun: Option<Begun>,
}

/// What was done when it began.
#[derive(Debug, Default)]
struct Begun {
    /// The manifest is in the directory, and is ours.
    described: bool,
    /// The link points, or pointed, to it.
    linked: bool,
    /// What the link said before.
    before: Option<PathBuf>,
}

impl Underway {
    /// Creates an `Underway` of which nothing is written down yet. The manifest is without an end.
    pub(super) fn new(trace: PathBuf, manifest: Manifest, latest: Latest) -> Self {
        Self { trace, manifest, latest, begun: None }
    }

    /// Returns where it is made.
    pub(super) fn trace(&self) -> &Path {
        &self.trace
    }

    /// Returns whether rr has begun it, and writes that down when it is seen first. What fails is tried again at the
    /// end, and told then.
    pub(super) fn has_begun(&mut self) -> bool {
        if self.begun.is_none() && is_begun(&self.trace) {
            // Where there is one already, another recorder has taken the name, and our rr will be refused.
            let is_free = Manifest::read(&self.trace).is_ok_and(|found| found.is_none());
            let described = is_free && self.manifest.write(&self.trace).is_ok();
            let mut begun = Begun { described, ..Begun::default() };
            if is_free && self.latest == Latest::WhenBegun {
                begun.before = trace::latest_name(&self.trace);
                begun.linked = trace::make_latest(&self.trace).is_ok();
            }
            self.begun = Some(begun);
        }
        self.begun.is_some()
    }

    /// Writes down how the program ended; `None`: rr gave up before. What fails is said, and lost is only what the
    /// failure is about.
    pub(super) fn finish(mut self, status: Option<ExitStatus>, events: Option<u64>) -> Vec<String> {
        // It may have ended before anybody looked.
        self.has_begun();
        self.manifest.end(status, events);
        let mut notes = Vec::new();
        if let Err(error) = self.manifest.write(&self.trace) {
            let counters = self.manifest.counters.description();
            notes.push(format!(
                "{error}; so it is not remembered that this was recorded with {counters}, and replaying it takes \
                 whatever counters are chosen then"
            ));
        }
        // A link that was made is left alone: what has begun since is the latest.
        let linked = self.begun.is_some_and(|begun| begun.linked);
        if self.latest != Latest::Never
            && !linked
            && let Err(error) = trace::make_latest(&self.trace)
        {
            notes.push(format!("{error}; so a replay without a trace directory means an older recording"));
        }
        notes
    }

    /// Takes back that it is the latest: nothing was recorded.
    pub(super) fn withdraw(&self) {
        if let Some(begun) = self.begun.as_ref().filter(|begun| begun.linked) {
            trace::unmake_latest(&self.trace, begun.before.as_deref());
        }
    }

    /// Takes back all: another rr was faster and records into this directory, and ours has touched nothing.
    pub(super) fn yield_to_another(&self) {
        self.withdraw();
        if self.begun.as_ref().is_some_and(|begun| begun.described) {
            self.manifest.remove(&self.trace);
        }
    }
}

/// Returns whether rr is so far that nothing keeps it from recording: it has locked the trace and written to it.
fn is_begun(trace: &Path) -> bool {
    let has_content = |name| fs::metadata(trace.join(name)).is_ok_and(|file| file.len() > 0);
    has_content("incomplete") || has_content("version")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counters::Counters;
    use std::os::unix::process::ExitStatusExt;
    use std::time::SystemTime;

    /// A directory as rr has it while it records.
    fn made(base: &Path, name: &str) -> PathBuf {
        let trace = base.join(name);
        fs::create_dir(&trace).unwrap();
        fs::write(trace.join("incomplete"), "85\n").unwrap();
        trace
    }

    fn underway(trace: &Path, latest: Latest) -> Underway {
        let manifest = Manifest::new(Counters::Soft, (5, 10, 0), "prog".to_owned(), SystemTime::now());
        Underway::new(trace.to_owned(), manifest, latest)
    }

    fn exit_code(trace: &Path) -> Option<i32> {
        Manifest::read(trace).unwrap().unwrap().exit_code
    }

    #[test]
    fn it_is_found_and_known_before_it_ends() {
        let base = tempfile::tempdir().unwrap();
        let trace = base.path().join("prog-0");
        let mut recording = underway(&trace, Latest::WhenBegun);
        assert!(!recording.has_begun());
        fs::create_dir(&trace).unwrap();
        fs::write(trace.join("incomplete"), "").unwrap();
        assert!(!recording.has_begun(), "rr is about to lock it");
        assert_eq!((fs::read_dir(&trace).unwrap().count(), trace::latest(base.path())), (1, None));
        fs::write(trace.join("incomplete"), "85\n").unwrap();
        assert!(recording.has_begun());
        assert_eq!(fs::read_link(base.path().join("latest-trace")).unwrap(), Path::new("prog-0"));
        let found = Manifest::read(&trace).unwrap().unwrap();
        assert_eq!((found.counters, found.command.as_deref(), found.exit_code), (Counters::Soft, Some("prog"), None));
        assert_eq!(recording.finish(Some(ExitStatus::from_raw(3 << 8)), Some(9)), [""; 0]);
        let found = Manifest::read(&trace).unwrap().unwrap();
        assert_eq!((found.exit_code, found.events), (Some(3), Some(9)));
    }

    #[test]
    fn what_was_started_last_is_the_latest_whatever_ends_last() {
        let base = tempfile::tempdir().unwrap();
        let latest = || fs::read_link(base.path().join("latest-trace")).unwrap();
        let outer_trace = made(base.path(), "outer-0");
        let mut outer = underway(&outer_trace, Latest::WhenBegun);
        assert!(outer.has_begun());
        let inner_trace = made(base.path(), "inner-0");
        let mut inner = underway(&inner_trace, Latest::WhenBegun);
        assert!(inner.has_begun());
        assert_eq!(latest(), Path::new("inner-0"));
        assert_eq!(inner.finish(Some(ExitStatus::from_raw(0)), None), [""; 0]);
        assert_eq!(outer.finish(Some(ExitStatus::from_raw(0)), None), [""; 0]);
        assert_eq!(latest(), Path::new("inner-0"));
    }

    #[test]
    fn one_that_ended_before_anybody_looked_is_written_down_at_its_end() {
        let base = tempfile::tempdir().unwrap();
        let trace = made(base.path(), "prog-0");
        assert_eq!(underway(&trace, Latest::WhenBegun).finish(Some(ExitStatus::from_raw(11)), None), [""; 0]);
        assert_eq!(trace::latest(base.path()), trace.canonicalize().ok());
        assert_eq!(exit_code(&trace), Some(-11));
    }

    #[test]
    fn one_that_may_be_thrown_away_is_the_latest_when_it_is_kept() {
        let base = tempfile::tempdir().unwrap();
        let trace = made(base.path(), "prog-0");
        let mut recording = underway(&trace, Latest::WhenKept);
        assert!(recording.has_begun());
        assert_eq!((exit_code(&trace), trace::latest(base.path())), (None, None));
        assert_eq!(recording.finish(Some(ExitStatus::from_raw(0)), None), [""; 0]);
        assert_eq!((exit_code(&trace), trace::latest(base.path())), (Some(0), trace.canonicalize().ok()));
    }

    #[test]
    fn where_nothing_was_recorded_the_latest_is_what_it_was() {
        let base = tempfile::tempdir().unwrap();
        let link = base.path().join("latest-trace");
        let begin = |name| {
            let mut recording = underway(&made(base.path(), name), Latest::WhenBegun);
            assert!(recording.has_begun());
            recording
        };
        // There was none.
        begin("a").withdraw();
        assert!(fs::read_link(&link).is_err());
        // There was one.
        let (kept, failed) = (begin("b"), begin("c"));
        failed.withdraw();
        assert_eq!(fs::read_link(&link).unwrap(), Path::new("b"));
        // Another one has begun since.
        let later = begin("d");
        kept.withdraw();
        assert_eq!(fs::read_link(&link).unwrap(), Path::new("d"));
        // The one before is gone.
        fs::remove_dir_all(base.path().join("b")).unwrap();
        later.withdraw();
        assert!(fs::symlink_metadata(&link).is_err());
    }

    #[test]
    fn nothing_is_left_in_a_directory_that_another_records_into() {
        let base = tempfile::tempdir().unwrap();
        let trace = made(base.path(), "prog-0");
        let mut recording = underway(&trace, Latest::WhenBegun);
        assert!(recording.has_begun());
        recording.yield_to_another();
        assert_eq!((Manifest::read(&trace).unwrap(), trace::latest(base.path())), (None, None));
        // Another of ours is faster, and describes it itself.
        let mut faster = underway(&trace, Latest::WhenBegun);
        assert!(faster.has_begun());
        let written = Manifest::read(&trace).unwrap();
        let mut slower = underway(&trace, Latest::WhenBegun);
        assert!(slower.has_begun());
        slower.yield_to_another();
        assert_eq!(Manifest::read(&trace).unwrap(), written);
        assert_eq!(trace::latest(base.path()), trace.canonicalize().ok());
    }

    #[test]
    fn what_cannot_be_written_beside_a_good_recording_is_noted() {
        let base = tempfile::tempdir().unwrap();
        let trace = made(base.path(), "prog-0");
        // Directories are in the way of the file and of the link.
        for taken in [trace.join("retrograde"), base.path().join("latest-trace")] {
            fs::create_dir_all(taken.join("x")).unwrap();
        }
        let mut recording = underway(&trace, Latest::WhenBegun);
        assert!(recording.has_begun());
        let notes = recording.finish(Some(ExitStatus::from_raw(0)), None);
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[0].contains("retrograde`") && notes[0].contains("recorded with soft counters"), "{notes:?}");
        assert!(notes[1].contains("latest-trace`"), "{notes:?}");
        let notes = underway(&trace, Latest::Never).finish(Some(ExitStatus::from_raw(0)), None);
        assert_eq!(notes.len(), 1, "the link is rr's own business");
    }
}
