//! The processes of a recording, as `rr ps` lists them.

use super::error::Error;
use super::process::{ask, ending, last_words};
use super::program::Rr;
use super::trace;
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

impl Rr {
    /// The processes of a finished recording, the first one first.
    pub fn ps(&self, trace: &Path) -> Result<Vec<Process>, Error> {
        let directory = trace::resolve(Some(trace))?;
        trace::check(&directory)?;
        self.ps_of_checked(&directory)
    }

    /// The same, of a directory that was resolved and checked.
    pub(super) fn ps_of_checked(&self, directory: &Path) -> Result<Vec<Process>, Error> {
        let mut command = self.plain_command("ps");
        command.arg(directory);
        let answer = ask(command, "ps", PATIENCE, &self.wanted)?;
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
    /// `-f`: from its fork on, because it never executes anything.
    Forked,
}

/// `None` if there is no such process.
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
