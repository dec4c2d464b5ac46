//! Whether processes are at work: the processor time that they have taken.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Most processes of a tree that are looked at.
const MAX_PROCESSES: usize = 1000;

/// The processor time, in ticks of the system's clock, that a process and all that it has started have taken. It may
/// fall when one of them ends; what tells is that it changes.
pub(super) fn processor_time(leader: u32) -> u64 {
    let family = Family::here();
    let mut open = vec![leader];
    let (mut time, mut seen) = (0u64, 0);
    while let Some(pid) = open.pop()
        && seen < MAX_PROCESSES
    {
        seen += 1;
        time = time.wrapping_add(of_one(pid).unwrap_or_default());
        open.extend(family.children(pid));
    }
    time
}

/// How it is known who has started whom.
enum Family {
    /// The kernel lists the children of each thread.
    Listed,
    /// It does not (`CONFIG_PROC_CHILDREN`): this is what all processes say of their parents.
    Asked(HashMap<u32, Vec<u32>>),
}

impl Family {
    fn here() -> Self {
        if Path::new("/proc/thread-self/children").exists() { Self::Listed } else { Self::asked() }
    }

    fn asked() -> Self {
        let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        for pid in entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()) {
            // The state of the process, and then its parent.
            if let Some(parent) = fields(pid).and_then(|fields| fields.split_whitespace().nth(1)?.parse().ok()) {
                children.entry(parent).or_default().push(pid);
            }
        }
        Self::Asked(children)
    }

    fn children(&self, pid: u32) -> Vec<u32> {
        match self {
            Self::Listed => listed(pid),
            Self::Asked(children) => children.get(&pid).cloned().unwrap_or_default(),
        }
    }
}

/// What a process has taken itself, and those of its children that have ended (proc(5), fields 14 to 17 of `stat`).
fn of_one(pid: u32) -> Option<u64> {
    let fields = fields(pid)?;
    let times = fields.split_whitespace().skip(11).take(4);
    times.map(|ticks| ticks.parse::<u64>().ok()).try_fold(0u64, |sum, ticks| Some(sum.wrapping_add(ticks?)))
}

/// The fields of a process's `stat` from the third on; the name before may have spaces and brackets.
fn fields(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')').map(|(_, fields)| fields.to_owned())
}

fn listed(pid: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|child| child.parse().ok()).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    #[test]
    fn work_of_a_child_counts() {
        let mut shell =
            Command::new("sh").args(["-c", "(while :; do :; done) & wait"]).stdin(Stdio::null()).spawn().unwrap();
        let (before, until) = (processor_time(shell.id()), Instant::now() + Duration::from_secs(120));
        while processor_time(shell.id()) == before && Instant::now() < until {
            std::thread::yield_now();
        }
        let after = processor_time(shell.id());
        let workers = Family::asked().children(shell.id());
        let (alike, is_listed) = (Family::here().children(shell.id()), matches!(Family::here(), Family::Listed));
        for pid in workers.iter().chain([&shell.id()]) {
            // SAFETY: a plain system call; neither has been reaped.
            unsafe { libc::kill(i32::try_from(*pid).unwrap(), libc::SIGKILL) };
        }
        shell.wait().unwrap();
        assert_ne!(after, before);
        assert_eq!(workers.len(), 1);
        assert_eq!(alike, workers, "listed: {is_listed}");
        assert_eq!(processor_time(shell.id()), 0, "nobody");
    }
}
