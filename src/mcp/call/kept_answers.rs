//! Answers to questions about recordings, kept beside these: in a directory of the trace, for whoever asks next, in
//! whatever process.
//!
//! An answer is told again if everything is as it was that it depends on: the recording, the question, the directories
//! of separate debug info, and this program itself. What is kept has a checksum and bounds; what is damaged counts for
//! nothing and is made anew. Where nothing can be written, nothing is kept, and nobody is told. `RETROGRADE_ANSWERS=off`
//! has nothing kept and nothing told again.

use crate::mcp::reply::{CachedAnswer, structured};
use questions::{debug_identity, identity_of};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The directory in that of a trace. rr ignores what it does not know; what begins so is ours.
const DIRECTORY: &str = ".retrograde-answers";
/// Set to `off`, it turns this off.
const VARIABLE: &str = "RETROGRADE_ANSWERS";
/// The names of answers end with this.
const SUFFIX: &str = ".answer";
/// What a file begins with; a checksum follows.
const MAGIC: &str = "retrograde-answer 1 ";
/// Most bytes of an answer.
const MOST_BYTES: u64 = 1 << 20;
/// Most bytes of all answers of a recording.
const MOST_TOGETHER: u64 = 32 << 20;
/// Most answers of a recording.
const MOST_ANSWERS: usize = 256;
/// How much of a question is written down as it is, in characters.
const LONGEST: usize = 16 << 10;
/// Most files that are looked at in a directory.
const MOST_FILES: usize = 8192;

/// Tells again what was answered, or answers and keeps it, beside the first of the recordings that it is about.
/// `asked`: the question with all its parameters.
pub(crate) fn kept<T: Serialize + Display, E>(
    traces: &[&Path],
    asked: &str,
    answer: impl FnOnce() -> Result<T, E>,
) -> Result<CachedAnswer<T>, E> {
    let keeping = Keeping::of(traces, asked);
    if let Some(again) = keeping.again() {
        return Ok(again);
    }
    let answer = answer()?;
    keeping.keep(&answer);
    Ok(CachedAnswer::New(answer))
}

/// A question whose answer may be kept.
pub(crate) struct Keeping {
    traces: Vec<PathBuf>,
    asked: String,
    place: Option<Place>,
}

impl Keeping {
    /// Creates one about these recordings, before it is answered. `asked`: the question with all its parameters.
    pub(crate) fn of(traces: &[&Path], asked: &str) -> Self {
        let place = Place::of(traces, asked);
        Self { traces: traces.iter().map(|trace| trace.to_path_buf()).collect(), asked: asked.to_owned(), place }
    }

    /// Returns what was answered, if that is known.
    pub(crate) fn again<T>(&self) -> Option<CachedAnswer<T>> {
        self.place.as_ref().and_then(Place::read).map(|(value, text)| CachedAnswer::Again(value, text))
    }

    /// Keeps an answer.
    pub(crate) fn keep<T: Serialize + Display>(&self, answer: &T) {
        let traces: Vec<&Path> = self.traces.iter().map(PathBuf::as_path).collect();
        // A recording that has changed meanwhile has another key.
        if let (Some(place), Ok(value)) = (&self.place, structured(answer))
            && Place::of(&traces, &self.asked).is_some_and(|now| now.key == place.key)
        {
            place.write(&value, &answer.to_string());
        }
    }
}

/// Where an answer is kept.
struct Place {
    directory: PathBuf,
    /// All that the answer depends on.
    key: String,
}

impl Place {
    fn of(traces: &[&Path], asked: &str) -> Option<Self> {
        if std::env::var_os(VARIABLE).is_some_and(|value| value == "off") {
            return None;
        }
        let mut key = format!("{}\n", own_identity()?);
        let mut directory = None;
        for trace in traces {
            let trace = rr::resolve_trace(Some(trace)).ok()?.canonicalize().ok()?;
            key += &format!("{}\n{}\n", identity_of(&trace)?, debug_identity(&trace));
            directory.get_or_insert_with(|| trace.join(DIRECTORY));
        }
        // Of what was in memory, a question may say much.
        match asked.char_indices().nth(LONGEST) {
            None => key += asked,
            Some((end, _)) => {
                let begin = asked.get(..end).unwrap_or_default();
                key +=
                    &format!("{begin} {} {:016x} {:016x}", asked.len(), sum(asked.bytes()), sum(asked.bytes().rev()));
            }
        }
        Some(Self { directory: directory?, key })
    }

    fn file(&self) -> PathBuf {
        // Two sums of the same key: that other keys have both by chance does not matter, since the key is compared.
        let (first, second) = (sum(self.key.bytes()), sum(self.key.bytes().rev()));
        self.directory.join(format!("{first:016x}{second:016x}{SUFFIX}"))
    }

    fn read(&self) -> Option<(Value, String)> {
        let mut content = String::new();
        let mut options = OpenOptions::new();
        // What is no file, as a pipe is, is not waited for.
        let file = options.read(true).custom_flags(NO_LINK | NO_WAIT).open(self.file()).ok()?;
        let about = file.metadata().ok()?;
        if !about.is_file() || about.len() > MOST_BYTES || !is_own(&about) {
            return None;
        }
        file.take(MOST_BYTES).read_to_string(&mut content).ok()?;
        let (head, body) = content.split_once('\n')?;
        let checksum = u64::from_str_radix(head.strip_prefix(MAGIC)?, 16).ok()?;
        if checksum != sum(body.bytes()) {
            return None;
        }
        let mut whole: BTreeMap<String, Value> = serde_json::from_str(body).ok()?;
        let (key, value, text) = (whole.remove("key")?, whole.remove("value")?, whole.remove("text")?);
        let is_it = key.as_str() == Some(self.key.as_str());
        (is_it && value.is_object()).then(|| Some((value, text.as_str()?.to_owned())))?
    }

    /// Keeps an answer, if that can be done.
    fn write(&self, value: &Value, text: &str) {
        let Ok(body) = serde_json::to_string(&json!({ "key": self.key, "value": value, "text": text })) else { return };
        let content = format!("{MAGIC}{:016x}\n{body}", sum(body.bytes()));
        if content.len() as u64 > MOST_BYTES || !self.make_directory() {
            return;
        }
        static SERIAL: AtomicU32 = AtomicU32::new(0);
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let new = self.directory.join(format!("{}-{serial}.new", std::process::id()));
        let write = |file: &mut File| file.write_all(content.as_bytes());
        let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new);
        let is_written = made.and_then(|mut file| write(&mut file)).and_then(|()| fs::rename(&new, self.file()));
        if let Err(error) = is_written {
            tracing::debug!("an answer was not kept: {error}");
            // What was there of that name is another one's, if nothing was made.
            let _ = fs::remove_file(&new);
        }
        self.make_room();
    }

    fn make_directory(&self) -> bool {
        let _ = DirBuilder::new().mode(0o700).create(&self.directory);
        // It must be one itself: what is removed here is elsewhere somebody's.
        fs::symlink_metadata(&self.directory).is_ok_and(|about| about.is_dir())
    }

    /// Removes the oldest answers, if there are too many.
    fn make_room(&self) {
        let files = fs::read_dir(&self.directory).into_iter().flatten().flatten().take(MOST_FILES);
        let named = files.filter(|file| {
            let name = file.file_name();
            name.to_str().is_some_and(|name| name.ends_with(SUFFIX) || name.ends_with(".new"))
        });
        let mut all: Vec<(i64, i64, u64, PathBuf)> = named
            .filter_map(|file| {
                let about = fs::symlink_metadata(file.path()).ok().filter(fs::Metadata::is_file)?;
                Some((about.mtime(), about.mtime_nsec(), about.len(), file.path()))
            })
            .collect();
        all.sort_unstable();
        let mut bytes: u64 = all.iter().map(|(_, _, length, _)| length).sum();
        let mut count = all.len();
        for (_, _, length, path) in all {
            if bytes <= MOST_TOGETHER && count <= MOST_ANSWERS {
                break;
            }
            if fs::remove_file(path).is_ok() {
                bytes = bytes.saturating_sub(length);
                count -= 1;
            }
        }
    }
}

/// Flags of `open`: neither follow a link nor wait.
const NO_LINK: i32 = 0o400_000;
const NO_WAIT: i32 = 0o4_000;

/// Returns whether a file is this user's own: what others have written is no answer of ours.
fn is_own(about: &fs::Metadata) -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == about.uid())
}

/// Computes FNV-1a, 64 bits.
fn sum(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Returns what tells this program from another version of it.
fn own_identity() -> Option<&'static str> {
    static OWN: OnceLock<Option<String>> = OnceLock::new();
    let find = || {
        let about = std::env::current_exe().ok()?.metadata().ok()?;
        let version = env!("CARGO_PKG_VERSION");
        Some(format!("{version} {} {}.{}", about.len(), about.mtime(), about.mtime_nsec()))
    };
    OWN.get_or_init(find).as_deref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    /// A trace directory, as far as this looks at it.
    fn trace() -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("version"), "85\n").unwrap();
        fs::write(place.path().join("events"), "what happened").unwrap();
        place
    }

    #[derive(Debug, Serialize)]
    struct Answer(BTreeMap<String, u32>);

    impl Display for Answer {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{:?}", self.0)
        }
    }

    /// Asks; whether it was answered anew, and with which number.
    fn ask(trace: &Path, question: &str, number: u32) -> (bool, u64) {
        let answer = || Ok::<_, ()>(Answer(BTreeMap::from([("number".to_owned(), number)])));
        let kept = kept(&[trace], question, answer).unwrap();
        let is_new = matches!(kept, CachedAnswer::New(_));
        (is_new, serde_json::to_value(&kept).unwrap()["number"].as_u64().unwrap())
    }

    fn only_file(trace: &Path) -> PathBuf {
        let mut files = fs::read_dir(trace.join(DIRECTORY)).unwrap();
        let file = files.next().unwrap().unwrap().path();
        assert!(files.next().is_none());
        file
    }

    #[test]
    fn the_same_question_has_the_same_answer_until_the_recording_changes() {
        let place = trace();
        let trace = place.path();
        assert_eq!((ask(trace, "a", 1), ask(trace, "a", 2), ask(trace, "b", 3)), ((true, 1), (false, 1), (true, 3)));
        fs::write(trace.join("events"), "what else happened").unwrap();
        assert_eq!((ask(trace, "a", 4), ask(trace, "a", 5)), ((true, 4), (false, 4)));
        // One that has no end yet has no answers.
        fs::remove_file(trace.join("version")).unwrap();
        assert_eq!((ask(trace, "c", 6), ask(trace, "c", 7)), ((true, 6), (true, 7)));
        assert_eq!(kept(&[trace], "d", || Err::<Answer, _>("why")).unwrap_err(), "why");
    }

    #[test]
    fn answers_that_come_with_a_recording_are_not_told() {
        let place = trace();
        ask(place.path(), "a", 1);
        // A copy that has the times, the lengths and the answers of the first, at the place where it was.
        let aside = tempfile::tempdir().unwrap();
        let away = aside.path().join("away");
        fs::rename(place.path(), &away).unwrap();
        let mut copy = std::process::Command::new("cp");
        assert!(copy.arg("-a").arg(&away).arg(place.path()).status().unwrap().success());
        assert_eq!(ask(place.path(), "a", 2), (true, 2));
        // The first one was only moved.
        fs::remove_dir_all(place.path()).unwrap();
        fs::rename(&away, place.path()).unwrap();
        assert_eq!(ask(place.path(), "a", 3), (false, 1));
    }

    #[test]
    fn what_is_damaged_is_made_anew() {
        let place = trace();
        let trace = place.path();
        ask(trace, "a", 1);
        let file = only_file(trace);
        let whole = fs::read(&file).unwrap();
        for at in (0..whole.len()).step_by(7) {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&file, &damaged).unwrap();
            assert_eq!((ask(trace, "a", 2), ask(trace, "a", 3)), ((true, 2), (false, 2)), "byte {at}");
            fs::write(&file, &whole[..at]).unwrap();
            assert_eq!(ask(trace, "a", 2), (true, 2), "only {at} bytes");
        }
        fs::write(&file, vec![b'x'; MOST_BYTES as usize + 1]).unwrap();
        assert_eq!(ask(trace, "a", 4), (true, 4));
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert_eq!((ask(trace, "a", 5), ask(trace, "a", 6)), ((true, 5), (true, 6)));
    }

    #[test]
    fn answers_are_bounded_and_the_oldest_go_first() {
        let place = trace();
        let trace = place.path();
        for number in 0..MOST_ANSWERS as u32 + 5 {
            ask(trace, &number.to_string(), number);
        }
        let count = || fs::read_dir(trace.join(DIRECTORY)).unwrap().count();
        assert_eq!(count(), MOST_ANSWERS);
        assert!(!ask(trace, &(MOST_ANSWERS + 4).to_string(), 0).0);
        // What is too large is not kept.
        let large = || Ok::<_, ()>("x".repeat(MOST_BYTES as usize));
        assert!(matches!(kept(&[trace], "large", large), Ok(CachedAnswer::New(_))));
        assert_eq!(count(), MOST_ANSWERS);
    }

    #[test]
    fn where_nothing_can_be_written_nothing_is_kept() {
        let (place, elsewhere) = (trace(), tempfile::tempdir().unwrap());
        let trace = place.path();
        // A link leads elsewhere, where nothing is touched.
        let other = elsewhere.path().join(format!("somebody's{SUFFIX}"));
        fs::write(&other, "").unwrap();
        symlink(elsewhere.path(), trace.join(DIRECTORY)).unwrap();
        assert_eq!((ask(trace, "a", 1), ask(trace, "a", 2)), ((true, 1), (true, 2)));
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
        fs::remove_file(trace.join(DIRECTORY)).unwrap();
        fs::write(trace.join(DIRECTORY), "a file").unwrap();
        assert_eq!((ask(trace, "a", 3), ask(trace, "a", 4)), ((true, 3), (true, 4)));
        fs::remove_file(trace.join(DIRECTORY)).unwrap();
        // Root may write everywhere.
        fs::set_permissions(trace, fs::Permissions::from_mode(0o500)).unwrap();
        let can_write = fs::write(trace.join("probe"), "").is_ok();
        assert_eq!((ask(trace, "a", 5).0, ask(trace, "a", 6).0), (true, !can_write));
        fs::set_permissions(trace, fs::Permissions::from_mode(0o700)).unwrap();
    }
}
