//! What tells a recording from another one at the same place, and its debug info from what it was before.

use program::debuginfod::debug_paths;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Most files that are looked at in a directory.
const MOST_FILES: usize = 8192;
/// How the files of a trace begin that say what happened.
const OF_TRACE: [&str; 6] = ["version", "events", "data", "mmaps", "tasks", "generic"];

/// Returns what tells a recording from another one at the same place.
pub fn identity_of(trace: &Path) -> Option<String> {
    let mut files = BTreeMap::new();
    for file in fs::read_dir(trace).ok()?.flatten().take(MOST_FILES) {
        let name = file.file_name();
        let Some(name) = name.to_str().filter(|name| OF_TRACE.iter().any(|kind| name.starts_with(kind))) else {
            continue;
        };
        let about = file.metadata().ok()?;
        // Whoever packs a recording can choose all of a file but when it came here: so nobody can pack answers with it.
        let here = (about.ino(), about.ctime(), about.ctime_nsec());
        files.insert(name.to_owned(), (about.len(), about.mtime(), about.mtime_nsec(), here));
    }
    // One that is being made has no end.
    files.contains_key("version").then_some(())?;
    let mut text = trace.to_string_lossy().into_owned();
    for (name, (length, seconds, nanoseconds, (number, changed, changed_nanoseconds))) in files {
        let _ = write!(text, " {name} {length} {seconds}.{nanoseconds} {number} {changed}.{changed_nanoseconds}");
    }
    Some(text)
}

/// Returns what changes when debug info comes or goes: in the directories for it, and beside the files that were
/// executed.
pub fn debug_identity(trace: &Path) -> String {
    let paths = debug_paths();
    let mut found = Vec::new();
    let mut note = |path: &Path| {
        if let Ok(about) = path.metadata() {
            found.push((path.to_owned(), about.mtime(), about.mtime_nsec()));
        }
    };
    for directory in &paths.directories {
        note(directory);
        let by_id = directory.join(".build-id");
        fs::read_dir(by_id).into_iter().flatten().flatten().take(MOST_FILES).for_each(|entry| note(&entry.path()));
    }
    paths.debuginfod_cache.iter().for_each(|cache| note(cache));
    // Not the directories themselves: others' files come and go there.
    for file in rr::executed_files(trace).unwrap_or_default() {
        let (Some(beside), Some(name)) = (file.parent(), file.file_name().and_then(|name| name.to_str())) else {
            continue;
        };
        let link = format!("{name}.debug");
        note(&beside.join(format!("{name}.dwp")));
        note(&beside.join(&link));
        note(&beside.join(".debug").join(&link));
        let mirrored = beside.strip_prefix("/").unwrap_or(beside);
        paths.directories.iter().for_each(|directory| note(&directory.join(mirrored).join(&link)));
    }
    found.sort_unstable();
    format!("{paths:?} {found:?}")
}
