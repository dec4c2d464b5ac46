use crate::testing::build;
use crate::{DebugPaths, Error, Image, TypeTag};
use arch::{Arch, LinkAddr};
use proptest::prelude::*;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// A small shared object with debug information, as bytes.
fn small() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("small.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dwarf-fixtures/src/inline_chain.c");
        let flags = ["-g", "-O1", "-shared", "-fPIC", "-nostdlib", "-Wl,--build-id=0x1234"];
        let status = Command::new("gcc").args(flags).arg("-o").arg(&path).arg(source).status().unwrap();
        assert!(status.success());
        std::fs::read(path).unwrap()
    })
}

#[test]
fn headers_of_a_program_are_known() {
    let image = build("gcc", "-g -O0", &["lines.c"]).image;
    let host = if cfg!(target_arch = "aarch64") { Arch::Aarch64 } else { Arch::X86_64 };
    assert_eq!(image.arch(), host);
    assert_eq!(image.section_at(image.entry()), Some(".text"));
    assert!(image.interpreter().unwrap().starts_with("/lib"));
    assert_eq!(image.section_at(image.dynamic().unwrap()), Some(".dynamic"));
    // The program headers follow the ELF header at the start of the first segment.
    assert_eq!(image.program_headers(), Some(LinkAddr(image.segments()[0].address.0 + 64)));
    assert_eq!(image.tls_segment(), None);
    assert_eq!(image.segments().iter().filter(|s| s.executable).count(), 1);
    assert!(image.segments().iter().all(|s| !(s.executable && s.writable)));
    assert_eq!(image.section_at(LinkAddr(u64::MAX)), None);
}

#[test]
fn bytes_are_read_by_link_time_address() {
    let image = build("gcc", "-g -O0", &["lines.c"]).image;
    let first = image.segments()[0];
    assert_eq!(image.file_bytes(first.address, 4), Some(&b"\x7fELF"[..]));
    assert_eq!(image.file_bytes(LinkAddr(first.address.0 + first.file_size - 1), 2), None);
    assert_eq!(image.file_bytes(LinkAddr(u64::MAX), 1), None);
    assert_eq!(image.file_bytes(first.address, usize::MAX), None);
}

#[test]
fn thread_local_storage_has_a_size_and_an_alignment() {
    let image = build("gcc", "-g -O0", &["thread_local.c"]).image;
    let (size, alignment) = image.tls_segment().unwrap();
    assert!(size > 0);
    assert!(alignment.is_power_of_two());
}

#[test]
fn a_static_program_has_program_headers_but_no_interpreter() {
    let image = build("gcc", "-O0 -static -nostdlib -Wl,-e,outer", &["inline_chain.c"]).image;
    assert_eq!((image.interpreter(), image.dynamic()), (None, None));
    assert_eq!(image.program_headers(), Some(LinkAddr(image.segments()[0].address.0 + 64)));
}

#[test]
fn an_image_can_be_made_of_bytes() {
    let image = Image::from_bytes("[small]", small().to_vec()).unwrap();
    assert_eq!(image.path(), Path::new("[small]"));
    assert_eq!(image.build_id(), Some(&[0x12, 0x34][..]));
    assert_eq!(image.functions_named("outer").len(), 1);
}

#[test]
fn what_is_no_elf_file_is_refused_with_a_reason() {
    let reason = |bytes: &[u8]| Image::from_bytes("x", bytes.to_vec()).err().unwrap().to_string();
    assert_eq!(reason(b""), "x is not a usable ELF file: too short for an ELF header");
    assert_eq!(reason(&[b'#'; 64]), "x is not a usable ELF file: it does not start with the ELF magic number");
    let mut other_machine = small().to_vec();
    // e_machine: RISC-V.
    other_machine[18..20].copy_from_slice(&[0xf3, 0x00]);
    assert_eq!(
        reason(&other_machine),
        "x is built for machine 243 (64-bit, little-endian); x86-64 and AArch64, 64-bit and little-endian, are supported"
    );
    let missing = Image::open(Path::new("/no/such/file"), &DebugPaths::default());
    assert!(matches!(missing, Err(Error::Io { .. })));
    let directory = tempfile::tempdir().unwrap();
    let opened = Image::open(directory.path(), &DebugPaths::default());
    assert!(matches!(opened, Err(Error::NotElf { .. })));
}

#[test]
fn an_empty_file_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("empty");
    std::fs::write(&path, b"").unwrap();
    assert!(matches!(Image::open(&path, &DebugPaths::default()), Err(Error::NotElf { .. })));
}

/// Asks everything that reads from the file.
fn exercise(image: &Image) {
    let entries: Vec<_> = ["outer", "main", "middle", "a::b"].iter().flat_map(|n| image.functions_named(n)).collect();
    let addresses = [0, 0x1000, 0x1010, 0x1100, u64::MAX].map(LinkAddr);
    for address in entries.iter().map(|f| f.entry).chain(addresses) {
        image.line_at(address);
        image.function_at(address);
        image.symbol_at(address);
        image.section_at(address);
        for level in 0..image.inline_chain(address).len().min(4) {
            image.variables_at(address, level);
        }
    }
    for function in &entries {
        image.after_prologue(function);
        function.die.map(|die| image.function_type(die));
    }
    for line in [1, 10, 20, 1000] {
        image.addresses_of_line("inline_chain.c", line);
    }
    image.inlined_copies("innermost");
    image.globals_named(None, "sink");
    image.type_named(None, "int");
    image.type_named(Some(TypeTag::Struct), "s");
    image.enumerator_in(&[], "e");
    image.symbols_named("outer");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_damaged_file_never_panics(
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let mut bytes = small().to_vec();
        for (at, value) in damage {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if let Ok(image) = Image::from_bytes("damaged", bytes) {
            exercise(&image);
        }
    }

    #[test]
    fn damaged_debug_sections_never_panic(
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        // Debug sections follow the code and data; most of a file is none of them.
        let mut bytes = small().to_vec();
        let start = bytes.windows(7).position(|w| w == b"GCC: (D" || w == b"GCC: (U").unwrap_or(bytes.len() / 2);
        for (at, value) in damage {
            let at = start + at.index(bytes.len() - start);
            bytes[at] = value;
        }
        if let Ok(image) = Image::from_bytes("damaged", bytes) {
            exercise(&image);
        }
    }

    #[test]
    fn a_truncated_file_never_panics(length in any::<prop::sample::Index>()) {
        let bytes = small();
        if let Ok(image) = Image::from_bytes("truncated", bytes[..length.index(bytes.len())].to_vec()) {
            exercise(&image);
        }
    }
}
