//! For tests: the same program with its debug info kept in all the ways that compilers and distributions keep it. Each
//! has to give the same answers as the program with plain debug info.

mod answers;
mod build;
mod damage;
mod missing_files;

use crate::SymbolSource;
use answers::{Answers, Asked};
use build::{Build, Storage};

/// Compares the answers of several ways of keeping a program's debug info with those of the plain one.
#[track_caller]
fn assert_same(build: &Build, asked: &Asked, ways: &[Storage]) {
    let plain = Answers::of(&build.image(Storage::Plain), asked);
    plain.assert_rich(build);
    for way in ways {
        let image = build.image(*way);
        let answers = Answers::of(&image, asked);
        plain.assert_equal(&answers, &format!("{build} kept as {way:?}"));
        assert_eq!(image.problems(), [""; 0], "{build} kept as {way:?}");
    }
}

/// C in several units, with and without optimization.
const C: [(&str, &[&str]); 4] = [
    ("-O0", &["types.c"]),
    ("-O0", &["scopes.c"]),
    ("-O2", &["inline_chain.c"]),
    ("-O0", &["same_name_a.c", "same_name_b.c"]),
];

const CPP: [(&str, &[&str]); 2] = [("-O0", &["classes.cpp"]), ("-O2", &["qualified_names.cpp"])];

/// Builds every fixture with a compiler for C and one for C++, in both versions of DWARF.
fn every_build(compilers: [&'static str; 2], versions: &[u32], then: impl Fn(&Build, &Asked)) {
    for version in versions {
        for (compiler, fixtures) in compilers.into_iter().zip([&C[..], &CPP[..]]) {
            for (optimization, sources) in fixtures {
                let build = Build::new(compiler, &format!("-gdwarf-{version} {optimization}"), sources);
                let asked = Asked::about(&build);
                then(&build, &asked);
            }
        }
    }
}

#[test]
fn split_units_beside_the_program() {
    every_build(["gcc", "g++"], &[4, 5], |build, asked| assert_same(build, asked, &[Storage::Split]));
    every_build(["clang", "clang++"], &[4, 5], |build, asked| assert_same(build, asked, &[Storage::Split]));
}

#[test]
fn split_units_of_optimized_code() {
    // GCC before DWARF 5 measures ranges of location lists before the assembler has chosen the lengths of jumps: some
    // end early, which is no matter of who reads them.
    for (compiler, version) in [("gcc", 5), ("clang", 4), ("clang", 5)] {
        for source in ["entry_values.c", "cold_part.c", "specialized.c", "pieces.c"] {
            let build = Build::new(compiler, &format!("-gdwarf-{version} -O2"), &[source]);
            assert_same(&build, &Asked::about(&build), &[Storage::Split]);
        }
    }
}

#[test]
fn split_units_with_types_of_their_own() {
    for (compiler, source) in [("g++", "classes.cpp"), ("gcc", "types.c"), ("clang++", "classes.cpp")] {
        for version in [4, 5] {
            let build = Build::new(compiler, &format!("-gdwarf-{version} -O0 -fdebug-types-section"), &[source]);
            let packable = version == 4 || compiler == "clang++";
            let ways = if packable { &[Storage::Split, Storage::Package][..] } else { &[Storage::Split] };
            assert_same(&build, &Asked::about(&build), ways);
        }
    }
}

#[test]
fn split_units_in_a_package() {
    // llvm-dwp 14 does not come to an end with GCC's DWARF 5.
    every_build(["gcc", "g++"], &[4], |build, asked| assert_same(build, asked, &[Storage::Package]));
    every_build(["clang", "clang++"], &[4, 5], |build, asked| assert_same(build, asked, &[Storage::Package]));
}

#[test]
fn a_package_of_the_older_format() {
    // GNU's tool for packages knows the format before DWARF 5 only.
    every_build(["gcc", "g++"], &[4], |build, asked| assert_same(build, asked, &[Storage::GnuPackage]));
}

#[test]
fn split_units_inside_the_object_files() {
    every_build(["clang", "clang++"], &[4, 5], |build, asked| assert_same(build, asked, &[Storage::SplitInObjects]));
}

#[test]
fn supplementary_files() {
    every_build(["gcc", "g++"], &[4, 5], |build, asked| {
        assert_same(build, asked, &[Storage::Shared, Storage::Deduplicated]);
    });
    // dwz does not know the forms that clang uses in DWARF 5.
    every_build(["clang", "clang++"], &[4], |build, asked| {
        assert_same(build, asked, &[Storage::Shared, Storage::Deduplicated]);
    });
}

#[test]
fn a_supplementary_file_of_the_standard_form() {
    every_build(["gcc", "g++"], &[5], |build, asked| assert_same(build, asked, &[Storage::SharedStandard]));
}

#[test]
fn compressed_sections() {
    every_build(["gcc", "g++"], &[4, 5], |build, asked| {
        assert_same(build, asked, &[Storage::Zlib, Storage::OldZlib, Storage::Zstd]);
    });
    every_build(["clang", "clang++"], &[5], |build, asked| {
        assert_same(build, asked, &[Storage::Zlib, Storage::OldZlib, Storage::Zstd]);
    });
}

#[test]
fn separate_files() {
    let ways = [Storage::Linked, Storage::ByBuildId, Storage::Fetched, Storage::SharedByBuildId];
    every_build(["gcc", "g++"], &[4, 5], |build, asked| assert_same(build, asked, &ways));
}

#[test]
fn separate_and_split() {
    every_build(["clang", "clang++"], &[5], |build, asked| {
        assert_same(build, asked, &[Storage::SplitAndLinked, Storage::PackageBesideDebugFile]);
    });
}

#[test]
fn symbols_that_a_distribution_left() {
    let build = Build::new("gcc", "-gdwarf-5 -O0", &["same_name_a.c", "same_name_b.c"]);
    let (plain, small) = (build.image(Storage::Plain), build.image(Storage::MiniDebug));
    let helpers = |image: &crate::image::facade::Image| image.symbols_named("helper");
    assert_eq!(helpers(&plain).len(), 2);
    assert_eq!(helpers(&small), helpers(&plain));
    let function = small.function_at(helpers(&small)[0].address).unwrap();
    assert_eq!((function.name.as_str(), function.die), ("helper", None));
    // What is exported is in the ordinary table.
    assert_eq!(small.symbols_named("main"), plain.symbols_named("main"));
    assert_eq!(small.debug_sources().symbols, SymbolSource::Mini);
    assert!(!small.has_debug_info());
}

#[test]
fn rust() {
    for (optimization, source) in
        [("-Copt-level=0", "rust_types.rs"), ("-Copt-level=2", "rust_paths.rs"), ("-Copt-level=0", "names.rs")]
    {
        let build = Build::new("rustc", &format!("-g {optimization}"), &[source]);
        let ways = [Storage::Split, Storage::Package, Storage::Zstd, Storage::ByBuildId];
        assert_same(&build, &Asked::about(&build), &ways);
    }
}
