//! Directories are made by hand here: what counts is which files there are.

use super::*;
use std::fs::File;
use tempfile::TempDir;

/// A directory with the files of a finished recording.
fn whole() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("version"), "85\nheader").unwrap();
    for stream in STREAMS {
        fs::write(directory.path().join(stream), "x").unwrap();
    }
    directory
}

fn complaint(directory: &Path) -> String {
    check(directory).unwrap_err().to_string().replace(&directory.display().to_string(), "DIR")
}

#[test]
fn a_whole_recording_has_no_fault() {
    let directory = whole();
    assert!(check(directory.path()).is_ok());
    assert_eq!(state(directory.path()), Some(Completeness::Complete));
}

#[test]
fn each_fault_has_its_own_message() {
    let directory = whole();
    let (path, file) = (directory.path(), |name: &str| directory.path().join(name));

    fs::write(file("tasks"), "").unwrap();
    assert_eq!(complaint(path), "damaged recording `DIR`: its file `tasks` is empty");
    fs::remove_file(file("events")).unwrap();
    assert_eq!(complaint(path), "damaged recording `DIR`: its file `events` is missing");
    fs::write(file("version"), "85\n").unwrap();
    assert_eq!(complaint(path), "damaged recording `DIR`: its file `version` is cut off");
    fs::write(file("version"), "1.2.3\n").unwrap();
    assert_eq!(complaint(path), "not an rr trace: `DIR` has a file `version` that rr did not write");
    fs::write(file("version"), "").unwrap();
    assert_eq!(complaint(path), "not an rr trace: `DIR` has a file `version` that rr did not write");
    fs::remove_file(file("version")).unwrap();
    let missing = "has no file `version`, as each recording has: name the directory that a recording has made";
    assert_eq!(complaint(path), format!("not an rr trace: `DIR` {missing}"));
    fs::write(file("incomplete"), "85\n").unwrap();
    assert_eq!(complaint(path), "incomplete recording: rr ended abnormally while it wrote `DIR`; record again");
}

#[test]
fn a_directory_that_is_no_recording_says_what_to_do() {
    let base = tempfile::tempdir().unwrap();
    let empty = "is empty: nothing was recorded there; name the directory that a recording has made, or record again";
    assert_eq!(complaint(base.path()), format!("not an rr trace: `DIR` {empty}"));
    fs::create_dir(base.path().join("prog-0")).unwrap();
    fs::write(base.path().join("prog-0/version"), "85\nx").unwrap();
    let around = "contains recordings, but is not one: name one of its directories";
    assert_eq!(complaint(base.path()), format!("not an rr trace: `DIR` {around}"));
}

/// A link that leads to itself stands for all that cannot be looked at, which root can make no other way.
#[test]
fn what_cannot_be_looked_at_is_not_called_empty_or_missing() {
    let base = tempfile::tempdir().unwrap();
    let looped = base.path().join("loop");
    std::os::unix::fs::symlink("loop", &looped).unwrap();
    let why = "Too many levels of symbolic links (os error 40)";
    let said = format!("cannot read `{}`: {why}", looped.display());
    assert_eq!(check(&looped).unwrap_err().to_string(), said);
    assert_eq!(resolve_in(Some(&looped), base.path().to_owned()).unwrap_err().to_string(), said);
    let directory = whole();
    fs::remove_file(directory.path().join("mmaps")).unwrap();
    std::os::unix::fs::symlink("mmaps", directory.path().join("mmaps")).unwrap();
    let damaged = format!("damaged recording `DIR`: its file `mmaps` cannot be read: {why}");
    assert_eq!(complaint(directory.path()), damaged);
}

#[test]
fn a_recording_that_is_locked_is_in_progress() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("incomplete");
    fs::write(&path, "").unwrap();
    assert_eq!(state(directory.path()), Some(Completeness::InProgress));
    fs::write(&path, "85\n").unwrap();
    assert_eq!(state(directory.path()), Some(Completeness::Incomplete));
    let file = File::open(&path).unwrap();
    // SAFETY: a plain system call on an open descriptor.
    assert_eq!(unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX) }, 0);
    assert_eq!(state(directory.path()), Some(Completeness::InProgress));
    assert_eq!(complaint(directory.path()), "`DIR` is still being recorded; wait until the program or rr ends");
}

#[test]
fn names_are_numbered_as_rr_does() {
    let base = tempfile::tempdir().unwrap();
    let next = || next_name(base.path(), OsStr::new("./bin/prog"));
    assert_eq!(next(), base.path().join("prog-0"));
    fs::create_dir(base.path().join("prog-0")).unwrap();
    fs::create_dir(base.path().join("prog-1")).unwrap();
    assert_eq!(next(), base.path().join("prog-2"));
}

#[test]
fn the_base_is_chosen_as_rr_does() {
    let home = tempfile::tempdir().unwrap();
    let base = |vars: &[(&str, &Path)]| base_by(|name| vars.iter().find(|v| v.0 == name).map(|v| v.1.into()));
    let at = |path: &str| home.path().join(path);
    let h = ("HOME", home.path());

    assert_eq!(base(&[("_RR_TRACE_DIR", Path::new("/t")), h]), Path::new("/t"));
    assert_eq!(base(&[h]), at(".local/share/rr"));
    fs::create_dir(at(".rr")).unwrap();
    assert_eq!(base(&[h]), at(".rr"));
    fs::create_dir_all(at(".local/share/rr")).unwrap();
    assert_eq!(base(&[h]), at(".local/share/rr"));
    assert_eq!(base(&[h, ("XDG_DATA_HOME", &at("xdg"))]), at(".rr"));
    fs::create_dir_all(at("xdg/rr")).unwrap();
    assert_eq!(base(&[h, ("XDG_DATA_HOME", &at("xdg"))]), at("xdg/rr"));
    assert_eq!(base(&[]), Path::new("/tmp/rr"));
}

#[test]
fn the_latest_is_what_the_link_points_to() {
    let base = tempfile::tempdir().unwrap();
    let path = base.path().canonicalize().unwrap();
    let none = resolve_in(None, path.clone()).unwrap_err();
    assert!(matches!(none, Error::NoLatestTrace(ref b) if *b == path), "{none}");

    for name in ["a-0", "b-0"] {
        fs::create_dir(path.join(name)).unwrap();
        make_latest(&path.join(name)).unwrap();
        assert_eq!(resolve_in(None, path.clone()).unwrap(), path.join(name));
        assert_eq!(latest(&path), Some(path.join(name)));
    }
    assert_eq!(fs::read_dir(&path).unwrap().count(), 3);
}

#[test]
fn a_bare_name_is_found_among_the_recordings() {
    let base = tempfile::tempdir().unwrap();
    let path = base.path().canonicalize().unwrap();
    fs::create_dir(path.join("no-such-program-0")).unwrap();
    fs::write(path.join("file"), "").unwrap();

    let find = |name: &str| resolve_in(Some(Path::new(name)), path.clone());
    assert_eq!(find("no-such-program-0").unwrap(), path.join("no-such-program-0"));
    assert!(matches!(find("no-such-program-1"), Err(Error::NoSuchTrace { .. })));
    assert!(matches!(find("./no-such-program-0"), Err(Error::NoSuchTrace { .. })));
    let file = path.join("file");
    assert!(matches!(resolve_in(Some(&file), path.clone()), Err(Error::NotATrace { .. })));
}
