//! Runs a command to its end or to a deadline.

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// How a run ended and what it wrote.
pub struct Outcome {
    /// The exit code, or 128 and the signal.
    pub code: i32,
    /// What it wrote to stdout.
    pub output: String,
    /// What it wrote to stderr.
    pub errors: String,
}

impl Outcome {
    /// The lines that are the same in every run, native or not. The others are marked by `~ `.
    pub fn constant_lines(&self) -> String {
        self.output.lines().filter(|line| !line.starts_with("~ ")).map(|line| format!("{line}\n")).collect()
    }
}

/// Runs the command, without stdin and in a process group of its own. None: it took longer than `deadline`, and its
/// process group has been killed.
pub fn run(command: &mut Command, deadline: Duration) -> Option<Outcome> {
    run_reading(command, Stdio::null(), deadline)
}

/// The same with this stdin.
pub fn run_reading(command: &mut Command, input: Stdio, deadline: Duration) -> Option<Outcome> {
    let command = command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let child = command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let group = libc::pid_t::try_from(child.id()).unwrap();
    let (sender, receiver) = channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    match receiver.recv_timeout(deadline) {
        Ok(output) => Some(outcome(output.unwrap())),
        Err(_) => {
            // SAFETY: a plain system call. At worst the group has just ended by itself, and there is nobody to kill.
            unsafe { libc::kill(-group, libc::SIGKILL) };
            None
        }
    }
}

fn outcome(output: Output) -> Outcome {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().or(output.status.signal().map(|signal| 128 + signal)).unwrap();
    Outcome { code, output: text(&output.stdout), errors: text(&output.stderr) }
}
