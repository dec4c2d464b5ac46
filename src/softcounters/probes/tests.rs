//! What one side writes the other reads, and what neither writes harms nobody.

use super::*;
use crate::softcounters::shim::cache::site::Item;
use crate::softcounters::shim::probe::hits::Sink;
use crate::softcounters::shim::probe::list as object;
use proptest::prelude::*;

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

fn probe() -> impl Strategy<Value = Probe> {
    (place(), prop::collection::vec(value(), 0..=32)).prop_map(|(place, values)| Probe { place, values })
}

/// As the object has it.
fn item(value: &Value) -> Item {
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
    fn no_text_harms_the_object(text in "(retrograde-probes 1\n)?((at|module|limit|end|space|all|0|ff|rdi|8@rsp\\+1|build-id)[ \n]){0,20}") {
        let _ = object::List::parse(&text);
    }

    #[test]
    fn what_the_object_tells_is_read(ticks in any::<[u64; 3]>(), bytes in any::<[u8; 5]>(), read in 0usize..=5) {
        let register = Value::Register(Register::named("rdi").unwrap());
        let memory = Value::Memory { base: Register::named("rsp").unwrap(), steps: vec![0], length: 5 };
        let at = |values| Probe { place: Place::Address { address: 1, space: None }, values };
        let probes = [at(vec![register]), at(vec![Value::Vector(3), memory])];
        let mut sink = Sink::in_memory(1000);
        sink.thread(1, 0, 77);
        sink.space(1, 4);
        sink.placed(4, 1, 0x1_2345_6789);
        sink.hit(0, 1, ticks[0], &ticks[1].to_le_bytes());
        let mut payload = vec![7; 16];
        payload.extend((read as u32).to_le_bytes());
        payload.extend(bytes);
        sink.hit(1, 1, ticks[2], &payload);
        sink.finish();
        let file = sink.kept().to_vec();
        let records: Vec<Record> = Hits::new(&*file, &probes).unwrap().map(Result::unwrap).collect();
        let values = vec![Found::Vector([7; 16]), Found::Memory(bytes[..read].to_vec())];
        prop_assert_eq!(records, [
            Record::Thread { thread: 1, parent: None, tid: 77 },
            Record::Space { thread: 1, space: 4 },
            Record::Placed { space: 4, probe: 1, address: 0x1_2345_6789 },
            Record::Hit(Hit { probe: 0, thread: 1, ticks: ticks[0], values: vec![Found::Register(ticks[1])] }),
            Record::Hit(Hit { probe: 1, thread: 1, ticks: ticks[2], values }),
            Record::End { hits: 2 },
        ]);
        for end in 8..file.len() {
            let last = Hits::new(&file[..end], &probes).unwrap().last().unwrap();
            prop_assert!(matches!(last, Err(Damage::Cut)), "{}", end);
        }
    }

    #[test]
    fn no_bytes_harm_the_reader(tail in prop::collection::vec(prop_oneof![3 => Just(0u8), 2 => 1u8..8, 1 => any::<u8>()], 0..200)) {
        let probes = [Probe { place: Place::Address { address: 1, space: None }, values: vec![Value::Vector(0)] }];
        let file = [b"softhit1".as_slice(), &tail].concat();
        let mut records = Hits::new(&*file, &probes).unwrap();
        let count = records.by_ref().count();
        prop_assert!(count <= file.len() && records.next().is_none());
        prop_assert!(matches!(Hits::new(&*tail, &probes), Err(Damage::Version | Damage::Cut)));
    }
}

#[test]
fn what_the_object_would_refuse_is_refused_before() {
    let at = |values| Probe { place: Place::Address { address: 1, space: None }, values };
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
    assert_eq!(list(&vec![at(vec![]); 17], None), Err(Refused::TooManyTogether));
    let spread = |count: u64| -> Vec<Probe> {
        (0..count).map(|address| Probe { place: Place::Address { address, space: None }, values: vec![] }).collect()
    };
    assert!(list(&spread(4096), None).is_ok());
    assert_eq!(list(&spread(4097), None), Err(Refused::TooMany));
    let unnamed = Probe { place: Place::Module { module: Module::BuildId(vec![]), address: 1 }, values: vec![] };
    assert_eq!(list(&[unnamed], None), Err(Refused::BuildId(0)));
    assert!(Register::named("eax").is_none());
}

#[test]
fn both_sides_name_the_same_variables() {
    let has = |text: &str| memchr::memmem::find(crate::softcounters::OBJECT, text.as_bytes()).is_some();
    assert!(!crate::softcounters::available() || has(LIST) && has(HITS) && has("softhit1"));
}
