//! Which recording is opened, and which of its processes, where the client leaves that to us; and what is said of it.

use rr::Process;
use std::path::{Path, PathBuf};

/// A recording that nobody has named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unnamed {
    /// The last that this server has made.
    Made,
    /// The one that rr calls its latest.
    Latest,
}

impl Unnamed {
    /// Finds the recording to open, given the last that this server has made; `None` if there is none.
    pub(crate) fn find(made: Option<PathBuf>) -> Option<(PathBuf, Self)> {
        let made = made.map(|trace| (trace, Self::Made));
        made.or_else(|| rr::resolve_trace(None).ok().map(|trace| (trace, Self::Latest)))
    }

    fn words(self) -> &'static str {
        match self {
            Self::Made => "no trace_dir was given: this is the latest recording of this server",
            Self::Latest => "no trace_dir was given: this is rr's latest recording",
        }
    }
}

/// What there is to say of a choice, and the process that was chosen, if that was left to us.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) pid: Option<u32>,
    pub(crate) note: Option<String>,
}

impl Choice {
    /// Looks at the processes of a recording. `is_process_named`: the client has said which one it wants.
    pub(crate) fn of(trace: &Path, unnamed: Option<Unnamed>, is_process_named: bool) -> Self {
        if is_process_named {
            return Self { pid: None, note: unnamed.map(|unnamed| unnamed.words().to_owned()) };
        }
        // What is wrong with the recording is found, and said, by the replay.
        Self::among(&rr::processes(trace).unwrap_or_default(), unnamed)
    }

    /// Puts an error of opening it behind the words for a process that nobody has named.
    pub(crate) fn explained(&self, error: String) -> String {
        match (self.pid, &self.note) {
            (Some(_), Some(note)) => format!("{note}; {error}"),
            _ => error,
        }
    }

    /// Chooses a process. Of a recording that was not named, it is the one to look at first; else the first process,
    /// which a client may rely on, and a word if it should look at another one.
    fn among(processes: &[Process], unnamed: Option<Unnamed>) -> Self {
        let first = processes.first();
        let worth = rr::worth_debugging(processes).filter(|worth| first.is_none_or(|first| first.pid != worth.pid));
        let (Some(first), Some(worth)) = (first, worth) else {
            return Self { pid: None, note: unnamed.map(|unnamed| unnamed.words().to_owned()) };
        };
        let (first_pid, pid) = (first.pid, worth.pid);
        let (first, worth) = (described(first), described(worth));
        match unnamed {
            Some(unnamed) => {
                let words = unnamed.words();
                let note =
                    format!("{words}, at the process to look at first ({worth}); the first is {first_pid} ({first})");
                Self { pid: Some(pid), note: Some(note) }
            }
            None => {
                let note = format!("this is the first process; the one to look at first is {pid} ({worth})");
                Self { pid: None, note: Some(note) }
            }
        }
    }
}

/// Describes a process: `/bin/false: exit 1`.
fn described(process: &Process) -> String {
    const MOST: usize = 40;
    let command = process.command.as_deref().unwrap_or("a fork without exec");
    let mut shown: String = command.chars().take(MOST).collect();
    if shown.len() < command.len() {
        shown.push('…');
    }
    format!("{shown}: {}", process.status().unwrap_or_else(|| "end unknown".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: u32, ppid: Option<u32>, exit_code: i32, command: &str) -> Process {
        let command = Some(command.to_owned());
        Process { pid, ppid, exit_code: Some(exit_code), command, forked_without_exec: false }
    }

    #[test]
    fn the_process_to_look_at_first_is_chosen_if_nothing_was_named() {
        let crashed = [process(7, None, 139, "sh -c ./crash"), process(8, Some(7), -11, "./crash")];
        let note = "no trace_dir was given: this is the latest recording of this server, at the process to look at first \
                    (./crash: SIGSEGV); the first is 7 (sh -c ./crash: exit 139)";
        let expected = Choice { pid: Some(8), note: Some(note.to_owned()) };
        assert_eq!(expected.explained("no".to_owned()), format!("{note}; no"));
        assert_eq!(Choice::among(&crashed, Some(Unnamed::Made)), expected);
        let note = "this is the first process; the one to look at first is 8 (./crash: SIGSEGV)";
        assert_eq!(Choice::among(&crashed, None), Choice { pid: None, note: Some(note.to_owned()) });
        let fine = [process(7, None, 0, "sh"), process(8, Some(7), 0, "./fine")];
        let note = "no trace_dir was given: this is rr's latest recording";
        let unchosen = Choice::among(&fine, Some(Unnamed::Latest));
        assert_eq!(unchosen.explained("no".to_owned()), "no");
        assert_eq!(unchosen, Choice { pid: None, note: Some(note.to_owned()) });
        assert_eq!(Choice::among(&fine, None), Choice::default());
        assert_eq!(Choice::among(&[process(7, None, 3, "./fails")], None), Choice::default());
        assert_eq!(Choice::among(&[], None), Choice::default());
    }
}
