//! What one side writes the other reads, and what neither writes harms nobody.

use super::*;
use crate::fuzz::{self, Target};
use crate::shim::cache::requirement as seen;
use crate::shim::cache::site::Item;
use crate::shim::probe::hits::{Bound, Origin, Sink, Write, mark};
use crate::shim::probe::list as object;
use proptest::prelude::*;
use std::ops::RangeInclusive;

fn register() -> impl Strategy<Value = Register> {
    prop::sample::select(object::REGISTERS.to_vec()).prop_map(|name| Register::named(name).unwrap())
}

fn value() -> impl Strategy<Value = Value> {
    let steps = prop::collection::vec(-(1 << 30)..=1 << 30, 1..=8);
    prop_oneof![
        register().prop_map(Value::Register),
        (0u8..16).prop_map(Value::Vector),
        (register(), steps, 1u16..=512).prop_map(|(base, steps, length)| Value::Memory { base, steps, length }),
    ]
}

fn place() -> impl Strategy<Value = Place> {
    let module = prop_oneof![
        prop::collection::vec(any::<u8>(), 1..=64).prop_map(Module::BuildId),
        (0u64..3).prop_map(Module::Headers),
    ];
    prop_oneof![
        (module, any::<u64>()).prop_map(|(module, address)| Place::Module { module, address }),
        (any::<u64>(), any::<Option<u32>>()).prop_map(|(address, space)| Place::Address { address, space }),
    ]
}

fn watch() -> impl Strategy<Value = Watch> {
    let values = prop::sample::subsequence(vec!["rax", "rsp", "r15"], 0..=3);
    let values =
        values.prop_map(|names| names.iter().map(|name| Value::Register(Register::named(name).unwrap())).collect());
    let access = prop::sample::select(vec![Access::Write, Access::Read, Access::Both]);
    let watch = (place(), 1..=u64::MAX, access, prop::option::of(1u32..=65536), values);
    watch.prop_map(|(place, length, access, last, values)| {
        let last = last.filter(|_| !access.reads());
        Watch { place, length, access, last, values }
    })
}

pub(super) fn probe() -> impl Strategy<Value = Probe> {
    let probe = (place(), prop::collection::vec(value(), 0..=32), prop::collection::vec(requirement(), 0..=8));
    probe.prop_map(|(place, values, requires)| Probe { place, values, requires })
}

fn requirement() -> impl Strategy<Value = Requirement> {
    let size = prop::sample::select(vec![1u8, 2, 4, 8]);
    let numbers = (any::<[prop::sample::Index; 2]>(), any::<bool>());
    (value(), size, any::<bool>(), numbers).prop_map(|(value, size, is_signed, (numbers, is_other))| {
        let operand = match value {
            Value::Register(register) => Operand::Register(register),
            Value::Memory { base, steps, .. } => Operand::Memory { base, steps },
            Value::Vector(_) => Operand::Register(Register::named("fs").unwrap()),
        };
        let (least, greatest) = Requirement::extent(size, is_signed).into_inner();
        let all = [least, least + 1, 0, 77, greatest / 2, greatest - 1, greatest];
        let [one, other] = numbers.map(|number| *number.get(&all));
        Requirement {
            operand,
            size,
            is_signed,
            range: one.min(other)..=one.max(other),
            is_other: is_other && one == other,
        }
    })
}

/// As the object has it.
fn required(requirement: &Requirement) -> seen::Requirement {
    let Requirement { operand, size, is_signed, range, is_other } = requirement;
    let value = match operand.clone() {
        Operand::Register(register) => Value::Register(register),
        Operand::Memory { base, steps } => Value::Memory { base, steps, length: 1 },
    };
    let operand = match item(&value) {
        Item::Memory { base, steps, .. } => seen::Operand::Memory { base, steps },
        Item::Register(number) | Item::Vector(number) => seen::Operand::Register(number),
    };
    let (least, greatest) = (*range.start(), *range.end());
    seen::Requirement { operand, size: *size, is_signed: *is_signed, least, greatest, is_other: *is_other }
}

/// As the object has it.
pub(super) fn item(value: &Value) -> Item {
    let number = |register: Register| object::REGISTERS.iter().position(|name| *name == register.name()).unwrap() as u8;
    match value {
        Value::Register(register) => Item::Register(number(*register)),
        Value::Vector(number) => Item::Vector(*number),
        Value::Memory { base, steps, length } => {
            Item::Memory { base: number(*base), steps: steps.clone(), length: *length }
        }
    }
}

proptest! {
    #[test]
    fn the_object_reads_what_is_asked_for(probes in prop::collection::vec(probe(), 0..20), limit in any::<Option<u64>>()) {
        let text = list(&probes, limit).unwrap();
        let read = object::List::parse(&text).unwrap();
        prop_assert_eq!(read.limit, limit.unwrap_or(u64::MAX));
        prop_assert_eq!(read.probes.len(), probes.len());
        for ((place, found), probe) in read.probes.iter().zip(&probes) {
            prop_assert_eq!(&found.items, &probe.values.iter().map(item).collect::<Vec<_>>());
            prop_assert_eq!(&found.requires, &probe.requires.iter().map(required).collect::<Vec<_>>());
            let same = match (place, &probe.place) {
                (object::Place::Module { module, address: at }, Place::Module { module: named, address }) => {
                    let identity = match named {
                        Module::BuildId(id) => object::Identity::BuildId(id.clone()),
                        Module::Headers(sum) => object::Identity::Headers(*sum),
                    };
                    read.modules[*module] == identity && at == address
                }
                (object::Place::Absolute { address: at, space: of }, Place::Address { address, space }) => {
                    at == address && of == space
                }
                _ => false,
            };
            prop_assert!(same, "{place:?}");
        }
    }

    #[test]
    fn the_object_reads_what_is_watched(watches in prop::collection::vec(watch(), 1..20), until in prop::collection::vec((1u32..=1 << 20, any::<u64>(), any::<u64>()), 0..5), since in any::<Option<(u32, u64)>>()) {
        let bound = |(thread, sure, most)| Until { thread, sure, most };
        let asked = Asked { watches, until: until.iter().copied().map(bound).collect(), since, ..Asked::default() };
        let read = object::List::parse(&asked.list(None).unwrap()).unwrap();
        let bounds: Vec<_> = until.iter().map(|(thread, sure, most)| (*thread, Bound { sure: *sure, most: *most })).collect();
        prop_assert_eq!((read.until, read.since, read.writes.list.len()), (bounds, since, asked.watches.len()));
        for (found, watch) in read.writes.list.iter().zip(&asked.watches) {
            prop_assert_eq!((found.length, found.last), (watch.length, watch.last.map(|last| last as usize)));
            prop_assert_eq!((found.writes, found.reads), (watch.access.writes(), watch.access.reads()));
            prop_assert_eq!(&found.items, &watch.values.iter().map(item).collect::<Vec<_>>());
            let address = |place: &Place| match place {
                Place::Module { address, .. } | Place::Address { address, .. } => *address,
            };
            let (object::Place::Module { address: at, .. } | object::Place::Absolute { address: at, .. }) = found.place;
            prop_assert_eq!(at, address(&watch.place));
        }
    }

    #[test]
    fn writes_that_the_object_tells_are_read(ticks in any::<[u64; 4]>(), bytes in any::<[u8; 6]>(), most in 1usize..5) {
        let register = Value::Register(Register::named("rdi").unwrap());
        let at = Place::Address { address: 1, space: None };
        let all = Watch { place: at, length: 9, access: Access::Write, last: None, values: vec![register] };
        let asked = Asked { watches: vec![all.clone(), Watch { last: Some(most as u32), ..all }], ..Asked::default() };
        let mut sink = Sink::in_memory(10_000);
        sink.keep_last(&[None, Some(most)]);
        let mut expected = Vec::new();
        for number in 0..10u32 {
            // Of no thread, nothing is skipped.
            let (watch, thread) = (number / 5, number % 5);
            let origin = if number < 8 { Origin::Instruction } else { Origin::System };
            let address = ticks[1] >> 4;
            let (before, after) = bytes.split_at(2);
            let (marks, access) = match number {
                2 => (mark::READ | mark::LOCKED, Access::Both),
                4 => (mark::ONLY_READ, Access::Read),
                _ => (0, Access::Write),
            };
            let (instruction, range) = (ticks[2], address..address + 7);
            let write = Write { watch, space: 1, thread, ticks: ticks[0] >> 1, origin, marks, instruction, range, before, after };
            let values = ticks[3].to_le_bytes();
            sink.write(&write, if number < 8 { &values } else { &[] });
            expected.push(Record::Written(Written {
                watch,
                thread: (thread != 0).then_some(thread),
                ticks: ticks[0] >> 1,
                space: u32::try_from(instruction).ok().filter(|_| number >= 8),
                events: None,
                writer: if number < 8 { Writer::Instruction(ticks[2]) } else { Writer::System },
                is_again: false,
                // Of those that are kept, which time it is is counted.
                visit: matches!(number, 6 | 7).then_some(1),
                access,
                is_locked: number == 2,
                address,
                length: 7,
                before: before.to_vec(),
                after: after.to_vec(),
                values: if number < 8 { vec![CollectedValue::Register(ticks[3])].into() } else { Values::default() },
            }));
        }
        sink.finish();
        let file = sink.kept().to_vec();
        let records: Vec<Record> = Hits::of(&*file, &asked).unwrap().map(Result::unwrap).collect();
        // The last one that changed something is told, too: each of them has.
        let skipped = 4usize.saturating_sub(most + 1);
        if skipped > 0 {
            let thread = skipped as u32 + 1;
            expected.splice(6..6 + skipped, [Record::Skipped { watch: 1, thread, writes: skipped as u64 }]);
        }
        prop_assert_eq!(records, [expected, vec![Record::End { hits: 10, is_part: false }]].concat());
        for end in 8..file.len() {
            let last = Hits::of(&file[..end], &asked).unwrap().last().unwrap();
            prop_assert!(matches!(last, Err(Damage::Cut)), "{}", end);
        }
    }

    #[test]
    fn no_text_harms_the_object(text in "(retrograde-probes 1\n)?((at|write|until|last|module|limit|end|space|all|0|ff|rdi|8@rsp\\+1|build-id)[ \n]){0,20}") {
        let _ = object::List::parse(&text);
    }

    #[test]
    fn what_the_object_tells_is_read(ticks in any::<[u64; 3]>(), bytes in any::<[u8; 5]>(), read in 0usize..=5) {
        let register = Value::Register(Register::named("rdi").unwrap());
        let memory = Value::Memory { base: Register::named("rsp").unwrap(), steps: vec![0], length: 5 };
        let at = |values| Probe::new(Place::Address { address: 1, space: None }, values);
        let probes = [at(vec![register]), at(vec![Value::Vector(3), memory])];
        let mut sink = Sink::in_memory(1000);
        sink.thread(1, 0, 77);
        sink.space(1, 4);
        sink.placed(4, 1, 0x1_2345_6789);
        sink.hit((0, 0), 1, ticks[0], &ticks[1].to_le_bytes());
        let mut payload = vec![7; 16];
        payload.extend((read as u32).to_le_bytes());
        payload.extend(bytes);
        sink.hit((1, 0), 1, ticks[2], &payload);
        sink.finish();
        let file = sink.kept().to_vec();
        let records: Vec<Record> = Hits::new(&*file, &probes).unwrap().map(Result::unwrap).collect();
        let values = vec![CollectedValue::Vector([7; 16]), CollectedValue::Memory(bytes[..read].to_vec())];
        prop_assert_eq!(records, [
            Record::Thread { thread: 1, parent: None, tid: 77 },
            Record::Space { thread: 1, space: 4 },
            Record::Placed { space: 4, probe: 1, address: 0x1_2345_6789 },
            Record::Hit(Hit { probe: 0, thread: 1, ticks: ticks[0], values: vec![CollectedValue::Register(ticks[1])].into() }),
            Record::Hit(Hit { probe: 1, thread: 1, ticks: ticks[2], values: values.into() }),
            Record::End { hits: 2, is_part: false },
        ]);
        for end in 8..file.len() {
            let last = Hits::new(&file[..end], &probes).unwrap().last().unwrap();
            prop_assert!(matches!(last, Err(Damage::Cut)), "{}", end);
        }
    }

    #[test]
    fn no_bytes_harm_the_reader(tail in prop::collection::vec(prop_oneof![3 => Just(0u8), 2 => 1u8..14, 1 => Just(8u8), 1 => any::<u8>(), 1 => Just(16u8)], 0..200)) {
        let probes = [Probe::new(Place::Address { address: 1, space: None }, vec![Value::Vector(0)])];
        let file = [b"softhit1".as_slice(), &tail].concat();
        let watch = Watch { place: Place::Address { address: 1, space: None }, length: 1, access: Access::Both, last: None, values: vec![] };
        let asked = Asked { probes: probes.to_vec(), watches: vec![watch], ..Asked::default() };
        let mut records = Hits::of(&*file, &asked).unwrap();
        let count = records.by_ref().count();
        prop_assert!(count <= file.len() && records.next().is_none());
        prop_assert!(matches!(Hits::new(&*tail, &probes), Err(Damage::Version | Damage::Cut)));
    }
}

#[test]
fn counts_are_read_as_the_object_tells_them() {
    let asked = object::List::parse(&Asked { counts: true, ..Asked::default() }.list(Some(7)).unwrap()).unwrap();
    assert!(asked.counts && asked.limit == 7 && asked.probes.is_empty());
    assert!(!object::List::parse(&list(&[], None).unwrap()).unwrap().counts);
    for wrong in ["counts all", "counts\nuntil 1 5 5", "until 1 5", "until 0 5 5", "since 1"] {
        assert!(object::List::parse(&format!("retrograde-probes 1\n{wrong}\nend\n")).is_err(), "{wrong}");
    }
    let bound = |thread| Until { thread, sure: 5, most: 5 };
    let until = Asked { counts: true, until: vec![bound(1)], ..Asked::default() };
    assert_eq!(until.list(None), Err(Refused::Counts));
    let until = Asked { until: vec![bound(1), bound(0)], ..Asked::default() };
    assert_eq!(until.list(None), Err(Refused::Bounds));
    let mut sink = Sink::in_memory(1000);
    sink.module(3, 0x1234_5678_9abc, &[1, 2, 3]);
    sink.module(4, 9, &[]);
    sink.counted(7, Some(3), &(0x10..0x20), 1 << 40);
    sink.ticks(7, None, 0x7f00_0000_0000, 5);
    sink.lost(8);
    sink.finish();
    let file = sink.kept().to_vec();
    let records: Vec<Record> = Hits::new(&*file, &[]).unwrap().map(Result::unwrap).collect();
    assert_eq!(
        records,
        [
            Record::Module { module: 3, headers: 0x1234_5678_9abc, build_id: vec![1, 2, 3] },
            Record::Module { module: 4, headers: 9, build_id: vec![] },
            Record::Counted { space: 7, module: Some(3), code: 0x10..0x20, count: 1 << 40 },
            Record::Ticks { space: 7, module: None, branch: 0x7f00_0000_0000, ticks: 5 },
            Record::Lost { space: 8 },
            Record::End { hits: 0, is_part: false },
        ]
    );
    for end in 8..file.len() {
        assert!(matches!(Hits::new(&file[..end], &[]).unwrap().last().unwrap(), Err(Damage::Cut)), "{end}");
    }
}

#[test]
fn what_the_object_would_refuse_is_refused_before() {
    let at = |values| Probe::new(Place::Address { address: 1, space: None }, values);
    let register = Register::named("r15").unwrap();
    let memory = |steps: Vec<i32>, length| Value::Memory { base: register, steps, length };
    let refused = |values| list(&[at(vec![]), at(values)], None).unwrap_err();
    for value in [
        Value::Vector(16),
        memory(vec![], 8),
        memory(vec![0; 9], 8),
        memory(vec![i32::MIN], 8),
        memory(vec![0], 0),
        memory(vec![0], 513),
    ] {
        assert_eq!(refused(vec![value]), Refused::Values(1));
    }
    assert_eq!(refused(vec![Value::Register(register); 33]), Refused::Values(1));
    let requirement =
        Requirement { operand: Operand::Register(register), size: 4, is_signed: true, range: 0..=9, is_other: false };
    let refused_if = |requires| list(&[Probe { requires, ..at(vec![]) }], None).unwrap_err();
    for wrong in [
        Requirement { size: 3, ..requirement.clone() },
        Requirement { range: 0..=1 << 31, ..requirement.clone() },
        Requirement { range: RangeInclusive::new(9, 0), ..requirement.clone() },
        Requirement { is_other: true, ..requirement.clone() },
        Requirement { operand: Operand::Memory { base: register, steps: vec![] }, ..requirement.clone() },
    ] {
        assert_eq!(refused_if(vec![wrong]), Refused::Requires(0));
    }
    let until = vec![Until { thread: 1, sure: 5, most: 5 }];
    let probes = vec![Probe { requires: vec![requirement.clone()], ..at(vec![]) }];
    let bounded = Asked { probes, until, ..Asked::default() };
    assert_eq!(bounded.list(None), Err(Refused::RequiresBounds));
    assert_eq!(refused_if(vec![requirement; 9]), Refused::Requires(0));
    assert_eq!(list(&vec![at(vec![]); 17], None), Err(Refused::TooManyTogether));
    let spread = |count: u64| -> Vec<Probe> {
        (0..count).map(|address| Probe::new(Place::Address { address, space: None }, vec![])).collect()
    };
    assert!(list(&spread(4096), None).is_ok());
    assert_eq!(list(&spread(4097), None), Err(Refused::TooMany));
    let unnamed = Probe::new(Place::Module { module: Module::BuildId(vec![]), address: 1 }, vec![]);
    assert_eq!(list(&[unnamed], None), Err(Refused::BuildId(0)));
    assert!(Register::named("eax").is_none());
    let place = Place::Address { address: 1, space: None };
    let watch = |length, last, values| Watch { place: place.clone(), length, access: Access::Write, last, values };
    let refused = |watches| Asked { watches, ..Asked::default() }.list(None).unwrap_err();
    assert_eq!(refused(vec![watch(1, None, vec![]), watch(0, None, vec![])]), Refused::Watch(1));
    assert_eq!(refused(vec![watch(1, Some(0), vec![])]), Refused::Watch(0));
    let read = Watch { access: Access::Read, ..watch(1, Some(1), vec![]) };
    assert_eq!(refused(vec![read]), Refused::Watch(0));
    assert_eq!(refused(vec![watch(1, None, vec![]); 4097]), Refused::TooManyWatches);
    let many = |from| (from..from + 20).map(|step| memory(vec![step], 8)).collect();
    assert_eq!(refused(vec![watch(1, None, many(0)), watch(1, None, many(20))]), Refused::WatchedValues);
}

#[test]
fn both_sides_name_the_same_variables() {
    let has = |text: &str| memchr::memmem::find(crate::OBJECT, text.as_bytes()).is_some();
    assert!(!crate::available() || has(LIST) && has(HITS) && has("softhit1"));
}

#[test]
fn what_is_between_hits_is_read_without_them() {
    let mut sink = Sink::in_memory(1000);
    sink.thread(1, 0, 7);
    sink.hit((0, 0), 1, 5, &[0; 8]);
    sink.hit((0, 0), 1, 6, &[0; 8]);
    sink.space(1, 2);
    sink.finish();
    let values = vec![Value::Register(Register::named("rax").unwrap())];
    let probe = Probe::new(Place::Address { address: 1, space: None }, values);
    let mut hits = Hits::new(sink.kept(), std::slice::from_ref(&probe)).unwrap();
    let marks: Vec<_> = std::iter::from_fn(|| hits.next_mark()).map(Result::unwrap).collect();
    let thread = Record::Thread { thread: 1, parent: None, tid: 7 };
    assert_eq!(
        marks,
        [(0, thread), (2, Record::Space { thread: 1, space: 2 }), (2, Record::End { hits: 2, is_part: false })]
    );
}

#[test]
fn what_is_behind_a_moment_is_not_told_and_what_may_be_is_not_skipped() {
    let watch = Watch {
        place: Place::Address { address: 1, space: None },
        length: 1,
        access: Access::Write,
        last: Some(1),
        values: vec![],
    };
    let asked = Asked { watches: vec![watch], ..Asked::default() };
    let mut sink = Sink::in_memory(10_000);
    sink.keep_last(&[Some(1)]);
    sink.end_after(&[(1, Bound { sure: 5, most: 6 }), (2, Bound { sure: 9, most: u64::MAX })]);
    let mut write = |thread, ticks, after: u8| {
        let (origin, instruction, range) = (Origin::Instruction, 0, 1..2);
        let (before, after) = (&[0][..], &[after][..]);
        sink.write(
            &Write { watch: 0, space: 1, thread, ticks, origin, marks: 0, instruction, range, before, after },
            &[],
        );
    };
    // What changes nothing is skipped, as far as it is known to be wanted; nothing is of a third thread.
    for (thread, ticks) in [(1, 3), (2, 8), (1, 4), (1, 4), (3, 0), (3, 1), (2, 8), (1, 5), (1, 6), (2, 8), (2, 9)] {
        write(thread, ticks, 0);
    }
    sink.reach(2, 1 << 60);
    sink.hit((0, 0), 1, 6, &[]);
    sink.reach(1, 7);
    let probe = Probe::new(Place::Address { address: 1, space: None }, vec![]);
    let asked = Asked { probes: vec![probe], ..asked };
    let told = Hits::of(sink.kept(), &asked).unwrap().map(Result::unwrap).map(|record| match record {
        Record::Written(written) => format!("{} {}", written.thread.unwrap(), written.ticks),
        Record::Skipped { writes, .. } => format!("{writes} skipped"),
        Record::Hit(_) => "hit".to_owned(),
        Record::End { hits, is_part } => format!("end {hits} {is_part}"),
        other => format!("{other:?}"),
    });
    let expected = ["3 skipped", "1 4", "3 0", "3 1", "2 8", "1 5", "1 6", "2 8", "2 9", "hit", "end 12 true"];
    assert_eq!(told.collect::<Vec<_>>(), expected);
}

#[test]
fn hits_are_told_of_one_thread_from_a_moment_on() {
    let mut sink = Sink::in_memory(1000);
    sink.begin_at(Some((2, 5)));
    for (thread, ticks) in [(1, 5), (2, 4), (2, 5), (3, 9), (2, 6)] {
        sink.hit((0, 0), thread, ticks, &[]);
    }
    sink.finish();
    let probe = Probe::new(Place::Address { address: 1, space: None }, vec![]);
    let hits =
        Hits::new(sink.kept(), std::slice::from_ref(&probe)).unwrap().filter_map(|record| match record.unwrap() {
            Record::Hit(hit) => Some((hit.thread, hit.ticks)),
            _ => None,
        });
    assert_eq!(hits.collect::<Vec<_>>(), [(2, 5), (2, 6)]);
}

/// What is asked for in the fuzzed lists, and told in the fuzzed files.
fn asked() -> Asked {
    let register = |name| Value::Register(Register::named(name).unwrap());
    let memory = Value::Memory { base: Register::named("rsp").unwrap(), steps: vec![8, -16], length: 5 };
    let at = |address| Place::Address { address, space: None };
    let in_module = Place::Module { module: Module::BuildId(vec![7; 20]), address: 0x1139 };
    let watch =
        |last| Watch { place: at(0x601040), length: 8, access: Access::Write, last, values: vec![register("rdi")] };
    Asked {
        probes: vec![
            Probe::new(at(0x401136), vec![register("rdi")]),
            Probe::new(in_module, vec![Value::Vector(3), memory, register("rax")]),
        ],
        watches: vec![watch(None), watch(Some(2))],
        until: vec![Until { thread: 1, sure: 5, most: 9 }],
        ..Asked::default()
    }
}

#[test]
fn fuzz_lists_of_probes() {
    let counts = Asked { counts: true, ..Asked::default() };
    let target = Target {
        name: "lists of probes",
        seeds: fuzz::texts(&[
            &asked().list(Some(1000)).unwrap(),
            &counts.list(None).unwrap(),
            &list(&asked().probes, None).unwrap(),
        ]),
        dictionary: &[
            b"\n",
            b" ",
            b"retrograde-probes 1\n",
            b"at ",
            b"write ",
            b"until ",
            b"since ",
            b"last ",
            b"module ",
            b"limit ",
            b"end\n",
            b"space ",
            b"counts\n",
            b"build-id ",
            b"rdi",
            b"8@rsp+1",
            b"@",
            b"+",
            b"-",
            b"ffffffffffffffff",
            b"99999999999999999999",
        ],
    };
    target.run(|input, _| drop(object::List::parse(&fuzz::text(input))));
}

#[test]
fn fuzz_files_of_hits() {
    let mut sink = Sink::in_memory(10_000);
    sink.thread(1, 0, 77);
    sink.space(1, 4);
    sink.placed(4, 1, 0x1_2345_6789);
    sink.hit((0, 0), 1, 5, &9u64.to_le_bytes());
    let mut payload = vec![7; 16];
    payload.extend(5u32.to_le_bytes());
    payload.extend([1, 2, 3, 4, 5]);
    payload.extend(9u64.to_le_bytes());
    sink.hit((1, 0), 1, 6, &payload);
    let (range, origin) = (0x60_1040..0x60_1044, Origin::Instruction);
    let write = Write {
        watch: 0,
        space: 1,
        thread: 1,
        ticks: 7,
        origin,
        marks: 0,
        instruction: 1,
        range,
        before: &[1],
        after: &[2],
    };
    sink.write(&write, &9u64.to_le_bytes());
    sink.finish();
    let target = Target {
        name: "files of hits",
        seeds: vec![sink.kept().to_vec(), b"softhit1".to_vec()],
        dictionary: &[b"softhit1", b"\x01\0\0\0", b"\x0d\0\0\0", b"\xff\xff\xff\xff", b"\0\0\0\0\0\0\0\0"],
    };
    let asked = asked();
    target.run(|input, random| {
        let Ok(mut hits) = Hits::of(input, &asked) else { return };
        match random.below(3) {
            0 => {
                let count = hits.by_ref().count();
                assert!(count <= (1 << 20) && hits.next().is_none());
            }
            1 => while let Some(Ok(_)) = hits.next_mark() {},
            _ => {
                while let Some(Ok(glimpse)) = hits.next_glimpse() {
                    if matches!(glimpse, Glimpse::Hit)
                        && let Ok(hit) = hits.last_hit()
                    {
                        let _ = (
                            hit.word(random.below(4)),
                            hit.part(random.below(4), random.below(9), 1 + random.below(8)),
                        );
                        let _ = hit.values();
                    }
                }
            }
        }
    });
}
