use super::{SEARCHED, SymbolTable};
use crate::compressed::file_bytes::Bytes;
use crate::elf::file::ElfFile;
use crate::elf::symbol_tables::{Entry, Tables, Where, strings_with};
use crate::tasks::work::Workplace;
use crate::testing::build;
use arch::LinkAddr;
use object::{Object, ObjectSection};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

#[test]
fn a_symbol_covers_its_size() {
    let image = build("gcc", "-O0", &["symbols.c"]).image;
    let data = image.symbols_named("exported_data")[0].clone();
    assert_eq!((data.size, data.is_code), (16, false));
    assert_eq!(image.symbol_at(LinkAddr(data.address.0 + 15)), Some(data.clone()));
    assert_ne!(image.symbol_at(LinkAddr(data.address.0 + 16)), Some(data));
}

#[test]
fn a_label_without_size_reaches_to_the_next_symbol() {
    let image = build("gcc", "-O0", &["symbols.c"]).image;
    let label = image.symbols_named("label_without_size")[0].clone();
    let next = image.symbols_named("after_label")[0].clone();
    assert_eq!((label.size, label.is_code, next.is_code), (0, false, true));
    assert_eq!(image.symbol_at(LinkAddr(next.address.0 - 1)), Some(label.clone()));
    assert_eq!(image.symbol_at(next.address), Some(next.clone()));
    let function = image.function_at(label.address).unwrap();
    assert_eq!(function.ranges, [(label.address, next.address)]);
}

#[test]
fn of_several_names_the_one_that_gdb_shows_is_shown() {
    let image = build("gcc", "-O0", &["symbols.c"]).image;
    let weak = image.symbols_named("also_strong")[0].clone();
    assert_eq!(image.symbols_named("__strong")[0].address, weak.address);
    assert_eq!(image.symbols_named("strongest")[0].address, weak.address);
    assert_eq!(image.symbol_at(weak.address).unwrap().name, "strong_too");
}

#[test]
fn indirect_functions_are_code() {
    let image = build("gcc", "-O0", &["symbols.c"]).image;
    let indirect = &image.symbols_named("indirect")[0];
    assert!(indirect.is_code && indirect.is_indirect);
    assert!(!image.symbols_named("exported_data")[0].is_indirect);
}

#[test]
fn mangled_symbols_are_found_by_readable_names_too() {
    let image = build("g++", "-O0", &["qualified_names.cpp"]).image;
    let mangled = image.symbols_named("_ZNK5outer2v15Shape4areaEi");
    assert_eq!(mangled.len(), 1);
    assert_eq!(mangled[0].display, "outer::v1::Shape::area(int) const");
    assert_eq!(image.symbols_named("Shape::area"), mangled);
    assert_eq!(image.symbols_named("outer::v1::Shape::area(int)"), mangled);
    assert_eq!(image.symbols_named("Shape::area(long)"), Vec::new());
    assert_eq!(image.symbols_spelled("_ZNK5outer2v15Shape4areaEi"), mangled);
    assert_eq!(image.symbols_spelled("Shape::area"), Vec::new());
    assert_eq!(image.symbols_spelled("area"), Vec::new());
}

#[test]
fn nothing_is_at_addresses_outside_of_sections() {
    let image = build("gcc", "-O0", &["symbols.c"]).image;
    assert_eq!(image.symbol_at(LinkAddr(0)), None);
    assert_eq!(image.symbol_at(LinkAddr(u64::MAX)), None);
    assert_eq!(image.symbols_named(""), Vec::new());
}

fn file(compiler: &str, source: &'static str) -> Arc<ElfFile> {
    parsed(build(compiler, "-O0", &[source]).bytes.to_vec())
}

fn parsed(bytes: Vec<u8>) -> Arc<ElfFile> {
    Arc::new(ElfFile::parse(Path::new("program"), Bytes::Owned(bytes)).unwrap())
}

/// The same with the strings of its symbol table changed.
fn with_strings(change: impl FnOnce(&mut [u8])) -> Arc<ElfFile> {
    let mut bytes = build("gcc", "-O0", &["symbols.c"]).bytes.to_vec();
    let file = object::File::parse(&*bytes).unwrap();
    let (offset, size) = file.section_by_name(".strtab").unwrap().file_range().unwrap();
    change(&mut bytes[offset as usize..][..size as usize]);
    parsed(bytes)
}

#[test]
fn names_that_do_not_end_are_none() {
    let work = Workplace::default();
    let file = with_strings(|strings| strings.fill(b'a'));
    let table = SymbolTable::of(&[&file]);
    // Those for the dynamic linker have other strings.
    let own = SymbolTable::of(&[&with_strings(|strings| strings.fill(0))]);
    let names = |table: &SymbolTable| table.ordered(&work).iter().map(|s| table.symbol(s).name).collect::<Vec<_>>();
    assert_eq!(names(&table), names(&own));
    assert!(!names(&table).iter().any(String::is_empty));
    for name in ["a", "aa", "main", "1a"] {
        assert_eq!(table.named(name, &work).len(), own.named(name, &work).len(), "{name}");
    }
}

/// `aaa` has `aa` at its end, and before.
#[test]
fn letters_that_overlap_themselves_are_found() {
    let name = |strings: &mut [u8], old: &[u8], new: &[u8]| {
        let at = memchr::memmem::find(strings, old).unwrap();
        strings[at..][..new.len()].copy_from_slice(new);
    };
    // `strongest` begins where no other name does.
    let file = with_strings(|strings| name(strings, b"strongest\0", b"aaaaaa@aa\0"));
    let tables = Tables::of(&[&file]);
    for (letters, place, found) in [
        ("aaaaaa", Where::Whole, true),
        ("aaaa", Where::Anywhere, true),
        ("aa", Where::Anywhere, true),
        ("aaaaaaa", Where::Anywhere, false),
    ] {
        let names: Vec<_> =
            tables.with_letters(letters.as_bytes(), place).map(|e| tables.name_of(&e).into_owned()).collect();
        assert_eq!(names.contains(&"aaaaaa".to_owned()), found, "{letters}");
    }
    let all = |letters: &str| strings_with(b"\0aaa\0baaab\0ab", letters.as_bytes());
    assert_eq!(all("aa"), [1..2, 5..7]);
    assert_eq!(all("ab"), [5..8, 11..11]);
    assert_eq!(all("b"), [5..9, 11..12]);
    assert_eq!(all("c"), []);
}

/// `strong` is the end of two other names, within which a linker lets it begin.
#[test]
fn letters_are_found_in_the_names_that_have_them() {
    let tables = Tables::of(&[&file("gcc", "symbols.c")]);
    let all: Vec<Entry> = tables.iter().collect();
    let places = |entries: Vec<Entry>| entries.iter().map(|e| (e.address, tables.name_of(e).into_owned())).collect();
    for letters in ["strong", "trong", "s", "", "main", "_", "no such name", "strong\0"] {
        for place in [Where::Whole, Where::Anywhere] {
            let has = |e: &Entry| match place {
                Where::Whole => tables.name_of(e) == letters,
                Where::Anywhere => tables.name_of(e).contains(letters),
            };
            let expected: BTreeSet<(u64, String)> = places(all.iter().copied().filter(has).collect());
            let found = tables.with_letters(letters.as_bytes(), place).filter(has).collect();
            assert_eq!(places(found), if letters.is_empty() { BTreeSet::new() } else { expected }, "{letters}");
        }
    }
}

#[test]
fn names_are_found_alike_by_searching_and_in_order() {
    let file = file("g++", "qualified_names.cpp");
    let work = Workplace::default();
    let ordered = SymbolTable::of(&[&file]);
    (0..=SEARCHED).for_each(|_| drop(ordered.with_name("main", &work)));
    assert!(ordered.by_name.get().is_some());
    let names: BTreeSet<String> = ordered.tables.iter().map(|e| ordered.tables.name_of(&e).into_owned()).collect();
    assert!(names.len() > SEARCHED);
    for name in &names {
        let searching = SymbolTable::of(&[&file]);
        let places = |entries: Vec<Entry>| entries.iter().map(|e| (e.address, e.size, e.rank)).collect::<Vec<_>>();
        assert_eq!(places(searching.with_name(name, &work)), places(ordered.with_name(name, &work)), "{name}");
        assert!(searching.by_name.get().is_none());
    }
}
