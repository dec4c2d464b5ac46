//! What the parts promise, without rr.

mod cache;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::time::{Duration, SystemTime};

use object::{Object, ObjectSymbol};

use super::*;

#[test]
fn environment_keeps_what_was_preloaded_before() {
    let object = Path::new("/cache/ours.so");
    let expected = |value: &str| vec![(OsString::from("LD_PRELOAD"), OsString::from(value))];
    assert_eq!(environment(object, None), expected("/cache/ours.so"));
    assert_eq!(environment(object, Some(OsString::new())), expected("/cache/ours.so"));
    assert_eq!(environment(object, Some(OsString::from("a.so:b.so"))), expected("/cache/ours.so:a.so:b.so"));
}

#[test]
fn the_object_exports_exactly_the_interposed_functions() {
    let file = object::File::parse(OBJECT).expect("the object is an ELF file");
    let exported: BTreeSet<&str> =
        file.dynamic_symbols().filter(|symbol| symbol.is_definition()).map(|symbol| symbol.name().unwrap()).collect();
    let interposed = [
        "close",
        "fcntl",
        "fcntl64",
        "fork",
        "ioctl",
        "poll",
        "ptrace",
        "pwrite",
        "pwrite64",
        "read",
        "setitimer",
        "syscall",
        "waitid",
        "waitpid",
    ];
    assert_eq!(exported, BTreeSet::from(interposed));
    assert_eq!(file.dynamic_symbols().filter(|symbol| symbol.is_definition()).count(), interposed.len());
}

#[test]
fn install_is_private_and_repeatable() {
    let home = tempfile::tempdir().unwrap();
    let directories = [home.path().join("a/b")];
    let path = store::install(b"first", &directories).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"first");
    assert_eq!(fs::metadata(&directories[0]).unwrap().permissions().mode() & 0o777, 0o700);
    let inode = fs::metadata(&path).unwrap().ino();
    assert_eq!(store::install(b"first", &directories).unwrap(), path);
    assert_eq!(fs::metadata(&path).unwrap().ino(), inode);
    let other = store::install(b"second", &directories).unwrap();
    assert_ne!(other, path);
    assert_eq!(fs::read_dir(&directories[0]).unwrap().count(), 2);
}

#[test]
fn tampered_content_is_replaced() {
    let home = tempfile::tempdir().unwrap();
    let directories = [home.path().to_path_buf()];
    let path = store::install(b"content", &directories).unwrap();
    fs::remove_file(&path).unwrap();
    fs::write(&path, b"CONTENT").unwrap();
    assert_eq!(store::install(b"content", &directories).unwrap(), path);
    assert_eq!(fs::read(&path).unwrap(), b"content");
    fs::remove_file(&path).unwrap();
    symlink("/nonexistent", &path).unwrap();
    store::install(b"content", &directories).unwrap();
    assert!(fs::symlink_metadata(&path).unwrap().is_file());
}

#[test]
fn what_a_killed_process_was_writing_is_removed() {
    let home = tempfile::tempdir().unwrap();
    let directories = [home.path().to_path_buf()];
    let path = store::install(b"content", &directories).unwrap();
    let [old, new, kept] = ["1.tmp", "2.tmp", "3.hot"].map(|end| path.with_extension(end));
    for file in [&old, &new, &kept] {
        fs::write(file, "half").unwrap();
    }
    for file in [&old, &kept] {
        let long_ago = SystemTime::now() - Duration::from_secs(2 * 3600);
        fs::File::options().write(true).open(file).unwrap().set_modified(long_ago).unwrap();
    }
    store::install(b"content", &directories).unwrap();
    assert_eq!([&path, &old, &new, &kept].map(|file| file.exists()), [true, false, true, true]);
}

#[test]
fn an_open_directory_is_closed_and_a_link_refused() {
    let home = tempfile::tempdir().unwrap();
    let open = home.path().join("open");
    fs::create_dir(&open).unwrap();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
    store::install(b"x", std::slice::from_ref(&open)).unwrap();
    assert_eq!(fs::metadata(&open).unwrap().permissions().mode() & 0o777, 0o700);
    let link = home.path().join("link");
    symlink(&open, &link).unwrap();
    assert_eq!(store::install(b"x", &[link]).unwrap_err().kind(), io::ErrorKind::NotADirectory);
}

#[test]
fn a_path_the_dynamic_linker_would_split_is_passed_over() {
    let home = tempfile::tempdir().unwrap();
    let spaced = home.path().join("my cache");
    let plain = home.path().join("plain");
    let path = store::install(b"x", &[spaced.clone(), plain.clone()]).unwrap();
    assert_eq!(path.parent().unwrap(), plain);
    let error = store::install(b"x", &[spaced]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
}

#[test]
fn directories_follow_the_environment() {
    let with = |pairs: &'static [(&str, &str)]| {
        store::candidates(move |name| {
            pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(*value))
        })
    };
    assert_eq!(with(&[("XDG_CACHE_HOME", "/x"), ("HOME", "/h")])[0], Path::new("/x/retrograde/soft-counters"));
    assert_eq!(
        with(&[("XDG_CACHE_HOME", "relative"), ("HOME", "/h")])[0],
        Path::new("/h/.cache/retrograde/soft-counters")
    );
    let without = with(&[("TMPDIR", "/t")]);
    assert_eq!(without.len(), 1);
    assert!(without[0].starts_with("/t"));
}

/// The library names the place to people, and the object has it.
#[test]
fn the_code_cache_is_where_the_object_has_it() {
    use shim::cache::layout::{REGION, SIZE};
    assert_eq!(CODE_CACHE, REGION..REGION + SIZE);
}
