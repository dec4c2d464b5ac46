//! What a process of a recording executes: the file, and the words of its command line.

use super::error::Error;
use super::events::{self, Change, Task};
use super::trace;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// A program with the words that it was started with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// The file, as the trace names it.
    pub program: String,
    /// The words, the first of which is the program as it was called.
    pub words: Vec<String>,
}

/// Finds what a process executes at an event. A process that was forked executes what its parent did, until it executes
/// something itself. `None`: the recording has nothing of that process.
///
/// # Errors
/// What is wrong with the trace.
pub fn command_line(recording: &Path, pid: u32, event: u64) -> Result<Option<CommandLine>, Error> {
    let directory = trace::resolve(Some(recording))?;
    trace::check(&directory)?;
    Ok(executed_by(events::tasks(&directory)?, pid, event))
}

fn executed_by(tasks: Vec<Task>, pid: u32, event: u64) -> Option<CommandLine> {
    let mut of_thread: HashMap<u32, Arc<CommandLine>> = HashMap::new();
    for Task { event: at, tid, what } in tasks {
        // Before its first program begins, a process is asked about that program.
        if at > event && of_thread.contains_key(&pid) {
            break;
        }
        match what {
            Change::Made { by, .. } => {
                if let Some(line) = of_thread.get(&by).cloned() {
                    of_thread.insert(tid, line);
                }
            }
            Change::Exec { program, command } => {
                of_thread.insert(tid, Arc::new(CommandLine { program, words: command }));
            }
            Change::Exit { .. } | Change::Detached => {}
        }
    }
    of_thread.remove(&pid).map(|line| line.as_ref().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_executes_its_last_program_or_that_of_its_parent() {
        let exec = |event, tid, words: &[&str]| Task {
            event,
            tid,
            what: Change::Exec {
                program: format!("/bin/{}", words[0]),
                command: words.iter().map(|word| (*word).to_owned()).collect(),
            },
        };
        let made =
            |event, tid, by| Task { event, tid, what: Change::Made { by, is_thread: false, is_waited_for: false } };
        let tasks = || vec![exec(3, 1, &["sh", "-c", "a b"]), made(10, 2, 1), exec(20, 2, &["ls"])];
        let words = |pid, event| executed_by(tasks(), pid, event).map(|line| line.words.join("|"));
        assert_eq!(words(1, 0).as_deref(), Some("sh|-c|a b"));
        assert_eq!(words(2, 15).as_deref(), Some("sh|-c|a b"));
        assert_eq!(words(2, 20).as_deref(), Some("ls"));
        assert_eq!(words(1, u64::MAX).as_deref(), Some("sh|-c|a b"));
        assert_eq!(words(3, u64::MAX), None);
    }
}
