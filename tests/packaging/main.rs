//! The packages of a release: built, installed where nothing else is, and used as a newcomer does.
//!
//! What is installed sees a `PATH` with the tools of [`TOOLS`] and nothing more: no cargo, no Rust, no rr.
#![allow(
    unsafe_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking, and starts and ends processes"
)]

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each of the programs that share it uses a part of it")]
mod support;

use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::mcp::{Server, settings};
use tempfile::TempDir;

/// What the machine of a newcomer has: a C compiler, a shell, node.
const TOOLS: [&str; 8] = ["cc", "as", "ld", "sh", "env", "node", "npm", "npx"];
/// The last line of the demo.
const CULPRIT: &str = "corrupt_table.c:33: station->readings[slot] = value;";

/// A newcomer's machine: a directory for everything, outside cargo's, with a home and the programs of [`TOOLS`].
struct Machine(TempDir);

impl Machine {
    fn new() -> Self {
        let machine = Self(tempfile::tempdir().unwrap());
        fs::create_dir(machine.place("home")).unwrap();
        fs::create_dir(machine.place("tools")).unwrap();
        let path = std::env::var_os("PATH").unwrap();
        for tool in TOOLS {
            let found = std::env::split_paths(&path).map(|directory| directory.join(tool)).find(|file| file.is_file());
            let found = found.unwrap_or_else(|| panic!("no {tool} on PATH: tests/run.sh installs what the tests need"));
            symlink(found, machine.place("tools").join(tool)).unwrap();
        }
        machine
    }

    fn place(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A program that is run there.
    fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        for name in settings() {
            command.env_remove(name);
        }
        for name in ["RETROGRADE_RR", "XDG_DATA_HOME", "XDG_CACHE_HOME", "CC"] {
            command.env_remove(name);
        }
        command.env("PATH", self.place("tools")).env("HOME", self.place("home")).current_dir(self.0.path());
        command
    }
}

/// Runs a command, which must succeed, and returns what it printed.
#[track_caller]
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{out}\n{err}", output.status);
    out.into_owned()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The only file of a directory that ends so.
fn only_file(directory: &Path, ending: &str) -> PathBuf {
    let files = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|file| file.to_str().unwrap().ends_with(ending)).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}

/// Greets a server as a client does, asks for its tools, and calls one.
fn shake_hands(command: Command) {
    let server = Server::of(command.into());
    let names: Vec<_> = server.tools().into_iter().map(|tool| tool.name).collect();
    assert!(names.iter().any(|name| name == "rr_replay_start"), "{names:?}");
    server.call("rr_session_list", json!({}));
    server.close();
}

fn version() -> String {
    format!("retrograde {}\n", env!("CARGO_PKG_VERSION"))
}

#[test]
fn the_wheel_brings_an_rr_and_answers() {
    let machine = Machine::new();
    let environment = machine.place("environment");
    run(Command::new("python3").args(["-m", "venv"]).arg(&environment));
    let python = environment.join("bin/python");

    // As `pip install .` builds it: by `cargo build --release`, which takes minutes only if it has not been done before. (What
    // the tests have built is of no use: with their dependencies, others have more features.)
    let target = Path::new(env!("CARGO_BIN_EXE_retrograde")).ancestors().nth(2).unwrap();
    run(Command::new(&python)
        .args(["-m", "pip", "wheel", "--quiet", "--no-input", "--no-deps", "--wheel-dir"])
        .arg(machine.place("wheels"))
        .arg(root())
        .env("CARGO_TARGET_DIR", target)
        .env_remove("MATURIN_PEP517_ARGS"));

    // The user's settings say where pip finds packages.
    let wheel = only_file(&machine.place("wheels"), ".whl");
    let home = std::env::var_os("HOME").unwrap_or_default();
    run(machine.command(&python).args(["-m", "pip", "install", "--quiet", "--no-input"]).arg(wheel).env("HOME", home));

    // pipx puts a link on PATH, and nothing else.
    let program = machine.place("retrograde");
    symlink(environment.join("bin/retrograde"), &program).unwrap();
    assert_eq!(run(machine.command(&program).arg("--version")), version());
    shake_hands(machine.command(&program));
    let told = run(machine.command(&program).arg("demo"));
    assert_eq!(told.lines().last(), Some(CULPRIT), "{told}");
    let rr = environment.join("bin/rr");
    assert!(told.contains(&format!("\n   {}\n", rr.display())), "{told}");
}

#[test]
fn the_npm_package_runs_the_program() {
    let machine = Machine::new();
    // The sources are left as they are: packing puts files beside them.
    let package = machine.place("source/.npm-package");
    fs::create_dir_all(&package).unwrap();
    for file in fs::read_dir(root().join(".npm-package")).unwrap() {
        let file = file.unwrap();
        if file.file_type().unwrap().is_file() {
            fs::copy(file.path(), package.join(file.file_name())).unwrap();
        }
    }
    fs::copy(root().join("LICENSE"), machine.place("source/LICENSE")).unwrap();
    // A release packs the program of the wheel; to save time, here it is that of the tests.
    let mut pack = machine.command("npm");
    run(pack.arg("pack").current_dir(&package).env("RETROGRADE_BINARY", env!("CARGO_BIN_EXE_retrograde")));

    let project = machine.place("project");
    fs::create_dir(&project).unwrap();
    let mut install = machine.command("npm");
    install.args(["install", "--offline", "--no-audit", "--no-fund"]).arg(only_file(&package, ".tgz"));
    run(install.current_dir(&project));

    let npx = |words: &[&str]| {
        let mut command = machine.command("npx");
        command.args(["--offline", "retrograde-rr"]).args(words).current_dir(&project);
        command
    };
    assert_eq!(run(&mut npx(&["--version"])), version());
    shake_hands(npx(&["serve"]));
    let wrong = npx(&["no-such-command"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
    let dry = run(&mut npx(&["setup", "--dry-run"]));
    assert!(dry.contains("would install karellen-rr=="), "{dry}");
}

#[test]
fn the_packages_are_of_this_version() {
    let manifest: Value =
        serde_json::from_str(&fs::read_to_string(root().join(".npm-package/package.json")).unwrap()).unwrap();
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    let scripts: Vec<_> = manifest["scripts"].as_object().unwrap().keys().collect();
    assert_eq!(scripts, ["prepack"], "nothing is run where it is installed");
}
