//! Builds a program and moves its debug info to where each test wants it.

use crate::{DebugPaths, Image};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;

/// A way of keeping debug info.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// In the program.
    Plain,
    /// In `.dwo` files beside the object files.
    Split,
    /// In the object files, which are not linked.
    SplitInObjects,
    /// In a `.dwp` beside the program.
    Package,
    /// The same, by GNU's tool.
    GnuPackage,
    /// dwz, in one file.
    Deduplicated,
    /// dwz, partly in a file that another program refers to as well.
    Shared,
    /// The same with `.debug_sup` and the forms of DWARF 5.
    SharedStandard,
    /// In compressed sections.
    Zlib,
    /// In `.zdebug_` sections.
    OldZlib,
    /// In sections compressed with zstd.
    Zstd,
    /// Nowhere; symbols are in `.gnu_debugdata`.
    MiniDebug,
    /// In a file that `.gnu_debuglink` names.
    Linked,
    /// In a debug directory, by build-id.
    ByBuildId,
    /// In the cache of debuginfod's client.
    Fetched,
    /// Both the debug file and its supplementary file in a debug directory, by build-id.
    SharedByBuildId,
    /// In `.dwo` files, with the skeletons in a file that `.gnu_debuglink` names.
    SplitAndLinked,
    /// The same with a package.
    PackageBesideDebugFile,
}

/// A program that was built from fixtures.
pub(super) struct Build {
    directory: TempDir,
    compiler: &'static str,
    flags: String,
    sources: Vec<PathBuf>,
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {:?}", self.compiler, self.flags, self.sources)
    }
}

impl Build {
    /// Creates a plan: nothing is built before it is asked for.
    pub(super) fn new(compiler: &'static str, flags: &str, sources: &[&str]) -> Self {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dwarf-fixtures/src");
        Self {
            directory: tempfile::tempdir().unwrap(),
            compiler,
            flags: flags.to_owned(),
            sources: sources.iter().map(|s| fixtures.join(s)).collect(),
        }
    }

    pub(super) fn sources(&self) -> &[PathBuf] {
        &self.sources
    }

    /// Builds the program, with its debug info kept in this way. Everything is in a directory of its own.
    pub(super) fn place(&self, way: Storage) -> Placed {
        let directory = self.directory.path().join(format!("{way:?}"));
        if !directory.exists() {
            fs::create_dir(&directory).unwrap();
            self.make(way, &directory);
        }
        Placed { directory }
    }

    pub(super) fn image(&self, way: Storage) -> Arc<Image> {
        self.place(way).image()
    }

    fn make(&self, way: Storage, at: &Path) {
        let split: &[&str] = match (way, self.compiler) {
            (Storage::Split | Storage::SplitAndLinked, "rustc") => &["-Csplit-debuginfo=unpacked"],
            (Storage::Package | Storage::PackageBesideDebugFile, "rustc") => &["-Csplit-debuginfo=packed"],
            (Storage::SplitInObjects, _) => &["-gsplit-dwarf=single"],
            (
                Storage::Split
                | Storage::Package
                | Storage::GnuPackage
                | Storage::SplitAndLinked
                | Storage::PackageBesideDebugFile,
                _,
            ) => &["-gsplit-dwarf"],
            _ => &[],
        };
        self.compile(at, split);
        let program = || at.join("program");
        match way {
            Storage::Plain | Storage::Split | Storage::SplitInObjects => {}
            Storage::Package | Storage::PackageBesideDebugFile if self.compiler == "rustc" => {}
            Storage::Package | Storage::PackageBesideDebugFile => {
                run(at, "llvm-dwp", &["-e", "program", "-o", "program.dwp"]);
                remove_split_units(at);
            }
            Storage::GnuPackage => {
                run(at, "dwp", &["-e", "program", "-o", "program.dwp"]);
                remove_split_units(at);
            }
            Storage::Deduplicated => run(at, "dwz", &["program"]),
            Storage::Shared | Storage::SharedStandard | Storage::SharedByBuildId => {
                fs::copy(program(), at.join("other")).unwrap();
                let form: &[&str] = if way == Storage::SharedStandard { &["--dwarf-5"] } else { &[] };
                run(at, "dwz", &[form, &["-m", "shared.sup", "program", "other"]].concat());
            }
            Storage::Zlib => run(at, "objcopy", &["--compress-debug-sections=zlib", "program"]),
            Storage::OldZlib => run(at, "objcopy", &["--compress-debug-sections=zlib-gnu", "program"]),
            Storage::Zstd => run(at, "objcopy", &["--compress-debug-sections=zstd", "program"]),
            Storage::MiniDebug => {
                // As GDB's manual makes it, but with all symbols.
                run(at, "objcopy", &["--only-keep-debug", "program", "mini"]);
                run(at, "strip", &["--strip-debug", "--remove-section=.comment", "mini"]);
                run(at, "xz", &["mini"]);
                run(at, "strip", &["program"]);
                run(at, "objcopy", &["--add-section", ".gnu_debugdata=mini.xz", "program"]);
            }
            Storage::Linked | Storage::ByBuildId | Storage::Fetched | Storage::SplitAndLinked => {}
        }
        if way == Storage::SharedByBuildId {
            let shared = build_id(&at.join("shared.sup"));
            move_to(&at.join("shared.sup"), &by_build_id(at, &shared));
        }
        match way {
            Storage::Linked | Storage::SplitAndLinked | Storage::PackageBesideDebugFile => {
                separate(at);
                run(at, "objcopy", &["--add-gnu-debuglink=program.debug", "program"]);
            }
            Storage::ByBuildId | Storage::SharedByBuildId => {
                separate(at);
                move_to(&at.join("program.debug"), &by_build_id(at, &build_id(&program())));
            }
            Storage::Fetched => {
                separate(at);
                let id = crate::elf::build_id::hex(&build_id(&program()));
                move_to(&at.join("program.debug"), &at.join("cache").join(id).join("debuginfo"));
            }
            _ => {}
        }
    }

    /// Compiles the sources one by one, then links them, in a directory.
    fn compile(&self, at: &Path, more: &[&str]) {
        let flags: Vec<&str> = self.flags.split_whitespace().chain(more.iter().copied()).collect();
        if self.compiler == "rustc" {
            let source = self.sources[0].to_str().unwrap();
            let fixed = ["-Clink-arg=-Wl,--build-id", "--crate-name", "program", "-o", "program", source];
            run(at, "rustc", &[&flags, &fixed[..]].concat());
            return;
        }
        let mut objects = Vec::new();
        for (i, source) in self.sources.iter().enumerate() {
            let object = format!("{i}.o");
            run(at, self.compiler, &[&flags, &["-c", "-o", &object, source.to_str().unwrap()][..]].concat());
            objects.push(object);
        }
        let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
        run(at, self.compiler, &[&flags, &["-Wl,--build-id", "-o", "program"][..], &objects].concat());
    }
}

/// A program in a directory of its own.
pub(super) struct Placed {
    pub(super) directory: PathBuf,
}

impl Placed {
    pub(super) fn program(&self) -> PathBuf {
        self.directory.join("program")
    }

    pub(super) fn paths(&self) -> DebugPaths {
        DebugPaths {
            directories: vec![self.directory.join("debug")],
            debuginfod_cache: Some(self.directory.join("cache")),
        }
    }

    pub(super) fn image(&self) -> Arc<Image> {
        Image::open(&self.program(), &self.paths()).unwrap()
    }
}

/// Moves the debug info of `program` to `program.debug`.
fn separate(at: &Path) {
    run(at, "objcopy", &["--only-keep-debug", "program", "program.debug"]);
    run(at, "strip", &["program"]);
}

fn by_build_id(at: &Path, id: &[u8]) -> PathBuf {
    let id = crate::elf::build_id::hex(id);
    at.join("debug/.build-id").join(&id[..2]).join(format!("{}.debug", &id[2..]))
}

pub(super) fn build_id(file: &Path) -> Vec<u8> {
    Image::open(file, &DebugPaths::default()).unwrap().build_id().unwrap().to_vec()
}

pub(super) fn move_to(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::rename(from, to).unwrap();
}

fn remove_split_units(at: &Path) {
    for entry in fs::read_dir(at).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "dwo") {
            fs::remove_file(path).unwrap();
        }
    }
}

pub(super) fn run(at: &Path, program: &str, arguments: &[&str]) {
    // Some of these programs do not come to an end with what they do not understand.
    let output = Command::new("timeout").args(["60", program]).args(arguments).current_dir(at).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?} (tests/run.sh installs it): {said}");
}
