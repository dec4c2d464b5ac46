//! The rr processes behind the replays under test.

use std::path::Path;

/// The processes that have this trace as a word of their command lines, with these lines. A part of a word would be
/// another test's trace: `stepping.trace-1` begins `stepping.trace-12`.
pub fn processes_of(trace: &Path) -> Vec<(i32, String)> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let line = |pid: i32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        let names_it =
            line.split('\0').any(|word| word.rsplit('=').next().is_some_and(|path| Path::new(path) == trace));
        names_it.then(|| (pid, line.replace('\0', " ")))
    };
    pids.filter_map(line).collect()
}

/// The `rr replay` of this trace, by its command line.
pub fn rr_of(trace: &Path) -> Option<i32> {
    let is_rr = |line: &str| line.contains(" replay ") && line.contains(" -s 0 ");
    processes_of(trace).into_iter().find(|(_, line)| is_rr(line)).map(|(pid, _)| pid)
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
