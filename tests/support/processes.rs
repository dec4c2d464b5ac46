//! The rr processes behind the replays under test.

use std::path::Path;

/// The `rr replay` of this trace, by its command line.
pub fn rr_of(trace: &Path) -> Option<i32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let is_rr = |pid: &i32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        line.contains(trace.to_str().unwrap()) && line.contains(" replay ") && line.contains(" -s 0 ")
    };
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).find(is_rr)
}

/// Sends a signal to a process that was just seen.
pub fn signal(pid: i32, signal: i32) {
    // SAFETY: a plain system call.
    assert_eq!(unsafe { libc::kill(pid, signal) }, 0);
}

/// Whether the process has gone and been waited for.
pub fn is_reaped(pid: i32) -> bool {
    !Path::new(&format!("/proc/{pid}")).exists()
}
