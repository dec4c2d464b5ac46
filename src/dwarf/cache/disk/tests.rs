use super::*;
use proptest::prelude::*;
use std::os::unix::fs::PermissionsExt;
use std::sync::Barrier;

fn cache(directory: &Path) -> Cache {
    Cache::at(&directory.join("cache"), 1 << 20, 0)
}

fn key(name: &str) -> Key {
    Key { name: name.to_owned(), source: b"made of this".to_vec() }
}

fn path(directory: &Path, name: &str) -> PathBuf {
    directory.join("cache").join(name)
}

/// Replaces the bytes of an entry as a failing disk does: its times stay.
fn replace(path: &Path, bytes: &[u8]) {
    let modified = std::fs::metadata(path).unwrap().modified().unwrap();
    std::fs::write(path, bytes).unwrap();
    File::options().write(true).open(path).unwrap().set_times(FileTimes::new().set_modified(modified)).unwrap();
}

fn used(path: &Path, seconds: u64) {
    let times = FileTimes::new().set_accessed(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
    File::open(path).unwrap().set_times(times).unwrap();
}

#[test]
fn an_entry_is_found_by_its_key_only() {
    let directory = tempfile::tempdir().unwrap();
    let cache = cache(directory.path());
    assert!(cache.get(&key("a"), true).is_none());
    assert_eq!(*cache.put(&key("a"), b"contents").unwrap(), *b"contents");
    assert_eq!(*cache.get(&key("a"), true).unwrap(), *b"contents");
    assert!(cache.get(&key("b"), true).is_none());
    assert!(cache.get(&Key { source: b"made of that".to_vec(), ..key("a") }, true).is_none());
    // Of another name, as it would be after a collision.
    std::fs::rename(path(directory.path(), "a"), path(directory.path(), "b")).unwrap();
    assert!(cache.get(&key("b"), true).is_none());
}

#[test]
fn an_entry_written_in_pieces_is_one_written_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let cache = cache(directory.path());
    let contents: Vec<u8> = (0..100_000u32).map(|i| (i % 251) as u8).collect();
    let mut writer = cache.begin(&key("a"), true).unwrap();
    contents.chunks(777).for_each(|piece| writer.write(piece).unwrap());
    writer.finish().unwrap();
    assert_eq!(*cache.get(&key("a"), true).unwrap(), *contents);
    cache.get(&key("a"), true).unwrap().forget(0..contents.len());
    assert_eq!(*cache.get(&key("a"), true).unwrap(), *contents);
}

#[test]
fn an_entry_that_was_written_to_or_is_of_another_version_counts_as_absent() {
    let directory = tempfile::tempdir().unwrap();
    let cache = cache(directory.path());
    let path = path(directory.path(), "a");
    let sound = || {
        cache.put(&key("a"), &[7; 5000]).unwrap();
        std::fs::read(&path).unwrap()
    };
    // Also without a look at the contents.
    let is_there = || cache.get(&key("a"), false).is_some();
    let bytes = sound();
    assert!(is_there());
    std::fs::write(&path, &bytes).unwrap();
    assert!(!is_there(), "written to");
    for length in [0, 1, HEADER - 1, HEADER, 4096, bytes.len() - 1] {
        sound();
        replace(&path, &bytes[..length]);
        assert!(!is_there(), "cut to {length} bytes");
    }
    sound();
    replace(&path, &[&bytes[..], b"x"].concat());
    assert!(!is_there(), "longer");
    let mut other = sound();
    other[7] = b'2';
    replace(&path, &other);
    assert!(!is_there(), "another version");
    sound();
    assert!(is_there());
}

#[test]
fn what_is_not_finished_leaves_nothing_behind() {
    let directory = tempfile::tempdir().unwrap();
    let cache = cache(directory.path());
    let mut writer = cache.create(&key("a")).unwrap();
    writer.write(b"half").unwrap();
    drop(writer);
    let mut writer = cache.create(&key("a")).unwrap();
    assert!(writer.write(&vec![0; 1 << 21]).is_err(), "more than all entries may take");
    drop(writer);
    assert_eq!(std::fs::read_dir(directory.path().join("cache")).unwrap().count(), 0);
}

#[test]
fn the_least_recently_used_entries_go_first() {
    let directory = tempfile::tempdir().unwrap();
    let cache = cache(directory.path());
    for (name, seconds) in [("a", 30), ("b", 10), ("c", 20)] {
        cache.put(&key(name), &[0; 300_000]).unwrap();
        used(&path(directory.path(), name), seconds);
    }
    // To be used is to be found.
    cache.get(&key("b"), true).unwrap();
    cache.put(&key("d"), &[0; 300_000]).unwrap();
    let there = ["a", "b", "c", "d"].map(|name| cache.get(&key(name), true).is_some());
    assert_eq!(there, [true, true, false, true]);
}

#[test]
fn files_that_somebody_did_not_finish_go_after_a_day() {
    let directory = tempfile::tempdir().unwrap();
    let cache = cache(directory.path());
    cache.put(&key("a"), b"contents").unwrap();
    let [old, young] = [".b.1.0", ".c.1.0"].map(|name| path(directory.path(), name));
    for path in [&old, &young] {
        std::fs::write(path, b"half").unwrap();
    }
    let long_ago = FileTimes::new().set_modified(SystemTime::now() - 2 * ABANDONED);
    File::options().write(true).open(&old).unwrap().set_times(long_ago).unwrap();
    cache.put(&key("d"), b"contents").unwrap();
    assert!(!old.exists());
    assert!(young.exists());
}

#[test]
fn writers_at_the_same_time_do_not_disturb_each_other() {
    let directory = tempfile::tempdir().unwrap();
    let cache = cache(directory.path());
    let contents = vec![42; 100_000];
    let start = Barrier::new(8);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                start.wait();
                for _ in 0..20 {
                    assert_eq!(*cache.put(&key("a"), &contents).unwrap(), *contents);
                    assert_eq!(*cache.get(&key("a"), true).unwrap(), *contents);
                }
            });
        }
    });
    assert_eq!(std::fs::read_dir(directory.path().join("cache")).unwrap().count(), 1);
}

#[test]
fn only_its_owner_may_look_into_it_and_what_others_may_write_to_is_not_used() {
    let directory = tempfile::tempdir().unwrap();
    let cache = cache(directory.path());
    cache.put(&key("a"), b"contents").unwrap();
    let made = directory.path().join("cache");
    assert_eq!(std::fs::metadata(&made).unwrap().mode() & 0o777, 0o700);
    assert_eq!(std::fs::metadata(path(directory.path(), "a")).unwrap().mode() & 0o777, 0o600);
    std::fs::set_permissions(&made, PermissionsExt::from_mode(0o777)).unwrap();
    assert!(cache.put(&key("b"), b"contents").is_none());
    assert!(cache.get(&key("a"), true).is_none());
}

#[test]
fn the_environment_says_where_it_is() {
    let directory = |variables: &[(&str, &str)]| {
        let find = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
        Cache::from_environment(find).directory
    };
    let home = ("HOME", "/h");
    assert_eq!(directory(&[home]), Some("/h/.cache/retrograde/debuginfo".into()));
    assert_eq!(directory(&[home, ("XDG_CACHE_HOME", "/c")]), Some("/c/retrograde/debuginfo".into()));
    assert_eq!(directory(&[home, ("XDG_CACHE_HOME", "relative")]), Some("/h/.cache/retrograde/debuginfo".into()));
    assert_eq!(directory(&[home, ("RETROGRADE_CACHE", "on")]), Some("/h/.cache/retrograde/debuginfo".into()));
    assert_eq!(directory(&[home, ("RETROGRADE_CACHE", "off")]), None);
    assert_eq!(directory(&[]), None);
}

proptest! {
    /// Whatever happens to its bytes, even if its times stay: an entry has its contents, or it counts as absent.
    #[test]
    fn a_damaged_entry_counts_as_absent(
        contents in prop::collection::vec(any::<u8>(), 0..200),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        keep in any::<prop::sample::Index>(),
        cut in any::<bool>(),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let cache = cache(directory.path());
        cache.put(&key("a"), &contents).unwrap();
        let path = path(directory.path(), "a");
        let sound = std::fs::read(&path).unwrap();
        let mut bytes = sound.clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if cut {
            bytes.truncate(keep.index(bytes.len()));
        }
        replace(&path, &bytes);
        let found = cache.get(&key("a"), true);
        prop_assert_eq!(found.is_some(), bytes == sound);
    }
}
