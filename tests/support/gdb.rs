//! GDB as the oracle, on an rr of its own that replays the same recording.

use retrograde::cli::bench::mi;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A GDB that is connected to a replay.
pub struct Gdb {
    gdb: mi::Gdb,
    replay: Child,
}

impl Gdb {
    /// Replays the trace in a second rr and connects a GDB to it.
    ///
    /// Without a GDB this panics: a differential test that compares nothing has not passed.
    pub fn start(trace: &Path, program: &Path) -> Self {
        let (replay, target) = replay(trace);
        let gdb = mi::Gdb::connect(program, &target)
            .unwrap_or_else(|e| panic!("the differential tests need gdb (tests/run.sh installs it): {e}"));
        Self { gdb, replay }
    }

    /// Sends a machine-interface command that must work.
    #[track_caller]
    pub fn command(&mut self, command: &str) -> Value {
        self.gdb.command(command).unwrap_or_else(|e| panic!("{command}: {e}"))
    }

    /// Sends a machine-interface command that may be refused.
    pub fn attempt(&mut self, command: &str) -> Result<Value, String> {
        self.gdb.command(command).map_err(|e| e.to_string())
    }

    /// Sends an execution command and returns its `*stopped` record.
    pub fn run(&mut self, command: &str) -> Result<Value, String> {
        self.gdb.run(command).map_err(|e| e.to_string())
    }

    /// Sends a console command and returns what it printed.
    pub fn console(&mut self, command: &str) -> Result<String, String> {
        self.gdb.console(command).map_err(|e| e.to_string())
    }
}

/// Replays the trace in an rr of its own, for a GDB: the process, and the address it listens at.
pub fn replay(trace: &Path) -> (Child, String) {
    let mut replay = Command::new(env!("CARGO_BIN_EXE_retrograde"))
        .args(["rr", "replay", "-s", "0", "-q"])
        .arg(trace)
        .env("RETROGRADE_RR", super::recordings::rr().program())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(replay.stderr.take().unwrap());
    let mut said = String::new();
    let mut target = None;
    while target.is_none() && stderr.read_line(&mut said).unwrap() > 0 {
        target =
            said.split("target extended-remote ").nth(1).and_then(|t| t.split(['\'', '"']).next()).map(str::to_owned);
    }
    let target = target.unwrap_or_else(|| panic!("rr does not listen: {said}"));
    // Keeps the pipe from filling up.
    std::thread::spawn(move || stderr.lines().for_each(drop));
    (replay, target)
}

impl Drop for Gdb {
    fn drop(&mut self) {
        let _ = self.replay.kill();
        let _ = self.replay.wait();
    }
}
