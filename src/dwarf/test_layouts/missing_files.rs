//! What is said when a part of the debug info is missing or is that of another build: to whom it makes a difference,
//! once, with where it was looked for.

use super::build::{Build, Placed, Storage, move_to, run};
use crate::{DebugPaths, Image, SymbolSource, Work};
use std::fs;
use std::sync::Arc;

fn build(source: &str) -> Build {
    Build::new("gcc", "-gdwarf-5 -O0", &[source])
}

/// Returns the first instruction of `main`, by its symbol.
fn main_of(image: &Image) -> arch::LinkAddr {
    image.symbols_named("main")[0].address
}

fn assert_lines_and_symbols_only(image: &Image, file: &str) {
    let main = main_of(image);
    assert_eq!(image.line_at(main).unwrap().file.path.file_name().unwrap(), file);
    let function = image.function_at(main).unwrap();
    assert_eq!((function.name.as_str(), function.die), ("main", None));
    assert!(image.variables_at(main, 0).is_empty());
}

#[test]
fn a_missing_split_unit_is_told_to_who_looks_into_it() {
    let build = build("types.c");
    let placed = build.place(Storage::Split);
    fs::remove_file(placed.directory.join("0.dwo")).unwrap();
    let image = placed.image();
    let main = main_of(&image);
    assert_eq!(image.take_problems(), [""; 0]);
    assert_lines_and_symbols_only(&image, "types.c");
    let problems = image.take_problems();
    let place = placed.directory.display();
    let beginning = format!("the debug info of a unit is in 0.dwo, which was not found: no 0.dwo in {place}, ");
    assert!(problems.len() == 1 && problems[0].starts_with(&beginning), "{problems:?}");
    assert!(image.function_at(main).is_some());
    assert_eq!(image.take_problems(), [""; 0]);
    assert_eq!(image.problems(), problems);
}

#[test]
fn a_split_unit_of_another_build_is_not_used() {
    let (wanted, other) = (build("types.c"), build("scopes.c"));
    let placed = wanted.place(Storage::Split);
    let dwo = placed.directory.join("0.dwo");
    fs::copy(other.place(Storage::Split).directory.join("0.dwo"), &dwo).unwrap();
    let image = placed.image();
    assert_lines_and_symbols_only(&image, "types.c");
    let problems = image.take_problems();
    let expected = format!("{} is of another build, without a unit of the id 0x", dwo.display());
    assert!(problems.len() == 1 && problems[0].contains(&expected), "{problems:?}");
}

#[test]
fn a_package_of_another_build_is_not_used() {
    let clang = |source: &str| Build::new("clang", "-gdwarf-5 -O0", &[source]);
    let (wanted, other) = (clang("types.c"), clang("scopes.c"));
    let placed = wanted.place(Storage::Package);
    let package = placed.directory.join("program.dwp");
    fs::copy(other.place(Storage::Package).directory.join("program.dwp"), &package).unwrap();
    let image = placed.image();
    assert_lines_and_symbols_only(&image, "types.c");
    let problems = image.take_problems();
    let expected = format!("{} has no unit of its id", package.display());
    assert!(problems.len() == 1 && problems[0].ends_with(&expected), "{problems:?}");
}

#[test]
fn a_split_unit_beside_an_old_package_is_used() {
    let (wanted, other) = (build("types.c"), Build::new("clang", "-gdwarf-5 -O0", &["scopes.c"]));
    let placed = wanted.place(Storage::Split);
    fs::copy(other.place(Storage::Package).directory.join("program.dwp"), placed.directory.join("program.dwp"))
        .unwrap();
    let image = placed.image();
    assert!(image.function_at(main_of(&image)).unwrap().die.is_some());
    assert_eq!(image.problems(), [""; 0]);
}

/// Moves the parts of a program where only links and names lead to them.
fn moved(placed: &Placed, parts: &[&str]) -> Arc<Image> {
    for part in parts {
        move_to(&placed.directory.join(part), &placed.directory.join("elsewhere").join(part));
    }
    let copy = placed.directory.join("copy");
    fs::copy(placed.program(), &copy).unwrap();
    let known_as = placed.directory.join("elsewhere/program");
    Image::open_copy(&copy, &known_as, &DebugPaths::default(), &Work::default()).unwrap()
}

#[test]
fn what_belongs_to_a_file_is_found_beside_the_path_that_it_was_known_as() {
    let split = build("types.c");
    let image = moved(&split.place(Storage::Split), &["0.dwo"]);
    assert!(image.function_at(main_of(&image)).unwrap().die.is_some());
    let clang = Build::new("clang", "-gdwarf-5 -O0", &["types.c"]);
    let image = moved(&clang.place(Storage::Package), &["program.dwp"]);
    assert!(image.function_at(image.symbols_named("main")[0].address).unwrap().die.is_some());
    assert!(image.debug_sources().package.unwrap().ends_with("elsewhere/program.dwp"));
    let linked = build("scopes.c");
    let image = moved(&linked.place(Storage::Linked), &["program.debug"]);
    assert!(image.debug_file().unwrap().ends_with("elsewhere/program.debug"));
    let shared = build("vla.c");
    let image = moved(&shared.place(Storage::Shared), &["shared.sup"]);
    assert!(image.debug_sources().supplement.unwrap().ends_with("elsewhere/shared.sup"));
    assert_eq!(image.functions_named("main").len(), 1);
}

#[test]
fn a_missing_supplementary_file_is_told_to_who_needs_it() {
    let build = build("types.c");
    let placed = build.place(Storage::Shared);
    let shared = placed.directory.join("shared.sup");
    let kept = fs::read(&shared).unwrap();
    fs::remove_file(&shared).unwrap();
    let image = placed.image();
    assert_eq!(image.take_problems(), [""; 0]);
    let main = main_of(&image);
    assert_eq!(image.function_at(main).unwrap().name, "main");
    // Names and types are in the other file.
    image.globals_named(None, "truth");
    let problems = image.take_problems();
    let (program, place) = (placed.program().display().to_string(), shared.display().to_string());
    let text = format!("the supplementary file that {program} shares debug info with was not found: not at {place}");
    assert!(problems.len() == 1 && problems[0].starts_with(&text), "{problems:?}");

    fs::write(&shared, kept).unwrap();
    run(&placed.directory, "objcopy", &["--remove-section=.note.gnu.build-id", "shared.sup"]);
    let image = placed.image();
    image.globals_named(None, "truth");
    let problems = image.take_problems();
    let text = format!("{place} is of another build, by its checksum");
    assert!(problems.len() == 1 && problems[0].contains(&text), "{problems:?}");
}

#[test]
fn a_debug_file_of_another_build_is_told_to_who_needs_it() {
    let (wanted, other) = (build("types.c"), build("scopes.c"));
    let placed = wanted.place(Storage::Linked);
    let debug = placed.directory.join("program.debug");
    fs::copy(other.place(Storage::Linked).directory.join("program.debug"), &debug).unwrap();
    let image = placed.image();
    assert_eq!(image.take_problems(), [""; 0]);
    image.line_at(image.entry());
    let problems = image.take_problems();
    let text = format!("there is no debug info: {} is of another build, with build-id ", debug.display());
    assert!(problems.len() == 1 && problems[0].starts_with(&text), "{problems:?}");
    let sources = image.debug_sources();
    assert_eq!((sources.file, sources.symbols), (None, SymbolSource::Dynamic));
    assert!(sources.why_none.unwrap().starts_with(&debug.display().to_string()));
}

#[test]
fn why_there_is_no_debug_info() {
    let build = Build::new("gcc", "-O0 -s -Wl,--build-id=none", &["types.c"]);
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("program");
    fs::copy(build.place(Storage::Plain).program(), &program).unwrap();
    run(directory.path(), "objcopy", &["--remove-section=.note.gnu.build-id", "program"]);
    let why = |paths: &DebugPaths| Image::open(&program, paths).unwrap().debug_sources().why_none.unwrap();
    let paths = DebugPaths { directories: vec!["/d".into()], debuginfod_cache: Some("/c".into()) };
    assert_eq!(why(&paths), "the file has none, and has neither a build-id nor a debug link to search with");
    let id = "--build-id=0xabcdef";
    let source = build.sources()[0].to_str().unwrap();
    run(directory.path(), "gcc", &["-O0", "-s", &format!("-Wl,{id}"), "-o", "program", source]);
    assert_eq!(why(&paths), "not at /d/.build-id/ab/cdef.debug, /c/abcdef/debuginfo");
    assert_eq!(
        why(&DebugPaths::default()),
        "the file has none, and has neither a build-id nor a debug link to search with"
    );
}

#[test]
fn sources_name_the_files_that_are_used() {
    let build = build("types.c");
    let sources = |way| build.image(way).debug_sources();
    assert_eq!(sources(Storage::Plain).file, Some(build.place(Storage::Plain).program()));
    let linked = build.place(Storage::Linked).directory.join("program.debug");
    assert_eq!(sources(Storage::Linked).file, Some(linked));
    assert_eq!(sources(Storage::Linked).symbols, SymbolSource::Full);
    let shared = build.place(Storage::Shared).directory.join("shared.sup");
    assert_eq!(sources(Storage::Shared).supplement, Some(shared));
}
