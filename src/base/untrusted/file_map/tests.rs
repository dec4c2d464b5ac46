use super::*;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

const PAGE: usize = 4096;
const LENGTH: usize = 8 * PAGE;

/// Makes a file of ones, and maps it.
fn ones() -> (tempfile::NamedTempFile, FileMap) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), vec![1; LENGTH]).unwrap();
    let map = FileMap::of(file.as_file()).unwrap();
    (file, map)
}

#[test]
fn a_file_that_becomes_shorter_reads_as_zeros_and_is_damaged() {
    let (file, map) = ones();
    let (_other, whole) = ones();
    file.as_file().set_len(3 * PAGE as u64).unwrap();
    assert_eq!((map[2 * PAGE], map.is_damaged()), (1, false), "what the file still has is read");
    assert_eq!(map[5 * PAGE], 0);
    assert!(map.is_damaged() && any_is_damaged());
    assert_eq!(map.iter().map(|byte| usize::from(*byte)).sum::<usize>(), 3 * PAGE);
    assert!(!whole.is_damaged() && whole.iter().all(|byte| *byte == 1));
    // Zeros stay zeros when they have been taken out of memory.
    map.forget(0..LENGTH);
    assert_eq!((map[PAGE], map[LENGTH - 1]), (1, 0));
}

#[test]
fn many_maps_are_mended_at_the_same_time_and_entries_are_used_again() {
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for round in 0..50 {
                    let (file, map) = ones();
                    assert!(!map.is_damaged(), "the entry of another map was damaged: {round}");
                    file.as_file().set_len(0).unwrap();
                    assert!(map.iter().all(|byte| *byte == 0));
                    assert!(map.is_damaged());
                }
            });
        }
    });
}

/// Set in the process that faults.
const FAULTS: &str = "RETROGRADE_TEST_FAULTS";

#[test]
fn a_fault_elsewhere_ends_the_process_as_before() {
    if std::env::var_os(FAULTS).is_some() {
        let (_file, _map) = ones();
        let file = tempfile::tempfile().unwrap();
        file.set_len(PAGE as u64).unwrap();
        // SAFETY: the test is that the read of what is not there any more ends the process.
        #[expect(unsafe_code, reason = "as said")]
        let map = unsafe { Mmap::map(&file) }.unwrap();
        file.set_len(0).unwrap();
        std::hint::black_box(map[0]);
        return;
    }
    let name = "untrusted::file_map::tests::a_fault_elsewhere_ends_the_process_as_before";
    let mut again = Command::new(std::env::current_exe().unwrap());
    let output = again.args(["--exact", name]).env(FAULTS, "1").output().unwrap();
    assert_eq!(output.status.signal(), Some(libc::SIGBUS), "{output:?}");
}
