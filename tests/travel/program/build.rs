//! A generated program, built and recorded.

use super::Program;
use crate::support::fixtures::scratch;
use crate::support::recordings::{Recording, record_with};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Numbers the directories.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// A program that has been recorded.
pub struct Built {
    /// The executable.
    pub executable: PathBuf,
    /// The directory with all of it.
    directory: PathBuf,
    /// The recording.
    pub recording: Recording,
    /// What the program has counted, by its own account: expressions and their last values. `None`: it does not count.
    pub counted: Option<HashMap<String, u64>>,
    /// It stays when it is not needed any more.
    pub is_kept: bool,
}

/// Returns what a program has counted, of the directory that it ran in.
fn counted(directory: &Path) -> Result<HashMap<String, u64>, String> {
    let counts = std::fs::read_to_string(directory.join("counts")).map_err(|e| format!("it has not counted: {e}"))?;
    let count = |line: &str| line.split_once(' ').map(|(name, number)| (name.to_owned(), number.parse().unwrap()));
    Ok(counts.lines().filter_map(count).collect())
}

impl Built {
    /// Takes what a journey has kept: the directory of the program, and its recording.
    pub fn kept(directory: &Path, trace: &Path) -> Result<Self, String> {
        Ok(Self {
            executable: directory.join("program"),
            directory: directory.to_owned(),
            recording: Recording { trace: trace.to_owned(), exit_code: 0, stderr: String::new() },
            counted: Some(counted(directory)?),
            is_kept: true,
        })
    }

    /// Keeps it, and tells how to go through it again.
    pub fn keep(&mut self) -> String {
        self.is_kept = true;
        format!("RETROGRADE_JOURNEY_KEPT={}:{}", self.directory.display(), self.recording.trace.display())
    }

    /// Compiles and records a program.
    pub fn new(program: &Program) -> Result<Self, String> {
        let directory = scratch().join(format!("journey-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
        std::fs::create_dir_all(&directory).unwrap();
        let executable = directory.join("program");
        let source = directory.join(if program.is_cxx { "program.cpp" } else { "program.c" });
        std::fs::write(&source, program.source()).unwrap();
        let compiler = match (program.is_clang, program.is_cxx) {
            (false, false) => "gcc",
            (false, true) => "g++",
            (true, false) => "clang",
            (true, true) => "clang++",
        };
        let mut command = Command::new(compiler);
        command.args(["-g", "-w", &format!("-O{}", program.level), "-pthread"]).arg("-o").arg(&executable).arg(&source);
        command.args(program.is_static.then_some("-static"));
        let output = command.output().unwrap_or_else(|e| panic!("{compiler} is needed: {e}"));
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        let recording = record_with(program.how.options(), &[], &executable, &[], &directory);
        if recording.exit_code != program.exit_code() {
            return Err(format!(
                "exit code {} and not {}: {}",
                recording.exit_code,
                program.exit_code(),
                recording.stderr
            ));
        }
        let counted = Some(counted(&directory)?);
        Ok(Self { executable, directory, recording, counted, is_kept: false })
    }
}

impl Built {
    /// Records a program of the system.
    pub fn of_system(command: &[&str], options: &[&str]) -> Result<Self, String> {
        let directory = scratch().join(format!("journey-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
        std::fs::create_dir_all(&directory).unwrap();
        let executable = PathBuf::from(command[0]);
        if !executable.exists() {
            return Err(format!("there is no {}", command[0]));
        }
        let recording = record_with(options, &[], &executable, &command[1..], &directory);
        if recording.exit_code != 0 {
            return Err(format!("exit code {}: {}", recording.exit_code, recording.stderr));
        }
        Ok(Self { executable, directory, recording, counted: None, is_kept: false })
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        if self.is_kept || std::env::var_os("RETROGRADE_JOURNEY").is_some() {
            return;
        }
        let _ = std::fs::remove_dir_all(&self.directory);
        let _ = std::fs::remove_dir_all(&self.recording.trace);
    }
}
