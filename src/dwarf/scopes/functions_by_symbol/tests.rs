use crate::cache::disk::Cache;
use crate::names::entry::NameKind;
use crate::testing::{Gate, Program, build};
use crate::{DebugPaths, Image, TypeTag, Work};
use ctype::Type;
use object::{Object, ObjectSection};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

const SOURCES: [&str; 3] = ["names.cpp", "classes.cpp", "library_types.cpp"];
const FLAGS: &str = "-std=c++20 -g -Wl,--build-id -Wl,--allow-multiple-definition";
const CLASSES: [NameKind; 3] = [NameKind::Struct, NameKind::Class, NameKind::Union];

fn program(optimised: bool) -> Program {
    build("g++", &format!("{FLAGS} {}", if optimised { "-O2" } else { "-O0" }), &SOURCES)
}

/// A program with compressed debug info, some of whose bytes were changed before.
struct Case {
    directory: tempfile::TempDir,
}

impl Case {
    fn new(program: &Program, change: impl FnOnce(&mut [u8], &dyn Fn(&str) -> std::ops::Range<usize>)) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let (plain, compressed) = (directory.path().join("plain"), directory.path().join("program"));
        let file = object::File::parse(&*program.bytes).unwrap();
        let place = |name: &str| {
            let (offset, size) = file.section_by_name(name).unwrap().file_range().unwrap();
            offset as usize..(offset + size) as usize
        };
        let mut bytes = program.bytes.to_vec();
        change(&mut bytes, &place);
        std::fs::write(&plain, bytes).unwrap();
        let mut command = Command::new("objcopy");
        command.arg("--compress-debug-sections=zlib").args([&plain, &compressed]);
        assert!(command.status().unwrap().success());
        Self { directory }
    }

    fn open(&self, name: &str, cache: Cache) -> Arc<Image> {
        let path = self.directory.path().join(name);
        Image::open_cached(&path, &path, &DebugPaths::default(), cache, &Work::default()).unwrap()
    }

    /// Opened while its last units cannot be had before the gate is open.
    fn held(&self) -> (Arc<Image>, Arc<Gate>) {
        let gate = Arc::<Gate>::default();
        (self.open("program", Cache::off_behind(gate.clone())), gate)
    }

    /// The same as a file that needs not be decompressed, whose names cannot be had before.
    fn plain(&self) -> (Arc<Image>, Arc<Gate>) {
        let gate = Arc::<Gate>::default();
        (self.open("plain", Cache::off_behind(gate.clone())), gate)
    }

    /// Opened with all names indexed.
    fn whole(&self) -> Arc<Image> {
        self.open("program", Cache::default())
    }
}

/// The members of a class, with their offsets.
fn members(image: &Image, name: &str) -> Vec<(Option<String>, u64)> {
    let found = image.type_named(Some(TypeTag::Struct), name).unwrap();
    let Type::Record(record) = &*found else { panic!("{name} is no class") };
    record.members.iter().map(|member| (member.name.clone(), member.offset)).collect()
}

#[test]
fn functions_are_had_by_their_symbols_before_all_is_read() {
    let case = Case::new(&program(false), |_, _| {});
    let whole = case.whole();
    for (image, gate) in [case.held(), case.plain()] {
        for name in ["shop::price", "price(double)", "shop::Basket::add", "add", "_ZN4shop5priceEi", "shop::largest"] {
            let early = image.functions_by_symbol(name).unwrap_or_else(|| panic!("{name} has symbols"));
            assert_eq!(early, whole.functions_named(name), "{name}");
            for function in &early {
                let at = image.after_prologue(function);
                assert_eq!(at, whole.after_prologue(function), "{name}");
                assert_eq!(image.line_at(at), whole.line_at(at), "{name}");
                assert_eq!(image.inline_chain(at), whole.inline_chain(at), "{name}");
            }
        }
        assert_eq!(image.functions_by_symbol("shop::nothing"), Some(Vec::new()));
        gate.open();
        assert_eq!(image.functions_named("price"), whole.functions_named("price"));
        // There is nothing to wait for any more.
        assert_eq!(image.functions_by_symbol("shop::price"), None);
    }
}

#[test]
fn inlined_copies_are_had_when_all_is_read() {
    let case = Case::new(&program(true), |_, _| {});
    let whole = case.whole();
    for (image, gate) in [case.held(), case.plain()] {
        let early = image.functions_by_symbol("shop::price").unwrap();
        assert_eq!(early, whole.functions_named("shop::price"));
        let opener = std::thread::spawn(move || gate.open());
        let copies = image.inlined_copies("shop::price");
        opener.join().unwrap();
        assert_eq!(copies, whole.inlined_copies("shop::price"));
    }
}

#[test]
fn classes_are_had_by_the_symbols_of_their_functions() {
    let case = Case::new(&program(false), |_, _| {});
    let whole = case.whole();
    for (image, gate) in [case.held(), case.plain()] {
        assert!(image.with_debug(|debug| debug.class_by_symbol(&CLASSES, "shop::Basket")).is_some());
        assert_eq!(members(&image, "shop::Basket"), [(Some("items".to_owned()), 0)]);
        assert_eq!(members(&image, "shop::Basket"), members(&whole, "shop::Basket"));
        // Scopes that are left out, a function, and what has no letters in the symbols.
        for name in ["Basket", "shop::Basket::add", "shop::Nothing", "", "::", "operator+", "a b"] {
            assert_eq!(image.with_debug(|debug| debug.class_by_symbol(&CLASSES, name)), None, "{name}");
        }
        assert_eq!(image.with_debug(|debug| debug.class_by_symbol(&[NameKind::Union], "shop::Basket")), None);
        gate.open();
        assert_eq!(members(&image, "Basket"), members(&whole, "Basket"));
        assert_eq!(image.with_debug(|debug| debug.class_by_symbol(&CLASSES, "shop::Basket")), None);
    }
}

#[test]
fn a_table_of_names_that_all_units_are_to_be_known_for_is_of_use_when_they_are() {
    let flags = "-std=c++20 -gdwarf-5 -gpubnames -Wl,--build-id -Wl,--allow-multiple-definition";
    let case = Case::new(&build("clang++", flags, &SOURCES), |_, _| {});
    let (image, gate) = case.held();
    let basket = || image.with_debug(|debug| debug.tabled_type(&CLASSES, "shop::Basket"));
    assert_eq!(basket(), None);
    gate.open();
    assert!(image.with_debug(|debug| debug.sections.decompression().unwrap().heads().is_ok()));
    assert!(basket().is_some());
}

/// Where `.debug_aranges` has the offset of the unit of its first table (DWARF 5 section 6.1.2).
const UNIT: std::ops::Range<usize> = 6..10;

#[test]
fn nothing_is_had_early_through_address_ranges_that_are_wrong() {
    let program = program(false);
    let whole = Case::new(&program, |_, _| {}).whole();
    let expected = (whole.functions_named("shop::price"), members(&whole, "shop::Basket"));
    type Change = fn(&mut [u8]);
    let changes: [(&str, Change); 5] = [
        ("no tables", |aranges| aranges.fill(0)),
        ("nonsense", |aranges| aranges.fill(0xff)),
        ("no unit", |aranges| aranges[UNIT].copy_from_slice(&3u32.to_le_bytes())),
        ("beyond the end", |aranges| aranges[UNIT].copy_from_slice(&0x7fff_ffffu32.to_le_bytes())),
        ("the next unit", |aranges| {
            let next = u32::from_le_bytes(*aranges.first_chunk::<4>().unwrap()) as usize + 4;
            let unit: [u8; 4] = aranges[next..][UNIT].try_into().unwrap();
            aranges[UNIT].copy_from_slice(&unit);
        }),
    ];
    for (what, change) in changes {
        let case = Case::new(&program, |bytes, place| change(&mut bytes[place(".debug_aranges")]));
        let (image, gate) = case.held();
        // What is beyond the end is waited for: somebody has to say that it does not come.
        if what == "beyond the end" {
            gate.open();
        } else {
            assert_eq!(image.functions_by_symbol("shop::price"), None, "{what}");
            assert_eq!(image.with_debug(|debug| debug.class_by_symbol(&CLASSES, "shop::Basket")), None, "{what}");
        }
        gate.open();
        assert_eq!(members(&image, "shop::Basket"), expected.1, "{what}");
        if what != "the next unit" {
            assert_eq!(image.functions_named("shop::price"), expected.0, "{what}");
        }
    }
}

#[test]
fn a_stream_that_is_damaged_behind_it_all_is_refused_in_the_end() {
    let case = Case::new(&program(false), |_, _| {});
    let path = case.directory.path().join("program");
    let mut bytes = std::fs::read(&path).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let (offset, size) = file.section_by_name(".debug_info").unwrap().file_range().unwrap();
    // The checksum.
    bytes[(offset + size - 1) as usize] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let (image, gate) = case.held();
    assert!(image.functions_by_symbol("shop::price").is_some());
    gate.open();
    let found = image.functions_named("shop::price");
    assert_eq!(found.iter().map(|function| function.die).collect::<Vec<_>>(), [None, None]);
    assert!(image.problems()[0].contains(".debug_info"), "{:?}", image.problems());
}

#[test]
fn an_image_that_goes_ends_what_it_began() {
    let case = Case::new(&program(false), |_, _| {});
    let (image, gate) = case.held();
    assert!(image.functions_by_symbol("shop::price").is_some());
    let decompression = image.with_debug(|debug| debug.sections.decompression().unwrap().clone());
    drop(image);
    gate.open();
    // Neither waits.
    let _ = decompression.heads();
    assert!(decompression.queue().next(None).is_none());
    let (image, gate) = case.plain();
    assert!(image.functions_by_symbol("shop::price").is_some());
    let pass = image.with_debug(|debug| debug.scan().clone());
    drop(image);
    gate.open();
    assert!(pass.has_ended(Duration::from_secs(60)) && pass.take().is_none());
}
