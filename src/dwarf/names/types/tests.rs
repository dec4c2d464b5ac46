use super::NameKind;
use crate::cache::disk::Cache;
use crate::names::gdb_index::GdbIndex;
use crate::testing::{Program, build};
use crate::{Image, TypeTag, Work};
use ctype::Type;
use object::{Object, ObjectSection};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::process::Command;
use std::sync::{Arc, OnceLock};

const TAGS: [Option<TypeTag>; 4] = [None, Some(TypeTag::Struct), Some(TypeTag::Union), Some(TypeTag::Enum)];

/// The bytes of a program to which GDB has added an index.
fn with_index(program: &Program, options: &[&str]) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("program");
    std::fs::write(&path, &program.bytes).unwrap();
    let output = Command::new("gdb-add-index").args(options).arg(&path).current_dir(&directory).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(path).unwrap()
}

/// With the names of all units, if need be.
fn small(bytes: &[u8]) -> Arc<Image> {
    Image::from_bytes_cached("program", bytes.to_vec(), Cache::default(), &Work::default()).unwrap()
}

/// As if it were a large file.
fn large(bytes: &[u8]) -> Arc<Image> {
    Image::from_bytes_cached("program", bytes.to_vec(), Cache::off(0), &Work::default()).unwrap()
}

/// Where a section is in a file.
fn place(bytes: &[u8], name: &str) -> std::ops::Range<usize> {
    let file = object::File::parse(bytes).unwrap();
    let (offset, size) = file.section_by_name(name).unwrap().file_range().unwrap();
    offset as usize..(offset + size) as usize
}

/// All names of a program, and their ends.
fn questions(bytes: &[u8]) -> BTreeSet<String> {
    let names = small(bytes).with_debug(|debug| debug.index().names());
    let ends = |name: &String| name.match_indices("::").map(|(at, _)| name[at + 2..].to_owned()).collect::<Vec<_>>();
    names.iter().flat_map(|name| ends(name).into_iter().chain([name.clone(), format!("::{name}")])).collect()
}

/// Asks for all types by all names: what a table leads to is what is found without it. Gives the names it led to.
fn compare(what: &str, bytes: &[u8]) -> BTreeSet<String> {
    let (without, with) = (small(bytes), large(bytes));
    let mut led = BTreeSet::new();
    for name in questions(bytes) {
        for tag in TAGS {
            if let Some(found) = with.with_debug(|debug| debug.tabled_type_named(tag, &name)) {
                assert_eq!(
                    Some(found),
                    without.with_debug(|debug| debug.listed_type(tag, &name)),
                    "{what}: {tag:?} {name}"
                );
                led.insert(name.clone());
            }
        }
    }
    assert!(with.with_debug(|debug| !debug.knows_names()), "{what}: no other names were read");
    led
}

const SEVERAL: [&str; 3] = ["names.cpp", "classes.cpp", "objects.cpp"];
const ONE: &str = "-Wl,--allow-multiple-definition";

#[test]
fn gdbs_index_leads_to_what_is_found_without_it() {
    for flags in ["-gdwarf-4 -O0", "-gdwarf-5 -O2"] {
        let program = build("g++", &format!("{flags} {ONE}"), &SEVERAL);
        for options in [&[][..], &["-dwarf-5"]] {
            let what = format!("g++ {flags}, gdb-add-index {options:?}");
            let led = compare(&what, &with_index(&program, options));
            for name in ["Shape", "geometry::Point", "::geometry::Point", "Box<Box<int> >", "Shape::Style", "bool"] {
                // What GDB 13 calls `.debug_names` has no type that is in a class or namespace.
                assert!(led.contains(name) || !options.is_empty() && name.contains("::"), "{what}: {name}: {led:?}");
            }
            assert!(!led.contains("Point"), "{what}: a name is to be whole");
        }
    }
    for sources in [["same_name_a.c", "same_name_b.c"], ["incomplete_user.c", "incomplete_definer.c"]] {
        let led = compare("gcc", &with_index(&build("gcc", "-g", &sources), &[]));
        assert!(led.contains("int"), "{led:?}");
    }
}

#[test]
fn the_standards_table_leads_to_what_is_found_without_it() {
    for flags in ["-gdwarf-5 -O0 -gpubnames", "-gdwarf-5 -O2 -gpubnames"] {
        let program = build("clang++", &format!("{flags} {ONE}"), &SEVERAL);
        let led = compare(flags, &program.bytes);
        for name in ["Shape", "geometry::Point", "::geometry::Point", "Box<Box<int> >", "Shape::Style", "bool"] {
            assert!(led.contains(name), "{flags}: {name}: {led:?}");
        }
    }
}

#[test]
fn units_that_a_table_does_not_list_are_looked_into_as_well() {
    let directory = tempfile::tempdir().unwrap();
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/../../dwarf-fixtures/src");
    let run = |arguments: &[&str]| {
        let mut command = Command::new("clang++");
        assert!(command.args(arguments).current_dir(&directory).status().unwrap().success(), "{arguments:?}");
    };
    run(&["-gdwarf-5", "-c", "-o", "first.o", &format!("{sources}/classes.cpp")]);
    run(&["-gdwarf-5", "-gpubnames", "-c", "-o", "second.o", &format!("{sources}/names.cpp")]);
    run(&["-o", "program", ONE, "first.o", "second.o"]);
    let led = compare("of one unit", &std::fs::read(directory.path().join("program")).unwrap());
    assert!(led.contains("geometry::Point"), "{led:?}");
}

#[test]
fn a_declaration_is_completed_by_a_table() {
    let bytes = with_index(&build("gcc", "-g", &["incomplete_user.c", "incomplete_definer.c"]), &[]);
    let image = large(&bytes);
    for (kind, name, size) in [(NameKind::Struct, "hidden", 16), (NameKind::Union, "either", 4)] {
        let declared = small(&bytes).with_debug(|debug| debug.find(kind, name).last()).unwrap();
        let ty = image.with_debug(|debug| debug.type_at(declared));
        assert!(matches!(&*ty, Type::Record(record) if record.size == Some(size)), "{ty:?}");
    }
    assert!(image.with_debug(|debug| !debug.knows_names()));
}

/// A program with GDB's index, of version 8.
fn indexed() -> &'static (Vec<u8>, std::ops::Range<usize>) {
    static BYTES: OnceLock<(Vec<u8>, std::ops::Range<usize>)> = OnceLock::new();
    BYTES.get_or_init(|| {
        let bytes = with_index(&build("g++", &format!("-gdwarf-4 -O0 {ONE}"), &SEVERAL), &[]);
        let place = place(&bytes, ".gdb_index");
        (bytes, place)
    })
}

fn info_size() -> u64 {
    let (bytes, _) = indexed();
    place(bytes, ".debug_info").len() as u64
}

#[test]
fn other_versions_are_read_or_left_alone() {
    let (bytes, place) = indexed();
    let index = &bytes[place.clone()];
    assert_eq!(index[0], 8);
    let of = |index: &[u8]| GdbIndex::parse(index, info_size()).and_then(|index| index.units("geometry::Point"));
    let expected = of(index).unwrap();
    assert_eq!(expected.len(), 1);
    for version in [6u8, 7, 10] {
        let other = [&[version], &index[1..]].concat();
        assert_eq!(of(&other), (version == 7).then(|| expected.clone()), "{version}");
    }
    // Version 9 has a table more, before the names.
    let word = |at: usize| u32::from_le_bytes(index[at..at + 4].try_into().unwrap());
    let pool = word(20) as usize;
    let mut nine = 9u32.to_le_bytes().to_vec();
    nine.extend((4..20).step_by(4).flat_map(|at| (word(at) + 4).to_le_bytes()));
    nine.extend([pool as u32 + 4, pool as u32 + 12].iter().flat_map(|at| at.to_le_bytes()));
    nine.extend_from_slice(&index[24..pool]);
    nine.extend_from_slice(&[0; 8]);
    nine.extend_from_slice(&index[pool..]);
    assert_eq!(of(&nine), Some(expected));
    // That of another build.
    assert!(GdbIndex::parse(index, info_size() + 1).is_none());
    for length in 0..index.len().min(400) {
        assert_eq!(of(&index[..length]), None, "{length}");
    }
}

proptest! {
    #[test]
    fn a_damaged_index_leads_nowhere_else(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        head in any::<bool>(),
    ) {
        let (bytes, place) = indexed();
        let mut damaged = bytes.clone();
        // What is behind the head are hash table, lists of units and names.
        let range = if head { place.start..place.start + 64 } else { place.clone() };
        for (at, byte) in damage {
            damaged[range.start + at.index(range.len())] = byte;
        }
        let image = large(&damaged);
        for name in ["geometry::Point", "Shape", "Box<Box<int> >", "int", "nowhere"] {
            let Some(die) = image.with_debug(|debug| debug.tabled_type_named(None, name)) else { continue };
            let found = small(bytes).with_debug(|debug| debug.qualified(die));
            prop_assert_eq!(found.as_deref(), Some(name));
        }
    }

    #[test]
    fn any_bytes_are_an_index_or_none(mut bytes in prop::collection::vec(any::<u8>(), 0..300), version in 7u8..10) {
        if let Some(first) = bytes.first_mut() {
            *first = version;
        }
        bytes.iter_mut().skip(1).take(3).for_each(|byte| *byte = 0);
        // Offsets that are in it.
        let length = bytes.len().clamp(1, 255) as u8;
        for at in (4..28).step_by(4) {
            if let Some([low, rest @ ..]) = bytes.get_mut(at..at + 4) {
                *low %= length;
                rest.fill(0);
            }
        }
        if let Some(index) = GdbIndex::parse(&bytes, 0) {
            let _ = (index.units("main"), index.unlisted());
        }
    }

    #[test]
    fn a_damaged_standard_table_leads_nowhere_else(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let program = build("clang++", &format!("-gdwarf-5 -O0 -gpubnames {ONE}"), &SEVERAL);
        let range = place(&program.bytes, ".debug_names");
        let mut damaged = program.bytes.to_vec();
        for (at, byte) in damage {
            damaged[range.start + at.index(range.len())] = byte;
        }
        let image = large(&damaged);
        for name in ["geometry::Point", "Shape", "Box<Box<int> >", "int", "nowhere"] {
            let Some(die) = image.with_debug(|debug| debug.tabled_type_named(None, name)) else { continue };
            let found = program.image.with_debug(|debug| debug.qualified(die));
            prop_assert_eq!(found.as_deref(), Some(name));
        }
    }
}
