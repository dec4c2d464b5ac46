use super::*;
use crate::dwarf::compressed::access_points::{AccessPoint, table_of};
use crate::dwarf::compressed::file_bytes::Bytes;
use crate::dwarf::testing::build;
use flate2::Compression;
use std::io::Write;

/// A section of units of different sizes, which does not pack well, and its stream behind an ELF file.
fn section(units: usize) -> (Vec<u8>, PackedSection) {
    let (mut plain, mut state) = (Vec::new(), 1u32);
    for unit in 0..units {
        let length = 100_000 + unit * 7919;
        plain.extend((length as u32).to_le_bytes());
        plain.extend((0..length).map(|i| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if i % 3 == 0 { 7 } else { (state >> 26) as u8 }
        }));
    }
    packed(&plain)
}

/// A section and its stream.
fn packed(plain: &[u8]) -> (Vec<u8>, PackedSection) {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(plain).unwrap();
    let stream = encoder.finish().unwrap();
    let mut bytes = build("gcc", "-g", &["types.c"]).bytes.to_vec();
    let data = bytes.len()..bytes.len() + stream.len();
    bytes.extend(stream);
    let bytes = Arc::new(Bytes::Owned(bytes));
    let size = plain.len();
    (plain.to_vec(), PackedSection { bytes, data, size })
}

/// A section that is unpacked for the first time, to its end, with the lengths of its units.
fn make(packed: PackedSection, cache: &Cache, key: Option<&Key>) -> (Result<Seekable, Broken>, Vec<usize>) {
    let section = Seekable::begin(packed, cache, key).unwrap();
    let unpacking = section.unpacking().unwrap().clone();
    let mut lengths = Vec::new();
    while let Some(unit) = unpacking.queue().next(None) {
        assert_eq!(unit.number, lengths.len());
        lengths.push(unit.bytes.len());
    }
    (section.wait().map(|()| section), lengths)
}

/// Waits until the cache has the places of a section.
fn found(packed: &PackedSection, cache: &Cache) -> Seekable {
    loop {
        if let Some(section) = Seekable::cached(packed.clone(), cache, Some(&key())) {
            return section;
        }
        std::thread::yield_now();
    }
}

/// Whether each part that was looked at is there.
fn filled(section: &Seekable) -> Vec<Option<bool>> {
    match &section.index {
        Index::Known { parts, .. } => parts.iter().map(|part| part.filled.get().copied()).collect(),
        Index::Unpacking(unpacking) => {
            unpacking.parts(0..section.len()).iter().map(|(place, _)| place.part.filled.get().copied()).collect()
        }
    }
}

/// The table of a section that was unpacked to its end.
fn table(section: &Seekable) -> Vec<u8> {
    let unpacking = section.unpacking().unwrap();
    let places: Vec<AccessPoint> = unpacking.parts(0..section.len()).into_iter().map(|(place, _)| place).collect();
    table_of(section.len(), &places, &unpacking.heads().unwrap())
}

fn key() -> Key {
    Key { name: "places".to_owned(), source: b"of this".to_vec() }
}

#[test]
fn what_is_needed_is_there_and_little_else() {
    let directory = tempfile::tempdir().unwrap();
    let cache = Cache::at(&directory.path().join("cache"), 1 << 30, 0);
    let (plain, packed) = section(60);
    let (made, lengths) = make(packed.clone(), &cache, Some(&key()));
    assert_eq!(lengths, (0..60).map(|unit| 100_004 + unit * 7919).collect::<Vec<_>>());
    for section in [made.unwrap(), found(&packed, &cache)] {
        assert!(filled(&section).len() >= 5);
        assert_eq!(section.len(), plain.len());
        let mut offset = 0;
        for length in &lengths {
            assert_eq!(section[offset..offset + 40], plain[offset..offset + 40], "the header of a unit");
            assert_eq!(section[offset + 40..offset + 80], [0; 40]);
            offset += length;
        }
        let middle = plain.len() / 2;
        section.need(middle..middle + 1000);
        assert_eq!(section[middle..middle + 1000], plain[middle..middle + 1000]);
        assert!((1..=2).contains(&filled(&section).iter().flatten().count()));
        // By several at once.
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    section.need(0..section.len());
                    assert!(*section == *plain);
                });
            }
        });
    }
}

/// Writes a byte that the section does not have.
fn mark(section: &Seekable, offset: usize) {
    section.put(offset, &[!section[offset]]);
}

#[test]
fn nothing_is_written_twice() {
    let (plain, packed) = section(30);
    let section = Seekable::begin(packed.clone(), &Cache::default(), None).unwrap();
    let unpacking = section.unpacking().unwrap().clone();
    while unpacking.queue().next(None).is_some() {}
    let heads = unpacking.heads().unwrap();
    let (first, last) = (heads[0].0, heads[29].0);
    // Filled, and heads come after that; the heads, and the part is filled after that.
    section.need(0..1);
    mark(&section, first);
    section.wait().unwrap();
    mark(&section, last);
    section.need(0..plain.len());
    section.wait().unwrap();
    let cached = Seekable::of(packed, Kept::InMemory(table(&section))).unwrap();
    mark(&cached, last);
    cached.need(0..plain.len());
    for (section, marked) in [(section, &[first, last][..]), (cached, &[last])] {
        for offset in marked {
            assert_eq!(section[*offset], !plain[*offset]);
            mark(&section, *offset);
        }
        assert!(*section == *plain);
    }
}

#[test]
fn heads_of_short_units_are_theirs_alone() {
    let units: Vec<u8> =
        (1..=200u32).flat_map(|length| [&length.to_le_bytes()[..], &vec![7; length as usize]].concat()).collect();
    let (_, packed) = packed(&units);
    let (made, lengths) = make(packed.clone(), &Cache::default(), None);
    assert_eq!(lengths, (5..=204).collect::<Vec<_>>());
    let made = made.unwrap();
    let cached = Seekable::of(packed, Kept::InMemory(table(&made))).unwrap();
    for section in [made, cached] {
        assert_eq!(section[..5], units[..5]);
        section.need(0..units.len());
        assert!(*section == *units);
    }
}

#[test]
fn a_damaged_stream_is_refused() {
    let (plain, packed) = section(30);
    let mut bytes = packed.bytes.to_vec();
    let middle = packed.data.start.midpoint(packed.data.end);
    for change in [middle, packed.data.end - 1] {
        let sound = bytes[change];
        bytes[change] ^= 0x10;
        let changed = Arc::new(Bytes::Owned(bytes.clone()));
        assert!(make(PackedSection { bytes: changed, ..packed.clone() }, &Cache::default(), None).0.is_err());
        bytes[change] = sound;
    }
    for size in [plain.len() - 1, plain.len() + 1] {
        assert!(make(PackedSection { size, ..packed.clone() }, &Cache::default(), None).0.is_err());
    }
    // Damaged after its places were noted: that part is not there, others are.
    let (made, _) = make(packed, &Cache::default(), None);
    bytes[middle] ^= 0x10;
    let bytes = Arc::new(Bytes::Owned(bytes));
    let mut section = made.unwrap();
    section.packed.bytes = bytes;
    section.need(0..plain.len());
    assert_eq!(filled(&section).iter().filter(|part| **part == Some(false)).count(), 1);
    assert_eq!(section[plain.len() - 1000..], plain[plain.len() - 1000..]);
}

#[test]
fn a_table_of_another_section_is_none() {
    let (_, packed) = section(30);
    let (made, _) = make(packed.clone(), &Cache::default(), None);
    let table = table(&made.unwrap());
    let of = |table: &[u8]| Seekable::of(packed.clone(), Kept::InMemory(table.to_vec())).is_some();
    assert!(of(&table));
    assert!(!of(&table[..table.len() - 1]));
    assert!(!of(&[]));
    for number in 0..3 {
        for change in [1, 0x80] {
            for byte in [0, 7] {
                let mut other = table.clone();
                other[number * 8 + byte] ^= change;
                assert!(!of(&other), "number {number}, byte {byte}");
            }
        }
    }
}

#[test]
fn places_that_are_wrong_only_leave_parts_out() {
    let (plain, packed) = section(30);
    let (made, _) = make(packed.clone(), &Cache::default(), None);
    let table = table(&made.unwrap());
    for byte in START + PLACE..START + 2 * PLACE {
        let mut other = table.clone();
        other[byte] ^= 0x40;
        let section = Seekable::of(packed.clone(), Kept::InMemory(other)).unwrap();
        section.need(0..plain.len());
        assert_eq!(section.len(), plain.len());
    }
}
