//! For tests: everything that can be asked of an image, asked of images whose debug information is damaged. Nothing
//! may panic, hang, or exhaust memory, whatever the answers are.
//!
//! A few damaged files are asked each time. For longer, and with damaged caches, too:
//!
//! ```text
//! RETROGRADE_FUZZ_SECONDS=600 cargo test --lib damaged_files_and_caches -- --nocapture
//! ```
//!
//! `RETROGRADE_FUZZ_SEED` (1) is where the random numbers start.

use crate::cache::disk::Cache;
use crate::fuzz::{self, Target};
use crate::testing::{Frame, build};
use crate::{Image, TypeTag, Work};
use arch::{Bias, LinkAddr};
use ctype::{Type, TypeRef};
use object::{Object, ObjectSection};
use proptest::prelude::*;
use std::collections::HashMap;
use std::ops::Range;

/// Addresses that are asked about in each file.
const PLACES: u64 = 40;

/// A sound file: its bytes, where its debug and unwind sections are in it, and addresses of its code.
struct Sound {
    bytes: Vec<u8>,
    sections: HashMap<String, Range<usize>>,
    code: Vec<u64>,
    names: &'static [&'static str],
}

impl Sound {
    fn new(compiler: &str, flags: &str, source: &str, names: &'static [&'static str]) -> Self {
        let program = build(compiler, flags, &[source]);
        let bytes = program.bytes.to_vec();
        let file = object::File::parse(&*bytes).unwrap();
        let mut sections = HashMap::new();
        for section in file.sections() {
            let name = section.name().unwrap();
            if let Some((offset, size)) = section.file_range()
                && size > 0
                && (name.starts_with(".debug_") || name.starts_with(".eh_frame"))
            {
                sections.insert(name.to_owned(), offset as usize..(offset + size) as usize);
            }
        }
        let text = file.section_by_name(".text").unwrap();
        let step = (text.size() / PLACES).max(1) as usize;
        let code = (text.address()..text.address() + text.size()).step_by(step).collect();
        Self { bytes, sections, code, names }
    }

    /// Makes a copy with some bytes of its debug sections replaced.
    fn damaged(&self, damage: &[(prop::sample::Index, prop::sample::Index, u8)]) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        let mut sections: Vec<_> = self.sections.values().cloned().collect();
        sections.sort_by_key(|range| range.start);
        for (section, at, byte) in damage {
            let range = sections[section.index(sections.len())].clone();
            bytes[range.start + at.index(range.len())] = *byte;
        }
        bytes
    }
}

fn frame(pc: u64) -> Frame {
    let mut frame = Frame::at(LinkAddr(pc));
    frame.registers.extend((0..17).map(|number| (number, 0x7000)));
    frame.cfa = Some(0x7100);
    frame.tls = Some(0x8000);
    frame.bias = Bias(0x1_0000);
    for address in 0x6f00..0x7200 {
        frame.write(address, &[address as u8]);
    }
    frame
}

/// Follows the links of a type, a hundred types at most.
fn walk(ty: &TypeRef) {
    let mut unseen = vec![ty.clone()];
    for _ in 0..100 {
        let Some(ty) = unseen.pop() else { return };
        match &*ty {
            Type::Pointer { target, .. }
            | Type::MemberPointer { target, .. }
            | Type::Typedef { target, .. }
            | Type::Qualified { target, .. } => {
                unseen.push(target.get());
            }
            Type::Array { element, .. } | Type::Described { element, .. } => unseen.push(element.get()),
            Type::Record(record) => unseen.extend(record.members.iter().take(20).map(|member| member.ty.get())),
            Type::Function { result, parameters, .. } => {
                unseen.push(result.get());
                unseen.extend(parameters.iter().take(20).map(|parameter| parameter.get()));
            }
            Type::Void | Type::Base { .. } | Type::Enumeration(_) | Type::Opaque(_) | Type::Indirect => {}
        }
    }
}

fn ask_everything(image: &Image, sound: &Sound) {
    for name in sound.names {
        for tag in [None, Some(TypeTag::Struct), Some(TypeTag::Union), Some(TypeTag::Enum)] {
            image.type_named(tag, name).inspect(walk);
        }
        image.enumerator_in(&[], name).inspect(|(ty, _)| walk(ty));
        for variable in image.globals_named(None, name) {
            walk(&variable.ty);
            image.variable_location(&variable, &mut frame(0));
        }
        for function in image.functions_named(name) {
            function.die.and_then(|die| image.function_type(die)).iter().for_each(walk);
            image.tail_called(function.entry);
        }
    }
    for &pc in &sound.code {
        let mut frame = frame(pc);
        let pc = LinkAddr(pc);
        for level in 0..image.inline_chain(pc).len().min(4) {
            for variable in image.variables_at(pc, level) {
                walk(&image.concrete_type(&variable.ty, &mut frame));
                image.variable_location(&variable, &mut frame);
            }
        }
        if let Some(scope) = image.macro_scope(pc, 0) {
            for name in sound.names {
                image.macro_named(&scope, name);
                image.macros_named(&scope, name);
            }
        }
        image.call_site_target(pc, &mut frame);
        image.call_site_value(pc, 5, &mut frame);
        image.language_at(pc);
        let _ = image.unwind(pc, &mut frame);
    }
}

fn check(sound: &Sound, damage: &[(prop::sample::Index, prop::sample::Index, u8)]) {
    let bytes = sound.damaged(damage);
    // Also with a directory of names, as large files have it.
    for cache in [Cache::default(), Cache::off(0)] {
        if let Ok(image) = Image::from_bytes_cached("damaged", bytes.clone(), cache, &Work::default()) {
            ask_everything(&image, sound);
        }
    }
}

fn damage() -> impl Strategy<Value = Vec<(prop::sample::Index, prop::sample::Index, u8)>> {
    prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..20)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn damaged_locations_never_panic(damage in damage()) {
        let names = &["function", "int"];
        check(&Sound::new("gcc", "-nostdlib -shared", "locations.s", names), &damage);
    }

    #[test]
    fn damaged_c_never_panics(damage in damage()) {
        let names = &["sum", "buffer", "main", "int", "short"];
        check(&Sound::new("gcc", "-gdwarf-5 -O0", "vla.c", names), &damage);
        let names = &["flags", "straddling", "overlay", "unsigned", "main"];
        check(&Sound::new("clang", "-gdwarf-4", "bitfields.c", names), &damage);
    }

    #[test]
    fn damaged_optimized_code_never_panics(damage in damage()) {
        let names = &["outer", "forget", "sink", "main", "long"];
        check(&Sound::new("gcc", "-gdwarf-5 -O2", "entry_values.c", names), &damage);
        check(&Sound::new("clang", "-gdwarf-5 -O2", "inlined.c", &["twice", "clamp", "int"]), &damage);
    }

    #[test]
    fn damaged_macros_never_panic(damage in damage()) {
        let names = &["main", "FIRST", "SEVERAL", "COMMAND", "__STDC__"];
        check(&Sound::new("gcc", "-g3 -gdwarf-5 -DCOMMAND=42", "macros.c", names), &damage);
        check(&Sound::new("gcc", "-g3 -gdwarf-4 -gstrict-dwarf -DCOMMAND=42", "macros.c", names), &damage);
        check(&Sound::new("clang", "-g -gdwarf-5 -fdebug-macro -DCOMMAND=42", "macros.c", names), &damage);
    }

    #[test]
    fn damaged_cpp_never_panics(damage in damage()) {
        let names = &["Shape", "geometry::Point", "Axis", "Axis::Y", "message", "left", "box", "count", "main"];
        check(&Sound::new("g++", "-gdwarf-4 -fdebug-types-section -std=c++17", "classes.cpp", names), &damage);
    }
}

/// Files of several compilers, versions, languages and ways to compress.
const FUZZED: [(&str, &str, &str, &[&str]); 11] = [
    ("gcc", "-g -nostdlib -shared", "locations.s", &["function", "int"]),
    ("gcc", "-gdwarf-5 -O0", "vla.c", &["sum", "buffer", "main", "int", "short"]),
    ("clang", "-gdwarf-4", "bitfields.c", &["flags", "straddling", "overlay", "unsigned", "main"]),
    ("gcc", "-gdwarf-5 -O2", "entry_values.c", &["outer", "forget", "sink", "main", "long"]),
    ("clang", "-gdwarf-5 -O2", "inlined.c", &["twice", "clamp", "int"]),
    ("g++", "-gdwarf-4 -fdebug-types-section", "classes.cpp", &["Shape", "geometry::Point", "Axis::Y", "main"]),
    ("g++", "-gdwarf-5 -O2 -gz=zlib", "classes.cpp", &["Shape", "geometry::Point", "Axis::Y", "main"]),
    ("gcc", "-gdwarf-5 -gz=zlib", "types.c", &["main", "int", "point"]),
    ("gcc", "-g3 -gdwarf-5", "macros.c", &["main", "FIRST", "SEVERAL"]),
    ("clang", "-g -gdwarf-5 -fdebug-macro", "macros.c", &["main", "FIRST", "SEVERAL"]),
    ("gcc", "-gdwarf-4 -gz=zlib-gnu", "types.c", &["main", "int", "point"]),
];

/// Linear congruential: the same seed makes the same damage.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }

    /// Damages bytes: replaces, cuts out, doubles, cuts off.
    fn damage(&mut self, bytes: &mut Vec<u8>, within: Range<usize>) {
        for _ in 0..=self.below(12) {
            let at = (within.start + self.below(within.len())).min(bytes.len().saturating_sub(1));
            let end = (at + self.below(64)).min(bytes.len());
            match self.below(20) {
                0 => drop(bytes.drain(at..end)),
                1 => {
                    let doubled = bytes.get(at..end).unwrap_or_default().to_vec();
                    bytes.splice(at..at, doubled);
                }
                2 if self.below(8) == 0 => bytes.truncate(at),
                3 => bytes.get_mut(at..end).unwrap_or_default().fill(0xff),
                4 => bytes.get_mut(at..end).unwrap_or_default().fill(0),
                _ => {
                    let value = self.below(256) as u8;
                    bytes.get_mut(at..).unwrap_or_default().iter_mut().take(1).for_each(|byte| *byte = value);
                }
            }
        }
    }
}

/// Writes to an entry of a cache as a failing disk does: its times stay.
fn replace_entry(path: &std::path::Path, bytes: &[u8]) {
    let modified = std::fs::metadata(path).and_then(|metadata| metadata.modified()).unwrap();
    std::fs::write(path, bytes).unwrap();
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_times(std::fs::FileTimes::new().set_modified(modified)).unwrap();
}

fn fuzz_file(sound: &Sound, random: &mut Random) {
    let mut bytes = sound.bytes.clone();
    let mut sections: Vec<_> = sound.sections.iter().collect();
    sections.sort_by(|one, other| one.0.cmp(other.0));
    let (_, range) = sections[random.below(sections.len())];
    let whole = random.below(8) == 0;
    random.damage(&mut bytes, if whole { 0..sound.bytes.len() } else { range.clone() });
    for cache in [Cache::default(), Cache::off(0)] {
        if let Ok(image) = Image::from_bytes_cached("damaged", bytes.clone(), cache, &Work::default()) {
            ask_everything(&image, sound);
        }
    }
}

fn fuzz_cache(sound: &Sound, random: &mut Random, directory: &std::path::Path) {
    let (path, entries) = (directory.join("program"), directory.join("cache"));
    std::fs::write(&path, &sound.bytes).unwrap();
    let open = || {
        Image::open_cached(
            &path,
            &path,
            &crate::elf::locate::DebugPaths::default(),
            Cache::at(&entries, 1 << 30, 0),
            &Work::default(),
        )
        .unwrap()
    };
    let expected: Vec<_> = sound.names.iter().map(|name| open().functions_named(name)).collect();
    let mut files: Vec<_> =
        std::fs::read_dir(&entries).into_iter().flatten().map(|file| file.unwrap().path()).collect();
    files.sort();
    // Caches are written after they are of use, so one may still be on its way to its name.
    let is_whole = |file: &std::path::PathBuf| !file.file_name().unwrap().to_string_lossy().starts_with('.');
    for file in files.into_iter().filter(is_whole) {
        let mut bytes = std::fs::read(&file).unwrap();
        let all = 0..bytes.len();
        // What has a checksum of its contents may be damaged anywhere; of a section, only the head is looked at.
        let checked = file.extension().is_some_and(|e| e == "names" || e == "places");
        random.damage(&mut bytes, if checked { all } else { 0..56 });
        replace_entry(&file, &bytes);
    }
    let found: Vec<_> = sound.names.iter().map(|name| open().functions_named(name)).collect();
    assert_eq!(found, expected, "a damaged cache changed an answer");
}

#[test]
#[expect(clippy::print_stdout, reason = "what came of a longer run")]
fn damaged_files_and_caches_never_panic_for_as_long_as_is_wanted() {
    let number = |name: &str, default: u64| match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")),
        Err(_) => default,
    };
    let wanted = std::time::Duration::from_secs(number("RETROGRADE_FUZZ_SECONDS", 2));
    let mut random = Random(number("RETROGRADE_FUZZ_SEED", 1));
    let start = std::time::Instant::now();
    let (mut cases, mut longest) = (0, std::time::Duration::ZERO);
    while start.elapsed() < wanted {
        let (compiler, flags, source, names) = FUZZED[random.below(FUZZED.len())];
        let sound = Sound::new(compiler, &format!("{flags} -Wl,--build-id"), source, names);
        let directory = tempfile::tempdir().unwrap();
        for _ in 0..20 {
            let before = std::time::Instant::now();
            if random.below(5) == 0 {
                fuzz_cache(&sound, &mut random, directory.path());
                std::fs::remove_dir_all(directory.path().join("cache")).unwrap_or_default();
            } else {
                fuzz_file(&sound, &mut random);
            }
            cases += 1;
            longest = longest.max(before.elapsed());
        }
    }
    println!("{cases} damaged files and caches in {:?}, the longest took {longest:?}", start.elapsed());
}

/// Asks one thing of an image: what, the random numbers say.
fn ask_something(image: &Image, sound: &Sound, random: &mut fuzz::Random) {
    let name = sound.names[random.below(sound.names.len())];
    let pc = LinkAddr(sound.code[random.below(sound.code.len())]);
    match random.below(10) {
        0 => drop(image.type_named(None, name).inspect(walk)),
        1 => {
            for variable in image.globals_named(None, name) {
                walk(&variable.ty);
                image.variable_location(&variable, &mut frame(0));
            }
        }
        2 => {
            for function in image.functions_named(name) {
                function.die.and_then(|die| image.function_type(die)).iter().for_each(walk);
            }
        }
        3 => drop(image.line_at(pc)),
        4 => {
            if let Some(file) = image.source_files().first() {
                image.addresses_of_line(&file.name, 1 + random.below(40) as u32);
            }
        }
        5 => {
            let level = random.below(3);
            for variable in image.variables_at(pc, level) {
                image.variable_location(&variable, &mut frame(pc.0));
            }
        }
        6 => {
            if let Some(scope) = image.macro_scope(pc, 0) {
                image.macro_named(&scope, name);
            }
        }
        7 => {
            image.call_site_target(pc, &mut frame(pc.0));
            image.call_site_value(pc, 5, &mut frame(pc.0));
        }
        8 => drop(image.function_at(pc)),
        _ => {
            let _ = image.unwind(pc, &mut frame(pc.0));
            let _ = image.saved_registers(pc, &mut frame(pc.0));
        }
    }
}

/// Each input is a section of debug info, with which file and which section it is in front.
#[test]
fn fuzz_debug_info() {
    let sounds: Vec<Sound> =
        FUZZED.iter().map(|&(cc, flags, source, names)| Sound::new(cc, flags, source, names)).collect();
    let ranges: Vec<Vec<Range<usize>>> = sounds
        .iter()
        .map(|sound| {
            let mut ranges: Vec<_> = sound.sections.values().cloned().collect();
            ranges.sort_by_key(|range| range.start);
            ranges
        })
        .collect();
    let seed = |file: usize, section: usize, range: &Range<usize>| {
        [&[file as u8, section as u8][..], &sounds[file].bytes[range.clone()]].concat()
    };
    let all = ranges.iter().enumerate();
    let seeds = all.flat_map(|(file, ranges)| {
        ranges.iter().enumerate().map(|(section, range)| seed(file, section, range)).collect::<Vec<_>>()
    });
    let target = Target {
        name: "debug info",
        seeds: seeds.collect(),
        dictionary: &[
            b"\0",
            b"\x7f",
            b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
            b"\xff\xff\xff\xff\x0f",
            b"\xff\xff\xff\xff",
            b"\x05\0",
            b"\x04\0",
            b"\x91\x70",
            b"\x03\0\0\0\0\0\0\0\0",
            b"\x2f\xfd\xff",
            b"\x28\xfd\xff",
            b"\x97",
            b"\x96\x96\x96\x96",
            b"\x12\x1e\x12\x1e",
            b"\xa3\x01\x55",
            b"\xf3\x01\x55",
            b"\x0a\x0b\x0c",
        ],
    };
    target.run(|input, random| {
        let [file, section, content @ ..] = input else { return };
        let file = usize::from(*file) % sounds.len();
        let sound = &sounds[file];
        let Some(range) = ranges[file].get(usize::from(*section) % ranges[file].len().max(1)) else { return };
        let mut bytes = sound.bytes.clone();
        let place = &mut bytes[range.clone()];
        let length = content.len().min(place.len());
        place[..length].copy_from_slice(&content[..length]);
        place[length..].fill(0);
        // Rarely with a directory of names, as large files have it: that takes longer.
        let cache = if random.below(8) == 0 { Cache::off(0) } else { Cache::default() };
        if let Ok(image) = Image::from_bytes_cached("damaged", bytes, cache, &Work::default()) {
            for _ in 0..3 {
                ask_something(&image, sound, random);
            }
        }
    });
}

#[test]
fn fuzz_elf_files() {
    let sounds = [
        Sound::new("gcc", "-g -nostdlib -shared", "locations.s", &["function"]),
        Sound::new("gcc", "-gdwarf-5 -gz=zlib", "types.c", &["main"]),
    ];
    // Their heads and tables are what is damaged most.
    let target = Target {
        name: "ELF files",
        seeds: sounds.iter().map(|sound| sound.bytes.clone()).collect(),
        dictionary: &[
            b"\x7fELF",
            b"\x02\x01\x01",
            b".debug_info\0",
            b".gnu_debuglink\0",
            b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0",
        ],
    };
    target.run(|input, random| {
        let mut bytes = input.to_vec();
        if random.below(2) == 0 {
            let head = random.below(bytes.len().clamp(1, 0x400));
            bytes.iter_mut().skip(head).take(8).zip(random.next().to_le_bytes()).for_each(|(byte, new)| *byte = new);
        } else {
            let tables = bytes.len().saturating_sub(0x800);
            let at = tables + random.below(0x800);
            bytes.iter_mut().skip(at).take(8).zip(random.next().to_le_bytes()).for_each(|(byte, new)| *byte = new);
        }
        if let Ok(image) = Image::from_bytes_cached("damaged", bytes, Cache::default(), &Work::default()) {
            let at = LinkAddr(0x1000 + random.below(0x3000) as u64);
            let _ = (image.build_id(), image.is_program(), image.interpreter(), image.text(), image.section_at(at));
            let _ = (image.symbol_at(at), image.symbols_named("main"), image.file_bytes(at, 100), image.tls_segment());
        }
    });
}
