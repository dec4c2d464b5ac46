//! Whether processes are at work: whether they take processor time, or would if they were given some.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Most processes of a tree that are looked at.
const MAX_PROCESSES: usize = 1000;

/// For how long is looked whether processor time is taken.
const LOOK: Duration = Duration::from_millis(200);

/// The processes that a replay consists of.
#[derive(Clone, Copy, Debug)]
pub struct Pulse {
    leader: u32,
}

impl Pulse {
    pub(super) fn of(leader: u32) -> Self {
        Self { leader }
    }

    /// Returns whether one of them takes processor time, or waits for it: what is not served on a machine that is busy
    /// with other things is not stuck. Looks for a fifth of a second.
    pub fn is_at_work(&self) -> bool {
        let before = Activity::of(self.leader);
        if before.is_runnable {
            return true;
        }
        thread::sleep(LOOK);
        Activity::of(self.leader) != before
    }
}

/// What a process and all that it has started do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Activity {
    /// The processor time that they have taken, in ticks of the system's clock. It may fall when one of them ends; what
    /// tells is that it changes.
    pub(super) time: u64,
    /// One of them runs, or would if it were given a processor.
    pub(super) is_runnable: bool,
}

impl Activity {
    pub(super) fn of(leader: u32) -> Self {
        let family = Family::here();
        let mut open = vec![leader];
        let (mut all, mut seen) = (Self::default(), 0);
        while let Some(pid) = open.pop()
            && seen < MAX_PROCESSES
        {
            seen += 1;
            let one = of_one(pid).unwrap_or_default();
            all.time = all.time.wrapping_add(one.time);
            all.is_runnable |= one.is_runnable;
            open.extend(family.children(pid));
        }
        all
    }
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

/// Returns what a process does itself, with the time of those of its children that have ended (proc(5), fields 3 and 14
/// to 17 of `stat`).
fn of_one(pid: u32) -> Option<Activity> {
    let fields = fields(pid)?;
    let times = fields.split_whitespace().skip(11).take(4);
    let time =
        times.map(|ticks| ticks.parse::<u64>().ok()).try_fold(0u64, |sum, ticks| Some(sum.wrapping_add(ticks?)))?;
    Some(Activity { time, is_runnable: fields.trim_start().starts_with('R') })
}

/// Returns the fields of a process's `stat` from the third on; the name before may have spaces and brackets.
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
    use std::time::Instant;

    #[test]
    fn work_of_a_child_counts() {
        let mut shell =
            Command::new("sh").args(["-c", "(while :; do :; done) & wait"]).stdin(Stdio::null()).spawn().unwrap();
        let (before, until) = (Activity::of(shell.id()).time, Instant::now() + Duration::from_secs(120));
        while Activity::of(shell.id()).time == before && Instant::now() < until {
            thread::yield_now();
        }
        let after = Activity::of(shell.id()).time;
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
        assert_eq!(Activity::of(shell.id()), Activity::default(), "nobody");
    }

    #[test]
    fn what_waits_for_something_else_than_a_processor_is_not_at_work() {
        let shell = |script| Command::new("sh").args(["-c", script]).stdin(Stdio::piped()).spawn().unwrap();
        let (mut idle, mut busy) = (shell("read line"), shell("while :; do :; done"));
        assert!(Pulse::of(busy.id()).is_at_work());
        // It may still be starting.
        let until = Instant::now() + Duration::from_secs(120);
        while Pulse::of(idle.id()).is_at_work() && Instant::now() < until {}
        assert!(!Pulse::of(idle.id()).is_at_work());
        for shell in [&mut idle, &mut busy] {
            shell.kill().unwrap();
            shell.wait().unwrap();
        }
        assert!(!Pulse::of(busy.id()).is_at_work(), "it is gone");
    }
}
