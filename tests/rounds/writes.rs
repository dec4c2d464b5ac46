//! Watched memory in probe passes: what they tell is what the program says of its writes, and no pass changes a replay.

use crate::DEADLINE;
use crate::catalogue::compile;
use crate::run::run;
use crate::support::fixtures::scratch;
use crate::support::recordings::{rr, small_environment};
use object::{Object, ObjectSection, ObjectSymbol};
use rr::{ProbePass, ProbeRecord, RecordOptions};
use softcounters::probes::{self, Asked, CollectedValue, Hits, Module, Place, Record, Register, Value};
use softcounters::probes::{Access, Until, Watch, Writer, Written};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Bytes of hits that no test comes to.
const PLENTY: u64 = 1 << 30;
/// Of what `written.c` writes to.
const SIZE: usize = 65536;

/// A range of a program's data.
pub fn watch(program: &Path, address: u64, length: u64) -> Watch {
    let data = fs::read(program).unwrap();
    let file = object::File::parse(&*data).unwrap();
    let module = Module::BuildId(file.build_id().unwrap().expect("a build ID").to_vec());
    let values =
        vec![Value::Register(Register::named("rsp").unwrap()), Value::Register(Register::named("rcx").unwrap())];
    Watch { place: Place::Module { module, address }, length, access: Access::Write, last: None, values }
}

pub fn symbol(program: &Path, name: &str) -> u64 {
    let data = fs::read(program).unwrap();
    let file = object::File::parse(&*data).unwrap();
    file.symbols().find(|symbol| symbol.name() == Ok(name)).unwrap().address()
}

fn asked(watches: Vec<Watch>) -> Asked {
    Asked { watches, ..Asked::default() }
}

/// A recording of the program that writes in many ways, and what it says.
fn recorded(name: &str, flags: &[&str]) -> (PathBuf, PathBuf, String) {
    let program = compile("written.c", flags, name);
    let [trace, log] = ["trace", "log"].map(|kind| scratch().join(format!("{name}.{kind}")));
    let options = RecordOptions {
        command: [&program, &log].map(|path| path.to_str().unwrap().to_owned()).to_vec(),
        trace_dir: Some(trace.clone()),
        timeout: Some(DEADLINE),
        ..RecordOptions::default()
    };
    let recorded = rr().record(&options).unwrap();
    assert_eq!(recorded.exit_code, Some(0), "{}", recorded.stderr);
    (program, trace, fs::read_to_string(log).unwrap())
}

/// What memory is, as far as writes have told.
struct Model(Vec<Option<u8>>);

impl Model {
    /// Takes a write at this offset; false if memory was not what it says.
    fn take(&mut self, offset: usize, write: &Written) -> bool {
        let places = self.0[offset..].iter_mut().zip(write.before.iter().zip(&write.after));
        let mut is_right = true;
        for (byte, (before, after)) in places {
            is_right &= byte.is_none_or(|byte| byte == *before);
            *byte = Some(*after);
        }
        is_right
    }
}

/// A write that the program tells of.
struct Said {
    way: String,
    offset: u64,
    length: u64,
}

fn said(log: &str) -> Vec<Said> {
    let said = |line: &str| {
        let mut words = line.rsplitn(3, ' ');
        let (length, offset) = (words.next().unwrap().parse().unwrap(), words.next().unwrap().parse().unwrap());
        Said { way: words.next().unwrap().to_owned(), offset, length }
    };
    log.lines().take_while(|line| !line.starts_with("model ")).map(said).collect()
}

/// All writes that a pass tells of, each with the thread.
pub fn written_in(pass: &ProbePass) -> Vec<(Option<u32>, Written)> {
    let written = |record| match record {
        Ok(ProbeRecord::Written(tid, written)) => Some((tid, written)),
        Ok(_) => None,
        Err(damage) => panic!("{damage}"),
    };
    pass.hits_and_all_writes().unwrap().filter_map(written).collect()
}

#[test]
fn each_write_is_told_as_the_program_tells_it() {
    for (name, flags) in [("written-O1", &["-O1", "-pthread"][..]), ("written-O2", &["-O2", "-pthread", "-no-pie"])] {
        let (program, trace, log) = recorded(name, flags);
        let arena = watch(&program, symbol(&program, "arena"), SIZE as u64);
        let pass = rr().pass(&trace, &asked(vec![arena]), PLENTY, DEADLINE).unwrap();
        let writes: Vec<(Option<u32>, Written)> = written_in(&pass);
        assert!(!pass.is_truncated && pass.hits == writes.len() as u64);
        let base = writes[0].1.address & !0xfff;
        let offset = |write: &Written| write.address - base;
        let main = writes[0].0;

        // Each write by itself, up to where the program says no more.
        let said = said(&log);
        for (said, (tid, write)) in said.iter().zip(&writes) {
            let (at, end) = (offset(write), offset(write) + write.length);
            let Said { way, offset, length } = said;
            match way.as_str() {
                // Of the state of the processor, what has changed is told.
                "partial" => {
                    assert!(offset - 64 <= at && end <= offset + length, "{write:?} for {way} {offset} {length}");
                }
                _ => assert_eq!((at, write.length), (*offset, *length), "{way}: {write:?}"),
            }
            assert!(matches!(write.writer, Writer::Instruction(_)) && *tid == main, "{way}: {write:?}");
            match way.as_str() {
                way if way.starts_with("same") || way == "cmpxchg fails" => {
                    assert_eq!(write.before, write.after, "{way}");
                }
                "movq rcx" => assert_eq!(write.values[1], CollectedValue::Register(write.address)),
                "push" => assert_eq!(write.values[0], CollectedValue::Register(write.address + 8)),
                _ => {}
            }
        }

        // And one after the other they make memory what it is in the end; but for the child's, which has its own.
        let mut model = Model(vec![Some(0); SIZE]);
        let in_child = |write: &Written| offset(write) == 62000;
        for (_, write) in writes.iter().filter(|(_, write)| !in_child(write)) {
            assert!(model.take(offset(write) as usize, write), "{:#x}: {write:?}", offset(write));
        }
        let last = log.lines().last().unwrap();
        let memory = model.0.iter().map(|byte| format!("{:02x}", byte.unwrap())).collect::<String>();
        let differs = (0..SIZE).find(|at| memory[2 * at..2 * at + 2] != last[2 * at..2 * at + 2]);
        assert_eq!(differs, None, "{name}");

        let of = |range: std::ops::Range<u64>| writes.iter().filter(move |(_, write)| range.contains(&offset(write)));
        assert_eq!(of(62000..62004).filter(|(tid, _)| *tid != main).count(), 1, "the child's");
        for thread in 0..3 {
            let of: Vec<_> = of(61000 + thread * 4..61004 + thread * 4).collect();
            let values: Vec<u32> =
                of.iter().map(|(_, write)| u32::from_le_bytes(*write.after.first_chunk().unwrap())).collect();
            assert_eq!(values, (0..50).collect::<Vec<u32>>());
            assert!(of.iter().all(|(tid, _)| *tid == of[0].0 && *tid != main));
        }
        // The frame of a signal, which no instruction writes.
        let frame = of(45056..57344).filter(|(tid, write)| write.writer == Writer::System && *tid == main);
        assert!(frame.map(|(_, write)| write.length).sum::<u64>() > 500);
        assert!(of(60000..60004).all(|(_, write)| matches!(write.writer, Writer::Instruction(_))));
        // What is read is written by rr, or by its library in the program.
        let read = of(44000..44014).flat_map(|(_, write)| &write.after).copied().collect::<Vec<u8>>();
        assert_eq!(String::from_utf8(read).unwrap(), "through a pipe");
    }
}

#[test]
fn the_last_writes_and_those_up_to_a_place_are_told_alone() {
    let (program, trace, _) = recorded("written-last", &["-O1", "-pthread"]);
    let arena = symbol(&program, "arena");
    let counters = watch(&program, arena + 61000, 12);
    let rest = watch(&program, arena + 1024, 2000);
    let tell = |asked: &Asked, limit| {
        let pass = rr().pass(&trace, asked, limit, DEADLINE).unwrap();
        let writes: Vec<Written> = written_in(&pass).into_iter().map(|(_, write)| write).collect();
        (writes, pass.is_truncated)
    };
    let (all, _) = tell(&asked(vec![counters.clone(), rest.clone()]), PLENTY);
    let of = |watch: u32| all.iter().filter(move |write| write.watch == watch).cloned().collect::<Vec<_>>();
    assert_eq!(of(0).len(), 150);
    let last = Watch { last: Some(7), ..counters.clone() };
    let (last, is_truncated) = tell(&asked(vec![last]), PLENTY);
    assert!(!is_truncated);
    // Visits of an instruction in its tick are counted where the last writes alone are asked for.
    assert!(last.iter().all(|write| write.visit == Some(1)) && all.iter().all(|write| write.visit.is_none()));
    let last: Vec<Written> = last.into_iter().map(|write| Written { visit: None, ..write }).collect();
    // Marks are told in between: of what is before each of them, the last ones are.
    assert!(last.ends_with(&of(0)[143..]) && last.len() < 100, "{}", last.len());

    let middle = &of(0)[70];
    let thread = middle.thread.unwrap();
    let bound = Until { thread, sure: middle.ticks, most: middle.ticks };
    let until = Asked { until: vec![bound], ..asked(vec![counters.clone()]) };
    let expected: Vec<Written> =
        of(0).into_iter().take_while(|write| write.thread != Some(thread) || write.ticks <= middle.ticks).collect();
    let (found, _) = tell(&until, PLENTY);
    assert!(expected.len() > 60 && expected.len() < 150 && found.len() <= expected.len() + 50, "{}", found.len());
    assert_eq!(found[..expected.len()], expected);

    let (cut, is_truncated) = tell(&asked(vec![counters]), 2000);
    assert!(is_truncated && cut.len() < 150 && cut == of(0)[..cut.len()]);
    assert!(asked(vec![Watch { length: 0, ..rest }]).list(None).is_err());
}

/// What a replay tells with these switches of the object, and what it prints.
pub fn told(trace: &Path, asked: &Asked, switches: &[(&str, &str)]) -> (String, Vec<Record>) {
    // Other tests ask meanwhile, of other traces.
    let name = trace.file_name().unwrap().to_str().unwrap();
    let [list, found] = ["list", "found"].map(|kind| scratch().join(format!("{name}.{kind}")));
    fs::write(&list, asked.list(None).unwrap()).unwrap();
    let object = softcounters::install().unwrap();
    let mut command = Command::new(rr().program());
    command.env_clear().envs(small_environment()).envs(softcounters::environment(&object, None));
    command.env(probes::LIST, &list).env(probes::HITS, &found).env("RETROGRADE_SOFT_STORE", "0");
    command.envs(switches.iter().copied()).args(["replay", "-a"]).arg(trace);
    let outcome = run(&mut command, DEADLINE).expect("it ends");
    assert_eq!(outcome.code, 0, "{}", outcome.errors);
    let file = std::io::BufReader::new(fs::File::open(&found).unwrap());
    let records = Hits::of(file, asked).unwrap().map(Result::unwrap).collect();
    (outcome.output, records)
}

/// The next of some numbers that look random and are the same each time.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// Ranges of a program's data, of any size, with what is asked of them.
pub fn anywhere(program: &Path, count: usize, random: &mut u64) -> Vec<Watch> {
    let data = fs::read(program).unwrap();
    let file = object::File::parse(&*data).unwrap();
    let sections = [".data", ".bss"].map(|name| {
        let section = object::File::section_by_name(&file, name).unwrap();
        (section.address(), section.size().max(1))
    });
    let mut below = |limit: u64| next(random) % limit;
    (0..count)
        .map(|_| {
            let (start, size) = sections[below(2) as usize];
            let offset = below(size);
            let most = 2 << below(14);
            let length = (1 + below(most)).min(size - offset);
            let access = [Access::Write, Access::Read, Access::Both][below(3) as usize];
            Watch { access, ..watch(program, start + offset, length) }
        })
        .collect()
}

/// Whether each write finds what the one before it has left, in each address space.
fn check_chain(records: &[Record], watches: &[Watch]) {
    let written: Vec<u32> =
        (0..).zip(watches).filter(|(_, watch)| watch.access.writes()).map(|(number, _)| number).collect();
    let mut spaces = BTreeMap::new();
    let mut memory: BTreeMap<(u32, u32, u64), u8> = BTreeMap::new();
    for record in records {
        match record {
            Record::Space { thread, space } => {
                spaces.insert(*thread, *space);
            }
            Record::Written(write) => {
                let of_thread = || write.thread.and_then(|thread| spaces.get(&thread)).copied();
                let space = write.space.or_else(of_thread).unwrap_or(0);
                let after = if write.access.writes() { &write.after } else { &write.before };
                for (at, (before, after)) in (write.address..).zip(write.before.iter().zip(after)) {
                    // Of what is only asked for its reads, it is not known what was written in between.
                    let is_known = written.contains(&write.watch);
                    let last = memory.insert((write.watch, space, at), *after).filter(|_| is_known);
                    assert!(last.is_none_or(|last| last == *before), "{at:#x} was {last:x?}: {write:x?}");
                }
            }
            _ => {}
        }
    }
}

/// The same without the number of the address space: which one it has depends on the way.
pub fn without_space(record: &Record) -> Record {
    match record.clone() {
        Record::Written(write) => Record::Written(Written { space: None, ..write }),
        other => other,
    }
}

/// Ways to execute the same by other means; translations that look where they write need some room.
pub const WAYS: [&[(&str, &str)]; 4] = [
    &[("RETROGRADE_SOFT_MODE", "step")],
    &[("RETROGRADE_SOFT_LEND", "7")],
    &[("RETROGRADE_SOFT_BATCH", "1")],
    &[("RETROGRADE_SOFT_REGION", "1900000")],
];

/// Instructions that are stepped tell what translations tell, whatever makes the cache be left in between; no write is
/// missing between two others; and no pass prints anything else than the program did.
#[test]
fn whatever_is_watched_nothing_changes_and_no_write_is_missing() {
    let mut random = 1;
    let mut all = 0;
    for name in ["signals", "strings", "faults", "jumps", "longjmp", "mutexes", "children", "contexts"] {
        let program = compile(&format!("{name}.c"), &["-O1", "-static", "-pthread"], &format!("writes of {name}"));
        let trace = scratch().join(format!("writes of {name}.trace"));
        let mut record = crate::retrograde_rr();
        record.args(["record", "-c", "700", "-o"]).arg(&trace).arg(&program);
        let recorded = run(&mut record, DEADLINE).expect("it ends");
        for _ in 0..rounds() {
            let mut watches = anywhere(&program, 20, &mut random);
            let (output, records) = told(&trace, &asked(watches.clone()), &[]);
            assert_eq!(output, recorded.output, "{name}");
            check_chain(&records, &watches);
            // And what is on stacks, of which the kernel changes some in a replay, too.
            let stack = Place::Address { address: 0x7ff0_0000_0000, space: None };
            watches.push(Watch {
                place: stack,
                length: 1 << 40,
                access: Access::Write,
                last: Some(500),
                values: vec![],
            });
            let asked = asked(watches);
            let (_, records) = told(&trace, &asked, &[]);
            let (known, expected) = (hits_of(&records), asked.watches.len() as u32 - 1);
            for way in WAYS {
                let (output, others) = told(&trace, &asked, way);
                assert_eq!(output, recorded.output, "{name} {way:?}");
                let hits = hits_of(&others);
                assert_eq!(hits.keys().collect::<Vec<_>>(), known.keys().collect::<Vec<_>>(), "{name} {way:?}");
                for (watch, (one, other)) in known.iter().zip(hits.values()).map(|((w, a), b)| (w, (a, b))) {
                    // Of which the last ones alone are asked, others may be told, too.
                    let least = if *watch == expected { one.len().min(other.len()).min(500) } else { one.len() };
                    let (one, other) = (&one[one.len() - least..], &other[other.len().saturating_sub(least)..]);
                    let differs = one.iter().zip(other).find(|(one, other)| one != other);
                    assert!(differs.is_none() && one.len() == other.len(), "{name} {way:?}: {differs:x?}");
                }
            }
            all += known.values().map(Vec::len).sum::<usize>();
        }
    }
    assert!(all > 1000, "{all} writes");
}

/// What is told of each watch.
fn hits_of(records: &[Record]) -> BTreeMap<u32, Vec<Written>> {
    let mut told: BTreeMap<u32, Vec<Written>> = BTreeMap::new();
    for record in records {
        if let Record::Written(written) = without_space(record) {
            told.entry(written.watch).or_default().push(written);
        }
    }
    told
}

/// How many lists each program is replayed with.
fn rounds() -> u64 {
    std::env::var("RETROGRADE_PROBE_ROUNDS").map_or(1, |rounds| rounds.parse().unwrap())
}
