use super::*;
use crate::compressed::access_points::{AccessPoint, PLACE, START, table_of};
use crate::compressed::file_bytes::Bytes;
use crate::compressed::unit_queue::HEAD;
use crate::testing::build;
use flate2::Compression;
use std::io::Write;

/// A section of units of different sizes, which does not compress well, and its stream behind an ELF file.
fn section(units: usize) -> (Vec<u8>, CompressedSection) {
    let (mut plain, mut state) = (Vec::new(), 1u32);
    for unit in 0..units {
        let length = 100_000 + unit * 7919;
        plain.extend((length as u32).to_le_bytes());
        plain.extend((0..length).map(|i| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if i % 3 == 0 { 7 } else { (state >> 26) as u8 }
        }));
    }
    compressed(&plain)
}

/// A section and its stream.
fn compressed(plain: &[u8]) -> (Vec<u8>, CompressedSection) {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(plain).unwrap();
    let stream = encoder.finish().unwrap();
    let mut bytes = build("gcc", "-g", &["types.c"]).bytes.to_vec();
    let data = bytes.len()..bytes.len() + stream.len();
    bytes.extend(stream);
    let bytes = Arc::new(Bytes::Owned(bytes));
    let size = plain.len();
    (plain.to_vec(), CompressedSection { bytes, data, size })
}

/// A section that is decompressed for the first time, to its end, with the lengths of its units.
fn make(compressed: CompressedSection, cache: &Cache, key: Option<&Key>) -> (Result<Seekable, Broken>, Vec<usize>) {
    let section = Seekable::begin(compressed, cache, key).unwrap();
    let decompression = section.decompression().unwrap().clone();
    let mut lengths = Vec::new();
    while let Some(unit) = decompression.queue().next(None) {
        assert_eq!(unit.number, lengths.len());
        lengths.push(unit.bytes.len());
    }
    (section.heads().map(drop).map(|()| section), lengths)
}

/// Waits until the cache has the places of a section.
fn found(compressed: &CompressedSection, cache: &Cache) -> Seekable {
    loop {
        if let Some(section) = Seekable::cached(compressed.clone(), cache, Some(&key())) {
            return section;
        }
        std::thread::yield_now();
    }
}

/// Whether each part that was looked at is there.
fn filled(section: &Seekable) -> Vec<Option<bool>> {
    match &section.index {
        Index::Known(_, parts) => parts.iter().map(Part::is_sound).collect(),
        Index::BackgroundDecompression(decompression) => {
            decompression.parts(0..section.size()).iter().map(|(place, _)| place.part.is_sound()).collect()
        }
    }
}

/// The table of a section that was decompressed to its end.
fn table(section: &Seekable) -> Vec<u8> {
    let decompression = section.decompression().unwrap();
    let places: Vec<AccessPoint> = decompression.parts(0..section.size()).into_iter().map(|(place, _)| place).collect();
    table_of(section.size(), &places, &decompression.heads().unwrap())
}

fn key() -> Key {
    Key { name: "places".to_owned(), source: b"of this".to_vec() }
}

#[test]
fn what_is_needed_is_there_and_little_else() {
    let directory = tempfile::tempdir().unwrap();
    let cache = Cache::at(&directory.path().join("cache"), 1 << 30, 0);
    let (plain, compressed) = section(60);
    let (made, lengths) = make(compressed.clone(), &cache, Some(&key()));
    assert_eq!(lengths, (0..60).map(|unit| 100_004 + unit * 7919).collect::<Vec<_>>());
    for section in [made.unwrap(), found(&compressed, &cache)] {
        assert!(filled(&section).len() >= 5);
        assert_eq!(section.size(), plain.len());
        let mut offset = 0;
        for ((at, head), length) in section.heads().unwrap().iter().zip(&lengths) {
            assert_eq!((*at, &head[..]), (offset, &plain[offset..offset + HEAD]));
            offset += length;
        }
        assert_eq!(filled(&section).iter().flatten().count(), 0);
        let middle = plain.len() / 2;
        assert_eq!(section.get(middle..middle + 1000), Some(&plain[middle..middle + 1000]));
        assert!((1..=2).contains(&filled(&section).iter().flatten().count()));
        // By several at once, each from another place on: what one has is not written to by the others.
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (section, plain) = (&section, &plain);
                scope.spawn(move || {
                    let size = plain.len();
                    let mut seen = Vec::new();
                    for step in 0..60 {
                        let start = (size / 4 * thread + size / 60 * step) % size;
                        let range = start..(start + 70_000).min(size);
                        seen.push((range.clone(), section.get(range).unwrap()));
                    }
                    assert!(seen.into_iter().all(|(range, bytes)| bytes == &plain[range]));
                });
            }
        });
        assert!(section.get(0..plain.len()).unwrap() == plain);
        assert!(filled(&section).iter().all(|part| *part == Some(true)));
        assert_eq!(section.get(plain.len() - 1..plain.len() + 1), None);
        assert_eq!(section.get(plain.len()..plain.len()), Some(&[][..]));
    }
}

#[test]
fn a_part_is_written_once_and_nothing_outside_of_it() {
    let (plain, compressed) = section(30);
    let (made, _) = make(compressed.clone(), &Cache::default(), None);
    let cached = Seekable::of(compressed, Stored::InMemory(table(&made.unwrap()))).unwrap();
    let Index::Known(table, parts) = &cached.index else { panic!("its places are known") };
    let places = table.places();
    let (start, end) = (places[1].output as usize, places[2].output as usize);
    // As if there were more in its piece than there is room for.
    cached.put(start..end, &plain[start..]);
    parts[1].fill(|| true);
    parts[2].fill(|| true);
    assert!(cached.get(start..end).unwrap() == &plain[start..end]);
    let next = cached.get(end..places[3].output as usize).unwrap();
    assert!(next.iter().all(|byte| *byte == 0));
    parts[1].fill(|| panic!("it is filled"));
}

#[test]
fn heads_of_short_units_are_theirs_alone() {
    let units: Vec<u8> =
        (1..=200u32).flat_map(|length| [&length.to_le_bytes()[..], &vec![7; length as usize]].concat()).collect();
    let (_, compressed) = compressed(&units);
    let (made, lengths) = make(compressed.clone(), &Cache::default(), None);
    assert_eq!(lengths, (5..=204).collect::<Vec<_>>());
    let made = made.unwrap();
    let cached = Seekable::of(compressed, Stored::InMemory(table(&made))).unwrap();
    for section in [made, cached] {
        let heads = section.heads().unwrap();
        assert_eq!(heads.len(), 200);
        assert!(heads.iter().all(|(at, head)| units[*at..].starts_with(&head[..4])));
        assert!(section.get(0..units.len()).unwrap() == units);
    }
}

#[test]
fn a_damaged_stream_is_refused() {
    let (plain, compressed) = section(30);
    let mut bytes = compressed.bytes.to_vec();
    let middle = compressed.data.start.midpoint(compressed.data.end);
    for change in [middle, compressed.data.end - 1] {
        let sound = bytes[change];
        bytes[change] ^= 0x10;
        let changed = Arc::new(Bytes::Owned(bytes.clone()));
        assert!(make(CompressedSection { bytes: changed, ..compressed.clone() }, &Cache::default(), None).0.is_err());
        bytes[change] = sound;
    }
    for size in [plain.len() - 1, plain.len() + 1] {
        assert!(make(CompressedSection { size, ..compressed.clone() }, &Cache::default(), None).0.is_err());
    }
    // Damaged after its places were noted: that part is not there, others are.
    let (made, _) = make(compressed, &Cache::default(), None);
    bytes[middle] ^= 0x10;
    let bytes = Arc::new(Bytes::Owned(bytes));
    let mut section = made.unwrap();
    section.compressed.bytes = bytes;
    section.get(0..plain.len()).unwrap();
    assert_eq!(filled(&section).iter().filter(|part| **part == Some(false)).count(), 1);
    assert_eq!(section.get(plain.len() - 1000..plain.len()), Some(&plain[plain.len() - 1000..]));
}

#[test]
fn a_table_of_another_section_is_none() {
    let (_, compressed) = section(30);
    let (made, _) = make(compressed.clone(), &Cache::default(), None);
    let table = table(&made.unwrap());
    let of = |table: &[u8]| Seekable::of(compressed.clone(), Stored::InMemory(table.to_vec())).is_some();
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
    let (plain, compressed) = section(30);
    let (made, _) = make(compressed.clone(), &Cache::default(), None);
    let table = table(&made.unwrap());
    for byte in START + PLACE..START + 2 * PLACE {
        let mut other = table.clone();
        other[byte] ^= 0x40;
        // Parts that overlap, or are outside of the section, are refused at once.
        let Some(section) = Seekable::of(compressed.clone(), Stored::InMemory(other)) else { continue };
        assert!(section.get(0..plain.len()).is_some());
    }
}
