use super::*;
use crate::compressed::file_bytes::Bytes;
use crate::tasks::work::{Measure, Workplace};
use crate::testing::{build, marked, with_packed};

#[test]
fn compressed_debug_sections_are_read() {
    for compression in ["zlib", "zlib-gnu"] {
        let program = build("gcc", &format!("-g -O0 -gz={compression}"), &["lines.c"]);
        let line = marked("lines.c", "body");
        assert_eq!(program.image.addresses_of_line("lines.c", line)[0].line, line, "{compression}");
        assert_eq!(program.image.functions_named("loop").len(), 1, "{compression}");
    }
}

#[test]
fn what_a_file_expands_to_is_limited_before_anything_is_allocated() {
    let program = build("gcc", "-g -O0 -gz=zlib", &["lines.c"]);
    let file = Arc::new(ElfFile::parse(Path::new("x"), Bytes::Owned(program.bytes.to_vec())).unwrap());
    let section = file.section(".debug_info").unwrap();
    let data = vec![0; 2 << 20];
    let reason = |size| file.decompress(section, CompressionFormat::Zlib, &data, size, None).unwrap_err().to_string();
    let most = data.len() as u64 * MAX_COMPRESSION_RATIO;
    let implausible =
        "malformed .debug_info in x: 2097152 bytes expand to 134217729, which is more than is read of so few";
    assert_eq!(reason(most + 1), implausible);
    let too_much = "malformed .debug_info in x: the file expands to more than is read";
    assert!(file.bytes.len() < 1 << 20, "its size allows no more than a small file may have");
    assert_eq!(reason(SMALL_FILE + 1), too_much);
    // Each of them would do, but not all together.
    assert!(file.section_bytes(".debug_info").unwrap().is_some());
    assert_eq!(reason(SMALL_FILE), too_much);
    assert!(file.section_bytes(".debug_str").unwrap().is_some());
}

#[test]
fn a_section_that_expands_a_thousand_times_is_refused_whatever_it_is_kept_as() {
    let sound = build("gcc", "-g -O0", &["lines.c"]);
    let packed = with_packed(&sound.bytes, &[(".debug_str", &vec![b'A'; 48 << 20])]);
    let file = Arc::new(ElfFile::parse(Path::new("x"), Bytes::Owned(packed.clone())).unwrap());
    let error = file.section_bytes(".debug_str").err().unwrap().to_string();
    assert!(error.contains("expand to 50331648, which is more than is read of so few"), "{error}");
    // With the reason, and without what needs it.
    let image = crate::Image::from_bytes("x", packed).unwrap();
    assert!(!image.addresses_of_line("lines.c", marked("lines.c", "body")).is_empty());
    assert!(image.problems().iter().any(|problem| problem.contains("more than is read of so few")));
}

#[test]
fn overlapping_sections_of_one_name_are_refused() {
    let mut bytes = build("g++", "-c -gdwarf-4", &["classes.cpp"]).bytes.to_vec();
    let file = |bytes: &[u8]| Arc::new(ElfFile::parse(Path::new("x"), Bytes::Owned(bytes.to_vec())).unwrap());
    let sound = file(&bytes);
    let largest = (0..sound.sections.len()).max_by_key(|i| sound.sections[*i].size).unwrap();
    let name = sound.sections[largest].name.clone();
    // Every section becomes the largest one, but for the names: the headers say more than the file has.
    let word = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let (count, names) = (word(60), word(62));
    let table = u64::from_le_bytes(bytes[40..48].try_into().unwrap()) as usize;
    let model = bytes[table + largest * 64..][..64].to_vec();
    for i in (1..count).filter(|i| *i != names) {
        bytes[table + i * 64..][..64].copy_from_slice(&model);
    }
    let error = file(&bytes)
        .all_section_bytes(&name, &Cache::default(), &Workplace::default().begin("unpacking", Measure::Bytes, 0))
        .err()
        .unwrap()
        .to_string();
    assert_eq!(error, format!("malformed {name} in x: sections of its name overlap"));
}
