use super::*;
use crate::cache::disk::Cache;
use crate::testing::{Gate, Program, build};
use crate::{CancelledWork, DebugPaths, DieId, Function, Image, Progress, TypeTag, Work};
use base::cancel::Cancel;
use object::{Object, ObjectSection};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A program in a file of its own, opened in several ways.
struct Case {
    directory: tempfile::TempDir,
}

impl Case {
    fn new(program: &Program) -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("program"), &program.bytes).unwrap();
        Self { directory }
    }

    fn entries(&self) -> std::path::PathBuf {
        self.directory.path().join("cache")
    }

    fn open(&self, cache: Cache) -> Arc<Image> {
        self.open_watched(cache, &Work::default())
    }

    fn open_watched(&self, cache: Cache, work: &Work) -> Arc<Image> {
        let path = self.directory.path().join("program");
        Image::open_cached(&path, &path, &DebugPaths::default(), cache, work).unwrap()
    }

    /// With all names indexed.
    fn whole(&self) -> Arc<Image> {
        self.open(Cache::default())
    }

    /// With a directory of names that nobody keeps.
    fn unkept(&self) -> Arc<Image> {
        self.open(Cache::off(0))
    }

    /// With one that is kept.
    fn kept(&self) -> Arc<Image> {
        self.open(Cache::at(&self.entries(), 1 << 30, 0))
    }

    /// The file that the cache keeps the directory in.
    fn file(&self) -> Option<std::path::PathBuf> {
        let files = std::fs::read_dir(self.entries()).ok()?.map(|file| file.unwrap().path());
        files.into_iter().find(|path| path.extension().is_some_and(|e| e == "names"))
    }
}

/// All names of a program, and what users write for them.
fn questions(image: &Image, is_own: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let names = image.with_debug(|debug| debug.index().names());
    let mut asked = BTreeSet::new();
    for name in names.iter().filter(|name| is_own(name)) {
        asked.insert(name.clone());
        asked.insert(format!("::{name}"));
        asked.insert(format!("elsewhere::{name}"));
        asked.insert(bare(name).to_owned());
        for (at, _) in name.match_indices("::") {
            asked.insert(name[at + 2..].to_owned());
        }
        for function in image.functions_named(name) {
            asked.insert(function.name.clone());
            asked.extend(function.linkage_name);
            asked.extend(function.name.split_once("::").map(|(_, rest)| rest.to_owned()));
            asked.extend(function.name.split_once('(').map(|(name, _)| name.to_owned()));
        }
    }
    asked
}

/// Everything that is said about a name.
#[derive(Debug, PartialEq)]
struct Answer {
    functions: Vec<Function>,
    copies: Vec<(arch::LinkAddr, DieId)>,
    types: [Option<String>; 4],
    enumerator: Option<String>,
    global: Option<(String, DieId)>,
    globals: BTreeSet<String>,
}

fn answer(image: &Image, name: &str) -> Answer {
    let tags = [None, Some(TypeTag::Struct), Some(TypeTag::Union), Some(TypeTag::Enum)];
    let globals = image.globals_named(None, name);
    Answer {
        functions: image.functions_named(name),
        copies: image.inlined_copies(name),
        types: tags.map(|tag| image.type_named(tag, name).map(|ty| format!("{ty:?}"))),
        enumerator: image.enumerator_in(&[], name).map(|found| format!("{found:?}")),
        global: globals.first().map(|v| (v.name.clone(), v.die)),
        globals: globals.into_iter().map(|v| format!("{} {:?} {:?}", v.name, v.line, v.file)).collect(),
    }
}

fn assert_same(what: &str, image: &Image, asked: &BTreeSet<String>, answers: &[Answer]) {
    for (name, expected) in asked.iter().zip(answers) {
        assert_eq!(answer(image, name), *expected, "{what}: {name}");
    }
}

/// Asks the same of a program with all its names indexed, and with a directory of them: not kept, made and then kept,
/// found, and damaged.
fn compare(what: &str, program: &Program, is_own: impl Fn(&str) -> bool) {
    let case = Case::new(program);
    let whole = case.whole();
    assert!(whole.with_debug(|debug| debug.directory().is_none()));
    let asked = questions(&whole, is_own);
    assert!(asked.len() > 10, "{what}");
    let answers: Vec<Answer> = asked.iter().map(|name| answer(&whole, name)).collect();
    for (how, image) in [("not kept", case.unkept()), ("made", case.kept()), ("found", case.kept())] {
        assert!(image.with_debug(|debug| debug.directory().is_some()), "{what}, {how}");
        assert_same(&format!("{what}, {how}"), &image, &asked, &answers);
    }
    let file = case.file().unwrap_or_else(|| panic!("{what}: it was not kept"));
    let sound = std::fs::read(&file).unwrap();
    let mut damaged = sound.clone();
    *damaged.last_mut().unwrap() ^= 1;
    std::fs::write(&file, &damaged).unwrap();
    assert_same(&format!("{what}, damaged"), &case.kept(), &asked, &answers);
    let contents = |bytes: &[u8]| bytes[56..].to_vec();
    assert_eq!(contents(&std::fs::read(&file).unwrap()), contents(&sound), "{what}: it was made anew");
}

const ID: &str = "-g -Wl,--build-id";

#[test]
fn answers_are_those_of_the_index_of_all_names_in_c() {
    for compiler in ["gcc", "clang"] {
        for flags in ["-gdwarf-4 -O0", "-gdwarf-5 -O2", "-gdwarf-5 -O2 -gz=zlib"] {
            let flags = format!("{ID} {flags}");
            for sources in [
                &["same_name_a.c", "same_name_b.c"][..],
                &["incomplete_user.c", "incomplete_definer.c"],
                &["inlined.c"],
                &["types.c"],
            ] {
                let what = format!("{compiler} {flags} {sources:?}");
                compare(&what, &build(compiler, &flags, sources), |_| true);
            }
        }
    }
}

#[test]
fn answers_are_those_of_the_index_of_all_names_in_cpp() {
    for compiler in ["g++", "clang++"] {
        for flags in ["-gdwarf-4 -O0", "-gdwarf-5 -O2"] {
            for source in ["names.cpp", "classes.cpp", "qualified_names.cpp", "objects.cpp"] {
                let what = format!("{compiler} {flags} {source}");
                let program = build(compiler, &format!("{ID} {flags}"), &[source]);
                // The library's names are many, and all of a kind.
                compare(&what, &program, |name| !name.starts_with("std::") && !name.starts_with("__"));
            }
        }
    }
    let simple = build("clang++", &format!("{ID} -g -O0 -gsimple-template-names"), &["template_names.cpp"]);
    compare("names without arguments", &simple, |_| true);
}

#[test]
fn answers_are_those_of_the_index_of_all_names_in_rust() {
    // Units of the standard library refer to each other.
    for flags in ["", "-Clink-arg=-Wl,--compress-debug-sections=zlib"] {
        let program = build("rustc", &format!("-g -Clink-arg=-Wl,--build-id {flags}"), &["names.rs"]);
        assert_ne!(linked_units(&program), 0);
        compare(flags, &program, |name| name.contains("names") || name.contains("program"));
    }
}

fn linked_units(program: &Program) -> usize {
    let image = Case::new(program).unkept();
    image.with_debug(|debug| debug.directory().map_or(0, |directory| directory.linked().count()))
}

#[test]
fn answers_are_those_of_the_index_of_all_names_in_units_that_refer_to_each_other() {
    for sources in [&["same_name_a.c", "same_name_b.c"][..], &["inlined.c"]] {
        let program = build("gcc", &format!("{ID} -flto -O2"), sources);
        assert_ne!(linked_units(&program), 0);
        compare(&format!("{sources:?}"), &program, |_| true);
    }
    let program = build("g++", &format!("{ID} -flto -O1"), &["classes.cpp"]);
    assert_ne!(linked_units(&program), 0);
    compare("classes.cpp", &program, |name| !name.starts_with("std::") && !name.starts_with("__"));
}

#[test]
fn type_units_are_indexed_with_all_others() {
    let program = build("g++", &format!("{ID} -fdebug-types-section"), &["classes.cpp"]);
    let case = Case::new(&program);
    for image in [case.kept(), case.kept()] {
        assert!(image.with_debug(|debug| debug.directory().is_none()));
        assert_eq!(image.functions_named("main").len(), 1);
    }
}

#[test]
fn units_are_linked_as_long_as_they_are_few() {
    let unit = |number: u32, place: std::ops::Range<usize>, elsewhere: &[usize]| {
        let rows = vec![Row { bare: number, full: 0, parent: 0, unit: number }];
        let each = if elsewhere.is_empty() { rows } else { Vec::new() };
        UnitRows { place, number, elsewhere: elsewhere.to_owned(), each, first: Vec::new() }
    };
    // The last one is in no order, the first one refers to the second and to where nothing is.
    let units = |second: usize, last: usize| {
        let (a, b) = (100, 100 + second);
        Made::of(vec![unit(2, b..b + last, &[]), unit(0, 0..a, &[a + 7, usize::MAX]), unit(1, a..b, &[])])
    };
    let linked = |made: Made| made.names.map(|(linked, rows)| (linked, rows.iter().map(|row| row.unit).collect()));
    assert_eq!(linked(units(50, 50)), Some((BTreeSet::from([0, 1]), vec![2])));
    assert_eq!(linked(units(FEW, 50)), None);
    assert_eq!(linked(units(FEW, 4 * FEW)), Some((BTreeSet::from([0, 1]), vec![2])));
}

#[test]
fn packed_sections_are_kept_unpacked_unless_the_cache_is_off() {
    let program = build("gcc", &format!("{ID} -gz=zlib"), &["types.c"]);
    let case = Case::new(&program);
    let names = |directory: &Path| {
        let files = std::fs::read_dir(directory).into_iter().flatten();
        files.filter_map(|f| Some(f.unwrap().path().extension()?.to_str()?.to_owned())).collect::<BTreeSet<_>>()
    };
    let main = case.unkept().functions_named("main");
    assert!(names(&case.entries()).is_empty());
    assert_eq!(case.kept().functions_named("main"), main);
    // The places are written by the thread that has decompressed the section, whoever has his answer already.
    let wanted = ["places", "debug_str", "names"];
    let is_writing = |kept: &BTreeSet<String>| kept.iter().any(|name| name.parse::<u32>().is_ok());
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut kept = names(&case.entries());
    while !wanted.iter().all(|name| kept.contains(*name)) || is_writing(&kept) {
        assert!(Instant::now() < deadline, "{kept:?}");
        std::thread::yield_now();
        kept = names(&case.entries());
    }
    // A section that is not what was written is decompressed anew.
    for file in std::fs::read_dir(case.entries()).unwrap() {
        let path = file.unwrap().path();
        let length = std::fs::metadata(&path).unwrap().len() as usize;
        std::fs::write(path, vec![0; length]).unwrap();
    }
    assert_eq!(case.kept().functions_named("main"), main);
}

#[test]
fn images_of_one_file_opened_at_the_same_time_agree() {
    let program = build("gcc", &format!("{ID} -gz=zlib"), &["types.c"]);
    let case = Case::new(&program);
    let main = case.whole().functions_named("main");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(case.kept().functions_named("main"), main));
        }
    });
}

#[test]
fn rows_are_found_again() {
    let row = Row { bare: 1, full: u32::MAX, parent: 0x0102_0304, unit: 7 };
    assert_eq!(Row::of(&row.bytes()), row);
}

#[test]
fn a_section_that_cannot_be_unpacked_is_waited_for_no_longer() {
    let program = build("gcc", &format!("{ID} -gz=zlib"), &["types.c"]);
    let mut bytes = program.bytes.to_vec();
    let file = object::File::parse(&*program.bytes).unwrap();
    let (offset, size) = file.section_by_name(".debug_info").unwrap().file_range().unwrap();
    // The header of the section and that of the stream stay.
    bytes[(offset + 40) as usize..(offset + size) as usize].fill(0xff);
    let case = Case::new(&Program { bytes: bytes.into(), ..program });
    for _ in 0..2 {
        let image = case.kept();
        let main = image.functions_named("main");
        assert_eq!(main.iter().map(|f| f.die).collect::<Vec<_>>(), [None]);
        assert!(image.problems()[0].contains(".debug_info"), "{:?}", image.problems());
    }
    let files = std::fs::read_dir(case.entries()).into_iter().flatten().map(|f| f.unwrap().file_name());
    assert!(!files.into_iter().any(|name| name.to_string_lossy().contains("places")));
}

/// Asks something until it has been looked so often whether it is cancelled. Also gives the progress that was seen.
fn ask_until<R>(look: usize, work: &Work, ask: impl FnOnce() -> R) -> (Result<R, CancelledWork>, Vec<Progress>) {
    let (looks, seen, asked) = (Arc::<AtomicUsize>::default(), Arc::<Mutex<Vec<Progress>>>::default(), work.clone());
    let told = seen.clone();
    let cancel = Cancel::default();
    let cancelled = cancel.clone();
    work.on_look(move || {
        told.lock().unwrap().extend(asked.progress());
        if looks.fetch_add(1, Ordering::Relaxed) >= look {
            cancelled.cancel();
        }
    });
    let answer = work.attempt(&cancel, ask);
    let seen = seen.lock().unwrap().clone();
    (answer, seen)
}

#[test]
fn what_was_given_up_is_read_again_and_nothing_of_it_is_kept() {
    type Open = fn(&Case, &Work) -> Arc<Image>;
    let whole: Open = |case, work| case.open_watched(Cache::default(), work);
    let unkept: Open = |case, work| case.open_watched(Cache::off(0), work);
    let kept: Open = |case, work| case.open_watched(Cache::at(&case.entries(), 1 << 30, 0), work);
    let cpp = ["g++", "-g -O1", "classes.cpp"];
    let compressed = ["g++", "-g -O1 -gz=zlib", "classes.cpp"];
    let linked = ["g++", "-g -O1 -flto", "classes.cpp"];
    let rust = ["rustc", "-g", "names.rs"];
    for (what, [compiler, flags, source], open) in [
        ("all names", cpp, whole),
        ("a directory", cpp, unkept),
        ("a directory that is kept", cpp, kept),
        ("packed", compressed, unkept),
        ("packed, kept", compressed, kept),
        ("units that refer to each other", linked, kept),
        ("units of a library", rust, kept),
    ] {
        let build_id = if compiler == "rustc" { "-Clink-arg=-Wl,--build-id" } else { "-Wl,--build-id" };
        let program = build(compiler, &format!("{flags} {build_id}"), &[source]);
        let answers = |image: &Image| (answer(image, "main"), answer(image, "Point"), image.files_matching(source));
        let expected = answers(&Case::new(&program).whole());
        assert_eq!(expected.0.functions.len(), if compiler == "rustc" { 2 } else { 1 }, "{what}");
        let (mut look, mut cancelled) = (0, 0);
        loop {
            let (case, work) = (Case::new(&program), Work::strict());
            let image = open(&case, &work);
            let (answer, seen) = ask_until(look, &work, || answers(&image));
            assert_eq!(work.progress(), None, "{what}");
            match answer {
                Ok(answer) => {
                    assert_eq!(answer, expected, "{what}");
                    let furthest =
                        seen.iter().filter(|p| p.to_string().contains("reading debug info")).max_by_key(|p| p.done);
                    let furthest = furthest.unwrap_or_else(|| panic!("{what}: {seen:?}"));
                    // What is read in the background is not always waited for to its end.
                    if what == "all names" {
                        assert_eq!((furthest.done, furthest.total > 0), (furthest.total, true), "{what}");
                    }
                    break;
                }
                Err(_) => cancelled += 1,
            }
            assert_eq!(answers(&image), expected, "{what}, asked again after look {look}");
            // What is kept is whole.
            assert_eq!(answers(&open(&case, &Work::default())), expected, "{what}, opened again after look {look}");
            look += 1 + look / 3;
        }
        assert!(cancelled > 0, "{what}: never cancelled");
    }
}

#[test]
fn who_waits_for_names_that_are_read_in_the_background_may_give_up() {
    let program = build("g++", "-g -O1", &["classes.cpp"]);
    let case = Case::new(&program);
    let (gate, work) = (Arc::<Gate>::default(), Work::strict());
    let image = case.open_watched(Cache::off_behind(gate.clone()), &work);
    for look in [0, 1, 3] {
        let (answer, seen) = ask_until(look, &work, || answer(&image, "main"));
        assert!(answer.is_err());
        assert!(seen.iter().all(|progress| progress.to_string().starts_with(READING)), "{seen:?}");
    }
    gate.open();
    assert_eq!(answer(&image, "main"), answer(&case.whole(), "main"));
}

#[test]
fn sections_packed_with_zstd_are_kept_unpacked_as_well() {
    let program = build("g++", &format!("{ID} -O1"), &["classes.cpp"]);
    let case = Case::new(&program);
    let path = case.directory.path().join("program");
    let compressed = std::process::Command::new("objcopy").arg("--compress-debug-sections=zstd").arg(&path).status();
    assert!(compressed.unwrap().success());
    let expected = (answer(&program.image, "main"), answer(&program.image, "geometry::Point"));
    let answers = |image: &Image| (answer(image, "main"), answer(image, "geometry::Point"));
    assert_eq!(answers(&case.whole()), expected);
    let (mut look, mut cancelled) = (0, 0);
    loop {
        let work = Work::strict();
        let image = case.open_watched(Cache::off(0), &work);
        match ask_until(look, &work, || answers(&image)).0 {
            Ok(answer) => break assert_eq!(answer, expected),
            Err(_) => cancelled += 1,
        }
        assert_eq!(answers(&image), expected, "asked again after look {look}");
        look += 1;
    }
    assert!(cancelled > 0, "never cancelled");
    for _ in 0..2 {
        assert_eq!(answers(&case.kept()), expected);
        let kept: BTreeSet<_> = std::fs::read_dir(case.entries())
            .unwrap()
            .filter_map(|file| Some(file.unwrap().path().extension()?.to_str()?.to_owned()))
            .collect();
        for name in ["debug_info", "debug_str", "names"] {
            assert!(kept.contains(name), "{kept:?}");
        }
    }
}
