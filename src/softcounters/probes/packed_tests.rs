//! What the object packs is unpacked as it was in the buffer.

use super::tests::{item, probe};
use super::*;
use crate::shim::cache::count::slot_from_remaining;
use crate::shim::cache::site::{self, HEAD, Item, PASSED, Probe as Site};
use crate::shim::probe::hits::Sink;
use crate::shim::probe::packed::Packer;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Puts an entry into a buffer as translated code does, with these bytes for its values, and returns what it tells.
fn entry(buffer: &mut Vec<u8>, site: &Site, left: u64, bytes: &[u8]) -> Vec<CollectedValue> {
    let mut entry = vec![0xee; site.room() as usize];
    entry[..4].copy_from_slice(&site.number.to_le_bytes());
    entry[8..16].copy_from_slice(&slot_from_remaining(left).to_le_bytes());
    let mut bytes = bytes.iter().copied().cycle();
    let mut found = Vec::new();
    for (item, at) in site.places() {
        let mut next = |length: u16| -> Vec<u8> { bytes.by_ref().take(usize::from(length)).collect() };
        let told = match item {
            Item::Register(_) => CollectedValue::Register(u64::from_le_bytes(*next(8).first_chunk().unwrap())),
            Item::Vector(_) => CollectedValue::Vector(*next(16).first_chunk().unwrap()),
            Item::Memory { length, .. } => CollectedValue::Memory(next(*length)),
        };
        let told_bytes = match &told {
            CollectedValue::Register(value) => value.to_le_bytes().to_vec(),
            CollectedValue::Vector(bytes) => bytes.to_vec(),
            CollectedValue::Memory(bytes) => bytes.clone(),
        };
        entry[at..at + told_bytes.len()].copy_from_slice(&told_bytes);
        found.push(told);
    }
    buffer.extend(entry);
    found
}

/// Puts an entry into a buffer of which what is required does not hold.
fn pass_over(buffer: &mut Vec<u8>, site: &Site, left: u64) {
    let mut entry = [0xee; HEAD];
    entry[..4].copy_from_slice(&(site.number | PASSED).to_le_bytes());
    entry[8..].copy_from_slice(&slot_from_remaining(left).to_le_bytes());
    buffer.extend(entry);
}

proptest! {
    #[test]
    fn what_is_packed_is_unpacked(
        probes in prop::collection::vec(probe(), 1..6),
        hits in prop::collection::vec((any::<prop::sample::Index>(), 0u64..3, 0u8..3, prop::collection::vec(prop_oneof![4 => Just(0u8), 1 => any::<u8>()], 1..40)), 1..60),
        written in 200u64..1 << 40,
        ticks in any::<u32>(),
        without in 0usize..=16,
    ) {
        let sites: Vec<Site> = (0..).zip(&probes).map(|(number, probe)| Site { number, items: probe.values.iter().map(item).collect(), requires: vec![] }).collect();
        let entries: Vec<_> = sites.iter().map(|site| (site.room(), site::pieces(site.places()))).collect();
        let mut packer = Packer::new(&entries);
        let (mut sink, mut single) = (Sink::in_memory(1 << 20), 0);
        let (mut expected, mut total) = (Vec::new(), 0);
        // Where the last hit of a probe was passed over, which hits are behind one in the same tick, and behind how many.
        let (mut passed, mut behind, mut all_passed) = (BTreeMap::<u32, (u64, u64)>::new(), Vec::new(), 0u64);
        for half in hits.chunks(hits.len().div_ceil(2)) {
            let (mut buffer, mut left, mut told) = (Vec::new(), written, Vec::new());
            for (probe, branches, is_told, bytes) in half {
                let site = probe.get(&sites);
                left -= branches;
                let now = u64::from(ticks) + written - left;
                if *is_told == 0 {
                    pass_over(&mut buffer, site, left);
                    told.push((site.number, now, None));
                    continue;
                }
                let values = entry(&mut buffer, site, left, bytes);
                let room = 24 + probes[site.number as usize].values.iter().map(|value| match value {
                    Value::Register(_) => 8,
                    Value::Vector(_) => 16,
                    Value::Memory { length, .. } => 4 + u64::from(*length),
                }).sum::<u64>();
                told.push((site.number, now, Some((values, room))));
            }
            told.truncate(told.len().saturating_sub(without));
            let packed = packer.pack(&buffer, without, 7, (u64::from(ticks), written)).unwrap();
            let rooms: Vec<u64> = told.iter().filter_map(|(.., told)| told.as_ref().map(|(_, room)| *room)).collect();
            let last = told.iter().rposition(|(.., told)| told.is_some()).map_or(0, |last| last + 1);
            let over = [(last - rooms.len()) as u64, (told.len() - last) as u64];
            prop_assert_eq!((packed.hits as usize, packed.room), (rooms.len(), rooms.iter().sum()));
            prop_assert_eq!([packed.passed, packed.passed_behind], over);
            single += packed.room;
            prop_assert!(sink.packs() && sink.packed(7, u64::from(ticks), &packed));
            packer.note_passed(7);
            let is_spoilt = packer.pack(&buffer[..buffer.len() - 1], 0, 9, (0, 0)).is_none();
            prop_assert!(is_spoilt);
            for (probe, ticks, told) in told {
                let Some((values, _)) = told else {
                    let before = passed.get(&probe).filter(|(tick, _)| *tick == ticks).map_or(0, |(_, hits)| *hits);
                    passed.insert(probe, (ticks, before + 1));
                    all_passed += 1;
                    continue;
                };
                total += 1;
                let in_tick = passed.get(&probe).filter(|(tick, _)| *tick == ticks).map_or(0, |(_, hits)| *hits);
                behind.push((in_tick, all_passed));
                expected.push(Record::Hit(Hit { probe, thread: 7, ticks, values: values.into() }));
            }
            expected.extend((over[1] > 0).then_some(Record::PassedOver { hits: over[1] }));
        }
        sink.space(7, 3);
        sink.finish();
        expected.extend([Record::Space { thread: 7, space: 3 }, Record::End { hits: total, is_part: false }]);
        let file = sink.kept().to_vec();
        let records: Vec<Record> = Hits::new(&*file, &probes).unwrap().map(Result::unwrap).collect();
        prop_assert_eq!(&records, &expected);
        // The same, each looked at on the way.
        let mut glimpses = Hits::new(&*file, &probes).unwrap();
        let mut behind = behind.into_iter();
        for record in &expected {
            match (glimpses.next_glimpse().unwrap().unwrap(), record) {
                (Glimpse::Hit, Record::Hit(hit)) => {
                    let brief = glimpses.last_hit().unwrap();
                    prop_assert_eq!((brief.probe, brief.thread, brief.ticks), (hit.probe, hit.thread, hit.ticks));
                    let in_tick = brief.passed_in_tick;
                    prop_assert_eq!(Some((in_tick, glimpses.passed_over())), behind.next());
                    let brief = glimpses.last_hit().unwrap();
                    prop_assert_eq!(&brief.values().unwrap(), &hit.values);
                    for (number, value) in hit.values.iter().enumerate() {
                        let word = match value {
                            CollectedValue::Register(value) => Some(*value),
                            CollectedValue::Vector(_) => None,
                            CollectedValue::Memory(bytes) => bytes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes)),
                        };
                        prop_assert_eq!(brief.word(number), word);
                    }
                }
                (Glimpse::Other(other), record) => prop_assert_eq!(&other, record),
                (Glimpse::Hit, record) => prop_assert!(false, "a hit instead of {record:?}"),
            }
        }
        // And none of them.
        let mut marks = Hits::new(&*file, &probes).unwrap();
        let mark = std::iter::from_fn(|| marks.next_mark()).map(Result::unwrap);
        let mut mark = mark.filter(|(_, record)| !matches!(record, Record::PassedOver { .. }));
        prop_assert_eq!(mark.next(), Some((total, Record::Space { thread: 7, space: 3 })));
        drop(mark);
        prop_assert_eq!(marks.passed_over(), all_passed);
        for end in (8..file.len()).step_by(file.len() / 16 + 1) {
            let last = Hits::new(&file[..end], &probes).unwrap().last().unwrap();
            prop_assert!(matches!(last, Err(Damage::Cut)), "{}", end);
        }
        // What there is no room for is told otherwise.
        let packed = packer.pack(&[], 0, 7, (0, 0)).unwrap();
        prop_assert_eq!((packed.hits, packed.room), (0, 0));
        let mut small = Sink::in_memory(single.saturating_sub(1) / 2);
        let mut buffer = Vec::new();
        let bytes = [1];
        let all = single / (24 + 1) + 2;
        (0..all).for_each(|_| drop(entry(&mut buffer, &sites[0], written, &bytes)));
        prop_assert!(!small.packed(7, 0, &packer.pack(&buffer, 0, 7, (0, written)).unwrap()));
    }
}
