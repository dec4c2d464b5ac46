//! The processes of a recording, in the order in which they were made.

use super::error::Error;
use super::events::{self, Change, Task};
use super::signals::signal_name;
use super::trace;
use std::collections::HashMap;
use std::path::Path;

/// What stands in a list instead of a command line.
const NO_EXEC: &str = "(forked without exec)";

/// A process of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its number when it was recorded.
    pub pid: u32,
    /// Its parent; `None` for the first process, whose parent was not recorded.
    pub ppid: Option<u32>,
    /// Exit code, or minus the number of the signal that ended it; `None` if its end was not recorded.
    pub exit_code: Option<i32>,
    /// Command line of the first program that it executed, words separated by blanks, what is no text in them escaped;
    /// `None` if it executed nothing.
    pub command: Option<String>,
    /// It ran on as a copy of its parent.
    pub forked_without_exec: bool,
}

/// The badness of a fault.
const FAULT: u8 = 3;
/// So many of them are named.
const MOST_FAULTS: usize = 3;
/// Signals that a process gets for what it does itself. Others are sent by somebody, who may be more interesting.
const FAULTS: [&str; 7] = ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGSYS", "SIGTRAP"];

/// Spells how a process has ended, by its exit code, or minus the number of the signal that ended it: `exit 3`,
/// `SIGSEGV`.
pub fn spelled(exit_code: i32) -> String {
    match exit_code {
        0.. => format!("exit {exit_code}"),
        _ => {
            signal_name(exit_code.saturating_neg()).unwrap_or_else(|| format!("signal {}", exit_code.saturating_neg()))
        }
    }
}

impl Process {
    /// Returns how the process ended: `exit 3`, `SIGSEGV`; `None` if its end was not recorded.
    pub fn status(&self) -> Option<String> {
        self.exit_code.map(spelled)
    }

    /// Returns how badly it ended: a fault of its own, another signal, an exit code that is not zero. That nobody reads
    /// what it writes any more is the usual end of many a process in a pipeline.
    fn badness(&self) -> u8 {
        match (self.exit_code, self.status()) {
            (Some(..=-1), Some(signal)) if signal == "SIGPIPE" => 1,
            (Some(..=-1), Some(signal)) if FAULTS.contains(&signal.as_str()) => FAULT,
            (Some(..=-1), _) => 2,
            (Some(1..), _) => 1,
            _ => 0,
        }
    }

    /// Returns the name of the program that it executed: the last part of the command's first word.
    fn name(&self) -> Option<&str> {
        let word = self.command.as_deref()?.split(' ').next()?;
        Some(word.rsplit('/').next().unwrap_or(word))
    }
}

/// Finds the process whose end is most worth an explanation: one that died of a fault, or else of another signal, or
/// else that exited with something else than zero. Among equals it is the first one of which no child ended as badly:
/// parents often fail because a child has. `None` if all went well.
pub fn worth_debugging(processes: &[Process]) -> Option<&Process> {
    let worst = processes.iter().map(Process::badness).max().filter(|worst| *worst > 0)?;
    let is_worst = |process: &Process| process.badness() == worst;
    let without_such_child = |process: &&Process| {
        is_worst(process) && !processes.iter().any(|child| child.ppid == Some(process.pid) && is_worst(child))
    };
    processes.iter().find(without_such_child).or_else(|| processes.iter().find(|process| is_worst(process)))
}

/// Arranges the processes as a tree, depth first: each with the number of its recorded ancestors.
pub fn tree(processes: &[Process]) -> Vec<(usize, &Process)> {
    let mut children: HashMap<u32, Vec<&Process>> = HashMap::new();
    let known = |pid: u32| processes.iter().any(|process| process.pid == pid);
    let mut waiting: Vec<(usize, &Process)> = Vec::new();
    for process in processes {
        match process.ppid {
            Some(parent) if parent != process.pid && known(parent) => children.entry(parent).or_default().push(process),
            _ => waiting.push((0, process)),
        }
    }
    waiting.reverse();
    let mut tree = Vec::new();
    while let Some((depth, process)) = waiting.pop() {
        tree.push((depth, process));
        let below = children.remove(&process.pid).unwrap_or_default();
        waiting.extend(below.into_iter().rev().map(|child| (depth + 1, child)));
    }
    // Those that are their own ancestors, which rr never shows.
    tree.extend(processes.iter().filter(|process| children.contains_key(&process.pid)).map(|process| (0, process)));
    tree
}

/// Finds the process that a command names: the last part of the program's path, its first word, or the whole command
/// line. Copies of it that executed nothing do not count. The error says which ones it could be.
fn named(processes: &[Process], name: &str) -> Result<u32, String> {
    let is_named = |process: &&Process| {
        let command = process.command.as_deref().unwrap_or_default();
        process.name() == Some(name) || command == name || command.split(' ').next() == Some(name)
    };
    let found: Vec<&Process> = processes.iter().filter(is_named).collect();
    let shown = |process: &Process| {
        let command: String = process.command.as_deref().unwrap_or(NO_EXEC).chars().take(60).collect();
        format!("{} ({command}: {})", process.pid, process.status().unwrap_or_else(|| "end unknown".to_owned()))
    };
    let list =
        |processes: &mut dyn Iterator<Item = &Process>| processes.take(20).map(shown).collect::<Vec<_>>().join(", ");
    match found.as_slice() {
        [process] => Ok(process.pid),
        [] => Err(format!("none executed `{name}`; there are {}", list(&mut processes.iter()))),
        several => {
            let copies = processes.iter().filter(|copy| {
                copy.forked_without_exec && several.iter().any(|process| copy.ppid == Some(process.pid))
            });
            let all = list(&mut several.iter().copied().chain(copies));
            Err(format!("several executed `{name}`; name one by pid: {all}"))
        }
    }
}

/// Finds the recorded process that executed a program of this name (`cc1`), or with this command line.
///
/// # Errors
/// If there is none or are several; it names them.
pub fn process_named(trace: Option<&Path>, name: &str) -> Result<u32, Error> {
    let directory = trace::resolve(trace)?;
    trace::check(&directory)?;
    named(&processes_of(&directory)?, name).map_err(|reason| Error::WhichProcess { trace: directory, reason })
}

/// Reads the processes of a finished recording, the first one first.
pub fn processes(trace: &Path) -> Result<Vec<Process>, Error> {
    let directory = trace::resolve(Some(trace))?;
    trace::check(&directory)?;
    processes_of(&directory)
}

/// Tells which processes but the first died of a fault of their own, of which the first one's end may tell nothing.
pub(super) fn faults_of_children(trace: &Path) -> Vec<String> {
    let processes = processes_of(trace).unwrap_or_default();
    let died = processes.iter().filter(|process| process.ppid.is_some() && process.badness() == FAULT);
    let line = |process: &Process| {
        let status = process.status().unwrap_or_default();
        format!("process {} died of {status}; a replay can be started with its pid", process.pid)
    };
    died.take(MOST_FAULTS).map(line).collect()
}

/// Reads the processes of a trace directory, the first one first.
pub(super) fn processes_of(directory: &Path) -> Result<Vec<Process>, Error> {
    let processes = Table::of(events::tasks(directory)?).finish();
    if processes.is_empty() {
        return Err(Error::Damaged { path: directory.to_owned(), reason: "it has no process".into() });
    }
    Ok(processes)
}

/// The processes of a recording, as far as its changes of threads have been read.
///
/// `rr ps` prints the same, where a newline in an argument could pass for the end of a row.
#[derive(Debug, Default)]
struct Table {
    processes: Vec<Process>,
    /// Where in the list the process of each thread is that has not ended.
    of_thread: HashMap<u32, usize>,
    /// Where that of each thread was that has ended: one that executes a program takes its leader's number.
    ended: HashMap<u32, usize>,
    /// Threads of each process that have not ended.
    threads: Vec<usize>,
}

impl Table {
    fn of(tasks: Vec<Task>) -> Self {
        let mut table = Self::default();
        for task in tasks {
            table.change(task);
        }
        table
    }

    fn change(&mut self, Task { tid, what, .. }: Task) {
        match what {
            Change::Made { by, is_thread, .. } => match (self.of_thread.get(&by), self.ended.get(&by)) {
                (Some(process), _) if is_thread => self.add_thread(tid, *process),
                (None, Some(process)) if is_thread => self.add_thread(tid, *process),
                (parent, _) => {
                    let ppid = parent.and_then(|parent| self.processes.get(*parent)).map(|parent| parent.pid);
                    self.add_process(tid, ppid);
                }
            },
            Change::Exec { command, .. } => {
                if self.processes.is_empty() {
                    self.add_process(tid, None);
                }
                // The first one names it, as in rr's table.
                if let Some(process) = self.process_of(tid).filter(|process| process.forked_without_exec) {
                    process.command = Some(command.join(" "));
                    process.forked_without_exec = false;
                }
            }
            Change::Exit { status } => {
                let Some(index) = self.of_thread.remove(&tid) else { return };
                self.ended.insert(tid, index);
                if let (Some(count), Some(process)) = (self.threads.get_mut(index), self.processes.get_mut(index)) {
                    *count = count.saturating_sub(1);
                    process.exit_code = (*count == 0).then(|| code(status));
                }
            }
            Change::Detached => {
                self.of_thread.remove(&tid);
            }
        }
    }

    fn process_of(&mut self, tid: u32) -> Option<&mut Process> {
        self.of_thread.get(&tid).and_then(|index| self.processes.get_mut(*index))
    }

    fn add_thread(&mut self, tid: u32, process: usize) {
        self.of_thread.insert(tid, process);
        if let Some(count) = self.threads.get_mut(process) {
            *count += 1;
        }
    }

    fn add_process(&mut self, pid: u32, ppid: Option<u32>) {
        self.of_thread.insert(pid, self.processes.len());
        self.processes.push(Process { pid, ppid, exit_code: None, command: None, forked_without_exec: true });
        self.threads.push(1);
    }

    fn finish(self) -> Vec<Process> {
        self.processes
    }
}

/// Returns the exit code of a status of `wait`, or minus the number of the signal.
fn code(status: i32) -> i32 {
    match status & 0x7f {
        0 => status >> 8 & 0xff,
        signal => -signal,
    }
}

/// How `rr replay` is told which process to debug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Not at all: it is the first process, which rr debugs by itself.
    Default,
    /// `-p`: from its first exec on.
    Executed,
    /// `-f`: from its fork on, because it never executes anything, or since that is wanted.
    Forked,
}

/// Describes the process that was chosen; `None` if there is no such process.
pub(super) fn choice(processes: &[Process], pid: u32) -> Option<Choice> {
    let (index, process) = processes.iter().enumerate().find(|(_, process)| process.pid == pid)?;
    Some(match (index, process.forked_without_exec) {
        (0, _) => Choice::Default,
        (_, false) => Choice::Executed,
        (_, true) => Choice::Forked,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: u32, ppid: Option<u32>, exit_code: Option<i32>, command: Option<&str>) -> Process {
        let forked_without_exec = command.is_none();
        Process { pid, ppid, exit_code, command: command.map(str::to_owned), forked_without_exec }
    }

    fn made(tid: u32, by: u32, is_thread: bool) -> Task {
        Task { event: 0, tid, what: Change::Made { by, is_thread, is_waited_for: false } }
    }

    fn exec(tid: u32, command: &[&str]) -> Task {
        let command = command.iter().map(|word| (*word).to_owned()).collect();
        Task { event: 0, tid, what: Change::Exec { program: String::new(), command } }
    }

    fn exit(tid: u32, status: i32) -> Task {
        Task { event: 0, tid, what: Change::Exit { status } }
    }

    fn example() -> Vec<Process> {
        Table::of(vec![
            exec(12378, &["./f", "f"]),
            made(12411, 12378, false),
            made(12412, 12378, false),
            exec(12412, &["./child", "a\\tb"]),
            exec(12412, &["sh"]),
            exit(12411, 3 << 8),
            made(12413, 12411, false),
            exec(12413, &["sleep", "9"]),
            exit(12412, 128 | 11),
            exit(12378, 0),
        ])
        .finish()
    }

    #[test]
    fn changes_of_threads_are_those_of_processes() {
        let expected = [
            process(12378, None, Some(0), Some("./f f")),
            process(12411, Some(12378), Some(3), None),
            process(12412, Some(12378), Some(-11), Some("./child a\\tb")),
            process(12413, None, None, Some("sleep 9")),
        ];
        assert_eq!(example(), expected);
    }

    #[test]
    fn a_process_ends_with_its_last_thread() {
        let begin = || vec![exec(1, &["a"]), made(2, 1, true), made(3, 2, false), exit(1, 0)];
        let of = |more: &[Task]| Table::of([begin(), more.to_vec()].concat()).finish();
        let child = process(3, Some(1), None, None);
        assert_eq!(of(&[]), [process(1, None, None, Some("a")), child.clone()]);
        assert_eq!(of(&[exit(2, 7 << 8)]), [process(1, None, Some(7), Some("a")), child.clone()]);
        // The second thread executes a program and takes the number of the first.
        let taken = [exit(2, 0), made(1, 2, true), exec(1, &["b"]), exit(1, 5 << 8)];
        assert_eq!(of(&taken), [process(1, None, Some(5), Some("a")), child]);
    }

    #[test]
    fn the_option_that_selects_a_process_depends_on_whether_it_executed() {
        let processes = example();
        let chosen = |pid| choice(&processes, pid);
        assert_eq!(chosen(12378), Some(Choice::Default));
        assert_eq!(chosen(12411), Some(Choice::Forked));
        assert_eq!(chosen(12412), Some(Choice::Executed));
        assert_eq!(chosen(1), None);
    }

    #[test]
    fn an_end_is_spelled() {
        let status = |exit| process(1, None, exit, None).status();
        assert_eq!(status(Some(3)).as_deref(), Some("exit 3"));
        assert_eq!(status(Some(-11)).as_deref(), Some("SIGSEGV"));
        assert_eq!(status(Some(i32::MIN)).as_deref(), Some("signal 2147483647"));
        assert_eq!(status(None), None);
    }

    #[test]
    fn a_fault_is_worth_more_than_a_signal_and_that_more_than_an_exit_code() {
        let worth = |ends: &[(u32, Option<u32>, Option<i32>)]| {
            let processes: Vec<Process> =
                ends.iter().map(|(pid, ppid, end)| process(*pid, *ppid, *end, Some("p"))).collect();
            worth_debugging(&processes).map(|process| process.pid)
        };
        assert_eq!(worth(&[(1, None, Some(0)), (2, Some(1), None)]), None);
        assert_eq!(worth(&[(1, None, Some(1)), (2, Some(1), Some(-15)), (3, Some(1), Some(-6))]), Some(3));
        assert_eq!(worth(&[(1, None, Some(1)), (2, Some(1), Some(-15))]), Some(2));
        assert_eq!(worth(&[(1, None, Some(0)), (2, Some(1), Some(-13)), (3, Some(1), Some(-2))]), Some(3));
        // make fails because the compiler does, and that because its pass does.
        assert_eq!(worth(&[(1, None, Some(2)), (2, Some(1), Some(1)), (3, Some(2), Some(1))]), Some(3));
        assert_eq!(worth(&[(1, None, Some(2)), (2, Some(1), Some(0))]), Some(1));
        assert_eq!(worth(&[(1, Some(2), Some(2)), (2, Some(1), Some(2))]), Some(1), "a circle, which rr never shows");
    }

    #[test]
    fn children_stand_below_their_parents() {
        let list = [
            process(1, None, Some(0), Some("make")),
            process(2, Some(1), Some(0), Some("sh")),
            process(3, Some(1), Some(0), Some("ld")),
            process(4, Some(2), Some(0), None),
            process(5, Some(77), Some(0), None),
        ];
        let shape: Vec<_> = tree(&list).into_iter().map(|(depth, process)| (depth, process.pid)).collect();
        assert_eq!(shape, [(0, 1), (1, 2), (2, 4), (1, 3), (0, 5)]);
    }

    #[test]
    fn a_process_is_found_by_what_it_executed() {
        let mut list = example();
        assert_eq!(named(&list, "f"), Ok(12378));
        assert_eq!(named(&list, "./child"), Ok(12412));
        assert_eq!(named(&list, "sleep 9"), Ok(12413));
        let none = "none executed `hild`; there are 12378 (./f f: exit 0), 12411 ((forked without exec): exit 3), \
                    12412 (./child a\\tb: SIGSEGV), 12413 (sleep 9: end unknown)";
        assert_eq!(named(&list, "hild"), Err(none.to_owned()));
        list.push(process(9, Some(1), Some(1), Some("/bin/f")));
        let several = "several executed `f`; name one by pid: 12378 (./f f: exit 0), 9 (/bin/f: exit 1), 12411 ((forked without exec): \
                       exit 3)";
        assert_eq!(named(&list, "f"), Err(several.to_owned()));
    }
}
