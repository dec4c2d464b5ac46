//! One way of building programs and keeping their debug info.

use crate::support::fixtures::scratch;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    Gcc,
    Clang,
    Rustc,
}

/// Where the debug info is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// In the program.
    Plain,
    /// In `.dwo` files.
    Split,
    /// In a `.dwp` beside the program.
    Dwp,
    /// Deduplicated, and partly in a supplementary file.
    Dwz,
    /// In compressed sections.
    Zlib,
    Zstd,
    /// In a debug directory, by build-id.
    Separate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub compiler: Compiler,
    pub optimisation: u8,
    pub version: u8,
    pub container: Container,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let compiler = format!("{:?}", self.compiler).to_lowercase();
        let container = format!("{:?}", self.container).to_lowercase();
        f.pad(&format!("{compiler}-O{}-dwarf{}-{container}", self.optimisation, self.version))
    }
}

const CONTAINERS: [Container; 7] = [
    Container::Plain,
    Container::Split,
    Container::Dwp,
    Container::Dwz,
    Container::Zlib,
    Container::Zstd,
    Container::Separate,
];

/// A program in a directory of its own.
pub struct Built {
    pub program: PathBuf,
    /// Where debug files are, by build-id.
    pub debug_directory: PathBuf,
}

impl Cell {
    pub fn all() -> impl Iterator<Item = Self> {
        let compilers = [Compiler::Gcc, Compiler::Clang, Compiler::Rustc].into_iter();
        compilers.flat_map(|compiler| {
            let codes = [0, 2, 3].into_iter().flat_map(|optimisation| [4, 5].map(|version| (optimisation, version)));
            codes.flat_map(move |(optimisation, version)| {
                CONTAINERS.map(|container| Self { compiler, optimisation, version, container })
            })
        })
    }

    /// Whether the debug info is in units of their own.
    pub fn is_split(&self) -> bool {
        matches!(self.container, Container::Split | Container::Dwp)
    }

    /// Why the tools of Debian 12 cannot make it.
    pub fn does_not_exist(&self) -> Option<&'static str> {
        match (self.compiler, self.version, self.container) {
            (Compiler::Gcc, 5, Container::Dwp) => {
                Some("GNU dwp knows no DWARF 5, and llvm-dwp 14 does not end with that of GCC")
            }
            (Compiler::Clang | Compiler::Rustc, 5, Container::Dwz) => {
                Some("dwz 0.15 does not know the forms of LLVM's DWARF 5")
            }
            _ => None,
        }
    }

    /// Builds a program from a source file.
    pub fn build(&self, source: &Path) -> Built {
        let at = scratch().join("matrix").join(self.to_string()).join(source.file_name().unwrap());
        fs::create_dir_all(&at).unwrap();
        self.compile(&at, source);
        match self.container {
            Container::Plain | Container::Split => {}
            Container::Dwp => self.pack(&at),
            Container::Dwz => {
                fs::copy(at.join("program"), at.join("other")).unwrap();
                run(&at, "dwz", &["-m", "shared.sup", "program", "other"]);
            }
            Container::Zlib => run(&at, "objcopy", &["--compress-debug-sections=zlib", "program"]),
            Container::Zstd => run(&at, "objcopy", &["--compress-debug-sections=zstd", "program"]),
            Container::Separate => {
                let id = build_id(&at);
                let directory = at.join("debug/.build-id").join(&id[..2]);
                fs::create_dir_all(&directory).unwrap();
                let file = directory.join(format!("{}.debug", &id[2..]));
                run(&at, "objcopy", &["--only-keep-debug", "program", file.to_str().unwrap()]);
                run(&at, "strip", &["program"]);
            }
        }
        Built { program: at.join("program"), debug_directory: at.join("debug") }
    }

    fn compile(&self, at: &Path, source: &Path) {
        let source = source.to_str().unwrap();
        if self.compiler == Compiler::Rustc {
            let optimisation = format!("-Copt-level={}", self.optimisation);
            let version = format!("-Cdwarf-version={}", self.version);
            let split: &[&str] = match self.container {
                Container::Split => &["-Csplit-debuginfo=unpacked"],
                Container::Dwp => &["-Csplit-debuginfo=packed"],
                _ => &[],
            };
            let fixed = [
                "-g",
                "--edition=2021",
                "-Adead_code",
                "-Ctarget-feature=+crt-static",
                "-Crelocation-model=static",
                "-Clink-arg=-Wl,--build-id",
                "--crate-name=program",
                "-o",
                "program",
            ];
            run(at, "rustc", &[&fixed[..], &[&optimisation, &version, source], split].concat());
            return;
        }
        let is_cxx = source.ends_with(".cpp");
        let program = match (self.compiler, is_cxx) {
            (Compiler::Gcc, false) => "gcc",
            (Compiler::Gcc, true) => "g++",
            (_, false) => "clang",
            (_, true) => "clang++",
        };
        let (optimisation, version) = (format!("-O{}", self.optimisation), format!("-gdwarf-{}", self.version));
        let mut flags = vec!["-g", &version, &optimisation];
        if is_cxx {
            flags.push("-std=c++17");
        }
        if self.is_split() {
            flags.push("-gsplit-dwarf");
        }
        run(at, program, &[&flags[..], &["-c", "-o", "program.o", source]].concat());
        run(at, program, &[&flags[..], &["-static", "-Wl,--build-id", "-o", "program", "program.o"]].concat());
    }

    fn pack(&self, at: &Path) {
        if self.compiler == Compiler::Rustc {
            return;
        }
        run(at, "llvm-dwp", &["-e", "program", "-o", "program.dwp"]);
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "dwo") {
                fs::remove_file(path).unwrap();
            }
        }
    }
}

/// The build-id of the program, in hexadecimal digits.
fn build_id(at: &Path) -> String {
    let output = Command::new("readelf").args(["-n", "program"]).current_dir(at).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let id = text.split("Build ID:").nth(1).and_then(|rest| rest.split_whitespace().next());
    id.unwrap_or_else(|| panic!("no build-id: {text}")).to_owned()
}

fn run(at: &Path, program: &str, arguments: &[&str]) {
    // Some of these programs do not come to an end with what they do not understand.
    let output = Command::new("timeout").args(["300", program]).args(arguments).current_dir(at).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?} (tests/run.sh installs it): {said}");
}
