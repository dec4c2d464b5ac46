use super::crc32;
use crate::{DebugPaths, Image};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A stripped program, and the debug file that was taken from it.
struct Split {
    directory: TempDir,
    program: PathBuf,
    debug: PathBuf,
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn split(flags: &[&str]) -> Split {
    let directory = tempfile::tempdir().unwrap();
    let (program, debug) = (directory.path().join("bin/program"), directory.path().join("taken/program.debug"));
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::create_dir_all(debug.parent().unwrap()).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dwarf-fixtures/src/lines.c");
    run(Command::new("gcc").arg("-g").args(flags).arg("-o").arg(&program).arg(source));
    run(Command::new("objcopy").arg("--only-keep-debug").arg(&program).arg(&debug));
    run(Command::new("strip").arg(&program));
    let mut link = std::ffi::OsString::from("--add-gnu-debuglink=");
    link.push(&debug);
    run(Command::new("objcopy").arg(link).arg(&program));
    Split { directory, program, debug }
}

impl Split {
    fn open(&self, directories: &[PathBuf]) -> std::sync::Arc<Image> {
        Image::open(&self.program, &DebugPaths { directories: directories.to_vec(), ..DebugPaths::default() }).unwrap()
    }

    /// Moves the debug file to a place relative to the temporary directory.
    fn place(&self, path: &Path) -> PathBuf {
        let to = self.directory.path().join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(&self.debug, &to).unwrap();
        to
    }
}

fn assert_uses(image: &Image, debug: &Path) {
    assert_eq!(image.debug_file(), Some(debug));
    assert!(image.has_debug_info());
    let function = &image.functions_named("loop")[0];
    assert!(function.die.is_some());
    assert_eq!(image.symbol_at(function.entry).unwrap().name, "loop");
    assert_eq!(image.section_at(function.entry), Some(".text"));
    assert_eq!(image.file_bytes(function.entry, 1).map(<[u8]>::len), Some(1));
}

#[test]
fn a_debug_file_is_found_next_to_the_program() {
    for place in ["bin/program.debug", "bin/.debug/program.debug"] {
        let split = split(&["-Wl,--build-id=none"]);
        let debug = split.place(Path::new(place));
        assert_uses(&split.open(&[]), &debug);
    }
}

#[test]
fn a_debug_file_is_found_where_a_debug_directory_mirrors_the_path() {
    let split = split(&["-Wl,--build-id=none"]);
    let root = split.directory.path().join("debug");
    let mirrored = split.program.parent().unwrap().canonicalize().unwrap();
    let below = Path::new("debug").join(mirrored.strip_prefix("/").unwrap()).join("program.debug");
    let debug = split.place(&below);
    assert_uses(&split.open(&[root]), &debug);
}

#[test]
fn a_debug_file_is_found_by_build_id() {
    let split = split(&["-Wl,--build-id=0x0123456789abcdef"]);
    let image = split.open(&[]);
    assert_eq!(image.build_id(), Some(&[0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef][..]));
    assert_eq!((image.debug_file(), image.has_debug_info()), (None, false));
    let debug = split.place(Path::new("debug/.build-id/01/23456789abcdef.debug"));
    assert_uses(&split.open(&[split.directory.path().join("debug")]), &debug);
}

#[test]
fn a_debug_file_of_another_build_is_refused() {
    let wanted = split(&["-Wl,--build-id=0x0123456789abcdef"]);
    let other = split(&["-Wl,--build-id=0xfedcba9876543210"]);
    let by_id = wanted.directory.path().join("debug/.build-id/01/23456789abcdef.debug");
    let by_link = wanted.program.with_file_name("program.debug");
    fs::create_dir_all(by_id.parent().unwrap()).unwrap();
    fs::copy(&other.debug, by_id).unwrap();
    fs::copy(&other.debug, by_link).unwrap();
    assert_eq!(wanted.open(&[wanted.directory.path().join("debug")]).debug_file(), None);
}

#[test]
fn without_build_ids_the_checksum_decides() {
    let split = split(&["-Wl,--build-id=none"]);
    let debug = split.place(Path::new("bin/program.debug"));
    let mut bytes = fs::read(&debug).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&debug, bytes).unwrap();
    assert_eq!(split.open(&[]).debug_file(), None);
}

#[test]
fn a_program_with_debug_information_of_its_own_needs_no_file() {
    let split = split(&["-Wl,--build-id=none"]);
    let debug = split.place(Path::new("bin/program.debug"));
    let image = Image::open(&debug, &DebugPaths::default()).unwrap();
    assert_eq!(image.debug_file(), None);
    assert!(image.has_debug_info());
}

#[test]
fn the_checksum_is_that_of_ieee_802_3() {
    assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    assert_eq!(crc32(b""), 0);
}
