//! Damaged files of every kind that an image may refer to: nothing may panic, hang, or exhaust memory.

use super::answers::{Answers, Asked};
use super::build::{Build, Storage};
use crate::Image;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// Damages a file of a variant again and again and asks everything each time.
fn damage(build: &Build, way: Storage, file: &str, cases: u32) {
    let asked = Asked::some(build);
    let placed = build.place(way);
    let path = placed.directory.join(file);
    let sound = fs::read(&path).unwrap();
    let places = interesting(&sound);
    let changes =
        prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..12);
    let mut runner = TestRunner::new(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) });
    let result = runner.run(&changes, |changes| {
        let mut bytes = sound.clone();
        for (section, at, byte) in changes {
            let range = &places[section.index(places.len())];
            bytes[range.start + at.index(range.len())] = byte;
        }
        replace(&path, &bytes);
        if let Ok(image) = Image::open(&placed.program(), &placed.paths()) {
            Answers::of(&image, &asked);
            image.debug_sources();
        }
        Ok(())
    });
    replace(&path, &sound);
    result.unwrap();
}

/// Writes a new file in place of one that may be mapped: that one must not change under whoever has it mapped.
fn replace(path: &Path, bytes: &[u8]) {
    let new = path.with_extension("new");
    fs::write(&new, bytes).unwrap();
    fs::rename(new, path).unwrap();
}

/// Finds the sections of debug info, and the headers of the file and of its sections.
fn interesting(bytes: &[u8]) -> Vec<Range<usize>> {
    use object::{Object, ObjectSection};
    let file = object::File::parse(bytes).unwrap();
    let header = 0..64;
    let mut ranges = vec![header];
    for section in file.sections() {
        let name = section.name().unwrap_or_default();
        if let Some((offset, size)) = section.file_range()
            && size > 0
            && [".debug", ".gnu_debug", ".zdebug", ".note.gnu"].iter().any(|prefix| name.starts_with(prefix))
        {
            ranges.push(offset as usize..(offset + size) as usize);
        }
    }
    ranges
}

#[test]
fn damaged_split_units_never_panic() {
    for (compiler, flags, source) in [
        ("gcc", "-gdwarf-4 -O2", "entry_values.c"),
        ("g++", "-gdwarf-5 -O0 -fdebug-types-section", "classes.cpp"),
        ("clang", "-gdwarf-5 -O2", "entry_values.c"),
    ] {
        damage(&Build::new(compiler, flags, &[source]), Storage::Split, "0.dwo", 40);
    }
    damage(&Build::new("gcc", "-gdwarf-5 -O2", &["entry_values.c"]), Storage::Split, "program", 40);
}

#[test]
fn damaged_packages_never_panic() {
    for (compiler, flags, source) in
        [("g++", "-gdwarf-4 -O0 -fdebug-types-section", "classes.cpp"), ("clang", "-gdwarf-5 -O2", "entry_values.c")]
    {
        damage(&Build::new(compiler, flags, &[source]), Storage::Package, "program.dwp", 60);
    }
}

#[test]
fn damaged_supplementary_files_never_panic() {
    let build = Build::new("gcc", "-gdwarf-4 -O0", &["types.c"]);
    damage(&build, Storage::Shared, "shared.sup", 60);
    damage(&build, Storage::Shared, "program", 40);
    let build = Build::new("gcc", "-gdwarf-5 -O0", &["types.c"]);
    damage(&build, Storage::SharedStandard, "shared.sup", 40);
}

#[test]
fn damaged_compressed_sections_never_panic() {
    let build = Build::new("gcc", "-gdwarf-5 -O0", &["types.c"]);
    for way in [Storage::Zlib, Storage::OldZlib, Storage::Zstd, Storage::MiniDebug] {
        damage(&build, way, "program", 40);
    }
}

#[test]
fn damaged_links_never_panic() {
    let build = Build::new("gcc", "-gdwarf-5 -O0", &["scopes.c"]);
    damage(&build, Storage::Linked, "program", 40);
    damage(&build, Storage::Linked, "program.debug", 40);
}
