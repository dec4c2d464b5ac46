//! Whether processes are at work: the processor time that they have taken.

use std::fs;

/// Most processes of a tree that are looked at.
const MAX_PROCESSES: usize = 1000;

/// The processor time, in ticks of the system's clock, that a process and all that it has started have taken. It may
/// fall when one of them ends; what tells is that it changes.
pub(super) fn processor_time(leader: u32) -> u64 {
    let mut open = vec![leader];
    let (mut time, mut seen) = (0u64, 0);
    while let Some(pid) = open.pop()
        && seen < MAX_PROCESSES
    {
        seen += 1;
        time = time.wrapping_add(of_one(pid).unwrap_or_default());
        open.extend(children(pid));
    }
    time
}

/// What a process has taken itself, and those of its children that have ended (proc(5), fields 14 to 17 of `stat`).
fn of_one(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before may have spaces and brackets.
    let (_, fields) = stat.rsplit_once(')')?;
    let times = fields.split_whitespace().skip(11).take(4);
    times.map(|ticks| ticks.parse::<u64>().ok()).try_fold(0u64, |sum, ticks| Some(sum.wrapping_add(ticks?)))
}

fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|child| child.parse().ok()).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn work_of_a_child_counts() {
        let mut shell =
            Command::new("sh").args(["-c", "(while :; do :; done) & wait"]).stdin(Stdio::null()).spawn().unwrap();
        let before = processor_time(shell.id());
        while processor_time(shell.id()) == before {}
        let worker = children(shell.id());
        for pid in worker.iter().chain([&shell.id()]) {
            // SAFETY: a plain system call; neither has been reaped.
            unsafe { libc::kill(i32::try_from(*pid).unwrap(), libc::SIGKILL) };
        }
        shell.wait().unwrap();
        assert_eq!(worker.len(), 1);
        assert_eq!(processor_time(shell.id()), 0, "nobody");
    }
}
