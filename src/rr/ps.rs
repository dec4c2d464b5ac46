//! The processes of a recording, as `rr ps` lists them.

use super::error::Error;
use super::process::{ask, ending, last_words};
use super::program::Rr;
use super::signals::signal_name;
use super::trace;
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

/// How long rr may take to list processes.
const PATIENCE: Duration = Duration::from_secs(30);
/// What `rr ps` shows instead of a command line.
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
    /// Command line, words separated by blanks; `None` if it executed nothing.
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

impl Rr {
    /// Finds the recorded process that executed a program of this name (`cc1`), or with this command line.
    ///
    /// # Errors
    /// If there is none or are several; it names them.
    pub fn process_named(&self, trace: Option<&Path>, name: &str) -> Result<u32, Error> {
        let directory = trace::resolve(trace)?;
        trace::check(&directory)?;
        let processes = self.ps_of_checked(&directory)?;
        named(&processes, name).map_err(|reason| Error::WhichProcess { trace: directory, reason })
    }

    /// Reads the processes of a finished recording, the first one first.
    pub fn ps(&self, trace: &Path) -> Result<Vec<Process>, Error> {
        let directory = trace::resolve(Some(trace))?;
        trace::check(&directory)?;
        self.ps_of_checked(&directory)
    }

    /// Tells which processes but the first died of a fault of their own, of which the first one's end may tell nothing.
    pub(super) fn faults_of_children(&self, trace: &Path) -> Vec<String> {
        let processes = self.ps_of_checked(trace).unwrap_or_default();
        let died = processes.iter().filter(|process| process.ppid.is_some() && process.badness() == FAULT);
        let said = |process: &Process| {
            let status = process.status().unwrap_or_default();
            format!("process {} died of {status}; a replay can be started with its pid", process.pid)
        };
        died.take(MOST_FAULTS).map(said).collect()
    }

    pub(super) fn ps_of_checked(&self, directory: &Path) -> Result<Vec<Process>, Error> {
        let mut command = self.plain_command("ps");
        command.arg(directory);
        let answer = ask(command, "ps", PATIENCE, &self.cancel)?;
        if !answer.status.success() {
            let words = last_words(&answer.stderr);
            let reason = format!("rr cannot read it ({}): {words}", ending(answer.status));
            return Err(Error::Damaged { path: directory.to_owned(), reason });
        }
        let processes = parse(&answer.stdout).map_err(|what| Error::Unexpected { command: "ps", what })?;
        if processes.is_empty() {
            return Err(Error::Damaged { path: directory.to_owned(), reason: "it has no process".into() });
        }
        Ok(processes)
    }
}

/// Reads rr's table: a heading, then `PID PPID EXIT CMD` separated by tabs.
///
/// The command may contain tabs and newlines; a line that does not begin as a row does continues the one before.
fn parse(text: &str) -> Result<Vec<Process>, String> {
    let mut processes: Vec<Process> = Vec::new();
    let mut lines = text.lines();
    if !lines.by_ref().any(|line| line.starts_with("PID\tPPID\tEXIT\tCMD")) {
        return Err("no heading `PID PPID EXIT CMD`".into());
    }
    for line in lines {
        match (row(line), processes.last_mut()) {
            (Some(process), _) => processes.push(process),
            (None, Some(Process { command: Some(command), .. })) => {
                command.push('\n');
                command.push_str(line);
            }
            (None, _) => return Err(format!("row `{line}`")),
        }
    }
    Ok(processes)
}

fn row(line: &str) -> Option<Process> {
    let mut fields = line.splitn(4, '\t');
    // In a process-id namespace the number that the process itself saw follows in parentheses.
    let pid = fields.next()?.split(' ').next()?.parse().ok()?;
    let ppid = match fields.next()? {
        "--" => None,
        number => Some(number.parse().ok()?),
    };
    let exit_code = match fields.next()? {
        "none" | "detach" => None,
        number => Some(number.parse().ok()?),
    };
    let command = fields.next()?;
    let forked_without_exec = command == NO_EXEC;
    let command = (!forked_without_exec).then(|| command.to_owned());
    Some(Process { pid, ppid, exit_code, command, forked_without_exec })
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
    use proptest::prelude::*;

    const TABLE: &str = "PID\tPPID\tEXIT\tCMD\n12378\t--\t0\t./f f\n12411\t12378\t3\t(forked without exec)\n\
                         12412 (2)\t12378\t-11\t./child a\tb\n12413\t12411\tnone\tsleep 9\n";

    fn process(pid: u32, ppid: Option<u32>, exit_code: Option<i32>, command: Option<&str>) -> Process {
        let forked_without_exec = command.is_none();
        Process { pid, ppid, exit_code, command: command.map(str::to_owned), forked_without_exec }
    }

    #[test]
    fn rrs_table_is_read() {
        let expected = vec![
            process(12378, None, Some(0), Some("./f f")),
            process(12411, Some(12378), Some(3), None),
            process(12412, Some(12378), Some(-11), Some("./child a\tb")),
            process(12413, Some(12411), None, Some("sleep 9")),
        ];
        assert_eq!(parse(TABLE), Ok(expected));
    }

    #[test]
    fn the_option_that_selects_a_process_depends_on_whether_it_executed() {
        let processes = parse(TABLE).unwrap();
        let chosen = |pid| choice(&processes, pid);
        assert_eq!(chosen(12378), Some(Choice::Default));
        assert_eq!(chosen(12411), Some(Choice::Forked));
        assert_eq!(chosen(12412), Some(Choice::Executed));
        assert_eq!(chosen(1), None);
    }

    #[test]
    fn a_command_may_have_several_lines() {
        let text = "PID\tPPID\tEXIT\tCMD\n7\t--\t0\tsh -c echo\n\necho x\n8\t7\tdetach\ty\n";
        let expected =
            vec![process(7, None, Some(0), Some("sh -c echo\n\necho x")), process(8, Some(7), None, Some("y"))];
        assert_eq!(parse(text), Ok(expected));
    }

    #[test]
    fn what_is_no_table_is_refused() {
        assert_eq!(parse(""), Err("no heading `PID PPID EXIT CMD`".into()));
        assert_eq!(parse("PID\tPPID\tEXIT\tCMD\nx\n"), Err("row `x`".into()));
        assert_eq!(parse("PID\tPPID\tEXIT\tCMD\n"), Ok(vec![]));
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
        let mut list = parse(TABLE).unwrap();
        assert_eq!(named(&list, "f"), Ok(12378));
        assert_eq!(named(&list, "./child"), Ok(12412));
        assert_eq!(named(&list, "sleep 9"), Ok(12413));
        let none = "none executed `hild`; there are 12378 (./f f: exit 0), 12411 ((forked without exec): exit 3), \
                    12412 (./child a\tb: SIGSEGV), 12413 (sleep 9: end unknown)";
        assert_eq!(named(&list, "hild"), Err(none.to_owned()));
        list.push(process(9, Some(1), Some(1), Some("/bin/f")));
        let several = "several executed `f`; name one by pid: 12378 (./f f: exit 0), 9 (/bin/f: exit 1), 12411 ((forked without exec): \
                       exit 3)";
        assert_eq!(named(&list, "f"), Err(several.to_owned()));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            let _ = parse(&text);
            let _ = parse(&format!("PID\tPPID\tEXIT\tCMD\n{text}"));
        }

        #[test]
        fn a_row_is_read_back(pid in any::<u32>(), ppid in any::<u32>(), exit in any::<i32>(), cmd in "[ -~\t]{0,40}") {
            let expected = process(pid, Some(ppid), Some(exit), Some(&cmd));
            prop_assert_eq!(row(&format!("{pid}\t{ppid}\t{exit}\t{cmd}")), Some(expected));
        }
    }
}
