//! Probe passes: what they tell is what the programs say themselves, and no pass changes a replay.

use crate::DEADLINE;
use crate::catalogue::compile;
use crate::run::run;
use crate::support::fixtures::scratch;
use crate::support::recordings::{rr, small_environment};
use base::cancel::Cancel;
use iced_x86::{Decoder, DecoderOptions, FlowControl};
use object::{Object, ObjectSymbol, ReadRef};
use rr::{Error, ProbeHit, ProbePass, RecordOptions};
use softcounters::probes::{self, CollectedValue, Hits, Module, Place, Probe, Record, Register, Value};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Bytes of hits that no test comes to.
const PLENTY: u64 = 1 << 30;

/// A function of a program, in its file.
pub struct Function {
    pub module: Module,
    pub entry: u64,
    pub returns: Vec<u64>,
}

pub fn function(program: &Path, name: &str) -> Function {
    let data = fs::read(program).unwrap();
    let file = object::File::parse(&*data).unwrap();
    let symbol = file.symbols().find(|symbol| symbol.name() == Ok(name)).unwrap();
    let section = symbol.section_index().unwrap();
    let section = object::ObjectSection::file_range(&file.section_by_index(section).unwrap()).unwrap();
    let text = object::File::section_by_name(&file, ".text").unwrap();
    let start = section.0 + (symbol.address() - object::ObjectSection::address(&text));
    let code = data.as_slice().read_bytes_at(start, symbol.size()).unwrap();
    let returns = Decoder::with_ip(64, code, symbol.address(), DecoderOptions::NONE)
        .into_iter()
        .filter(|insn| insn.flow_control() == FlowControl::Return)
        .map(|insn| insn.ip())
        .collect();
    let module = Module::BuildId(file.build_id().unwrap().expect("a build ID").to_vec());
    Function { module, entry: symbol.address(), returns }
}

impl Function {
    fn at(&self, address: u64, values: Vec<Value>) -> Probe {
        Probe::new(Place::Module { module: self.module.clone(), address }, values)
    }
}

fn register(name: &str) -> Register {
    Register::named(name).unwrap()
}

fn memory(base: &str, steps: &[i32], length: u16) -> Value {
    Value::Memory { base: register(base), steps: steps.to_vec(), length }
}

fn pass(trace: &Path, probes: &[Probe], limit: u64) -> Result<ProbePass, Error> {
    rr().probe_pass(trace, probes, limit, DEADLINE)
}

fn hits(pass: &ProbePass) -> Vec<ProbeHit> {
    pass.hits().unwrap().map(Result::unwrap).collect()
}

/// A recording of the program that writes down its calls, and the two logs.
fn recorded(name: &str, flags: &[&str], chaos: bool) -> (PathBuf, PathBuf, [String; 2]) {
    let program = compile("probed.c", flags, name);
    let [trace, calls, results] = ["trace", "calls", "results"].map(|kind| scratch().join(format!("{name}.{kind}")));
    let words = [&program, &calls, &results].map(|path| path.to_str().unwrap().to_owned());
    let options = RecordOptions {
        command: words.to_vec(),
        trace_dir: Some(trace.clone()),
        timeout: Some(DEADLINE),
        chaos,
        ..RecordOptions::default()
    };
    let recorded = rr().record(&options).unwrap();
    assert_eq!(recorded.exit_code, Some(0), "{}", recorded.stderr);
    (program, trace, [calls, results].map(|path| fs::read_to_string(path).unwrap()))
}

fn number(found: &CollectedValue) -> u64 {
    match found {
        CollectedValue::Register(value) => *value,
        CollectedValue::Memory(bytes) => u64::from_le_bytes(bytes.as_slice().try_into().unwrap()),
        CollectedValue::Vector(bytes) => u64::from_le_bytes(*bytes.first_chunk().unwrap()),
    }
}

fn text(found: &CollectedValue) -> String {
    let CollectedValue::Memory(bytes) = found else { panic!("{found:?}") };
    let length = bytes.iter().position(|byte| *byte == 0).unwrap();
    String::from_utf8(bytes[..length].to_vec()).unwrap()
}

/// Lines by the thread that each begins with.
fn by_thread(lines: impl Iterator<Item = String>) -> BTreeMap<String, Vec<String>> {
    let mut threads: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in lines {
        let thread = line.split(' ').next().unwrap().to_owned();
        threads.entry(thread).or_default().push(line);
    }
    threads
}

#[test]
fn all_calls_are_told_with_arguments_and_results() {
    for (name, flags, chaos) in [
        ("probed-O0", &["-O0", "-pthread"][..], false),
        ("probed-O2", &["-O2", "-pthread"][..], false),
        ("probed-chaos", &["-O1", "-pthread", "-no-pie"][..], true),
    ] {
        let (program, trace, [calls, results]) = recorded(name, flags, chaos);
        let work = function(&program, "work");
        let arguments = vec![
            Value::Register(register("rdi")),
            memory("rsi", &[8], 8),
            memory("rsi", &[16, 0], 6),
            Value::Vector(0),
            memory("rdi", &[0], 4),
        ];
        let mut probes = vec![work.at(work.entry, arguments)];
        probes.extend(work.returns.iter().map(|at| work.at(*at, vec![Value::Register(register("rax"))])));
        let pass = pass(&trace, &probes, PLENTY).unwrap();
        let hits = hits(&pass);
        assert!(!pass.is_truncated && pass.hits == hits.len() as u64);
        let entries = hits.iter().filter(|hit| hit.probe == 0).map(|hit| {
            let [depth, y, label, weight, nowhere] = &hit.values[..] else { panic!("{hit:?}") };
            assert_eq!(*nowhere, CollectedValue::Memory(vec![]), "no memory is at a small number");
            let weight = f64::from_bits(number(weight));
            // C's %g of these numbers has six digits.
            let weight: f64 = format!("{weight:.5e}").parse().unwrap();
            format!("{} {} {} {} {}", hit.tid, number(depth) as i64, number(y) as i64, text(label), weight)
        });
        let logged = calls.lines().map(|line| {
            let (rest, weight) = line.rsplit_once(' ').unwrap();
            format!("{rest} {}", weight.parse::<f64>().unwrap())
        });
        assert_eq!(by_thread(entries), by_thread(logged), "{name}");
        let returns = hits.iter().filter(|hit| hit.probe > 0);
        let returns = returns.map(|hit| format!("{} {}", hit.tid, number(&hit.values[0]) as i64));
        assert_eq!(by_thread(returns), by_thread(results.lines().map(str::to_owned)), "{name}");
        let mut ticks: BTreeMap<u32, u64> = BTreeMap::new();
        for hit in &hits {
            let (before, after) = pass.around(&hit.at());
            assert!(after.is_some() && before < after, "{hit:?} is between {before:?} and {after:?}");
            let last = ticks.insert(hit.tid, hit.ticks);
            assert!(last.is_none_or(|last| last <= hit.ticks), "{hit:?}");
        }
    }
}

#[test]
fn a_pass_ends_at_its_limit_and_when_nobody_wants_it() {
    let (program, trace, [calls, _]) = recorded("probed-limit", &["-O2", "-pthread"], false);
    let work = function(&program, "work");
    let probes = [work.at(work.entry, vec![Value::Register(register("rdi"))])];
    const HIT: u64 = 8 + 16 + 8;
    let all = calls.lines().count() as u64;
    let exactly = pass(&trace, &probes, all * HIT).unwrap();
    assert_eq!((exactly.hits, exactly.is_truncated), (all, false));
    let cut = pass(&trace, &probes, all * HIT - 1).unwrap();
    assert_eq!((cut.hits, cut.is_truncated), (all - 1, true));
    assert_eq!(hits(&cut), hits(&exactly)[..all as usize - 1]);
    let cancel = Cancel::new();
    cancel.cancel();
    let given_up = rr().with_cancel(&cancel).probe_pass(&trace, &probes, PLENTY, DEADLINE);
    assert!(matches!(given_up, Err(Error::Cancelled { .. })), "{given_up:?}");
    let late = rr().probe_pass(&trace, &probes, PLENTY, Duration::ZERO);
    assert!(matches!(late, Err(Error::CommandTimeout { .. })), "{late:?}");
    let too_many = vec![probes[0].clone(); 17];
    assert!(matches!(pass(&trace, &too_many, PLENTY), Err(Error::BadOption(_))));
}

/// The next of some numbers that look random and are the same each time.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// Probes at instructions of a program, a few of which follow each other.
pub fn anywhere(program: &Path, count: usize, random: &mut u64) -> Vec<Probe> {
    let data = fs::read(program).unwrap();
    let file = object::File::parse(&*data).unwrap();
    let module = Module::BuildId(file.build_id().unwrap().expect("a build ID").to_vec());
    let text = object::File::section_by_name(&file, ".text").unwrap();
    let code = object::ObjectSection::data(&text).unwrap();
    let start = object::ObjectSection::address(&text);
    let decoder = Decoder::with_ip(64, code, start, DecoderOptions::NONE);
    let addresses: Vec<u64> = decoder.into_iter().map(|insn| insn.ip()).collect();
    let names = ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r12", "r15"];
    let mut below = |limit: usize| (next(random) % limit as u64) as usize;
    let mut probes = Vec::new();
    while probes.len() < count {
        let first = below(addresses.len());
        for address in addresses.iter().skip(first).take(1 + below(4)) {
            let values = (0..below(5)).map(|_| match below(4) {
                0 => Value::Vector(below(16) as u8),
                1 => {
                    let steps: Vec<i32> = (0..=below(3)).map(|_| below(256) as i32 - 64).collect();
                    // The stack is what all ways of counting have in the same place.
                    memory(["rsp", "rbp"][below(2)], &steps, [1, 3, 8, 24][below(4)])
                }
                _ => Value::Register(register(names[below(names.len())])),
            });
            let place = Place::Module { module: module.clone(), address: *address };
            probes.push(Probe::new(place, values.collect()));
        }
    }
    probes
}

/// What a replay tells with these switches of the object, and what it prints.
fn told(trace: &Path, probes: &[Probe], switches: &[(&str, &str)]) -> (String, Vec<Record>) {
    let (output, records) = told_by(trace, &probes::list(probes, None).unwrap(), probes, switches);
    let is_hit = |record: &Record| matches!(record, Record::Hit(_) | Record::End { .. });
    (output, records.into_iter().filter(is_hit).collect())
}

/// All that a replay tells with this list, of these probes.
pub fn told_by(trace: &Path, list: &str, probes: &[Probe], switches: &[(&str, &str)]) -> (String, Vec<Record>) {
    static SERIAL: AtomicU32 = AtomicU32::new(0);
    let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
    let [asked, found] = ["list", "found"].map(|kind| scratch().join(format!("probes-{serial}.{kind}")));
    fs::write(&asked, list).unwrap();
    let object = softcounters::install().unwrap();
    let mut command = Command::new(rr().program());
    command.env_clear().envs(small_environment()).envs(softcounters::environment(&object, None));
    command.env(probes::LIST, &asked).env(probes::HITS, &found).env("RETROGRADE_SOFT_STORE", "0");
    command.envs(switches.iter().copied()).args(["replay", "-a"]).arg(trace);
    let outcome = run(&mut command, DEADLINE).expect("it ends");
    assert_eq!(outcome.code, 0, "{}", outcome.errors);
    let file = std::io::BufReader::new(fs::File::open(&found).unwrap());
    let records = Hits::new(file, probes).unwrap().map(Result::unwrap).collect();
    fs::remove_file(&found).unwrap();
    (outcome.output, records)
}

/// Ways to execute the same by other means.
pub const WAYS: [&[(&str, &str)]; 4] = [
    &[("RETROGRADE_SOFT_MODE", "step")],
    &[("RETROGRADE_SOFT_LEND", "7")],
    &[("RETROGRADE_SOFT_BATCH", "1")],
    &[("RETROGRADE_SOFT_REGION", "1400000")],
];

/// An instruction that is stepped tells what its translation tells, whatever makes the cache be left in between; and
/// no pass prints anything else than the program did.
#[test]
fn translated_and_stepped_code_tell_the_same() {
    let mut random = 1;
    let mut all = 0;
    for name in ["signals", "strings", "faults", "jumps", "longjmp", "mutexes", "children", "contexts"] {
        let program = compile(&format!("{name}.c"), &["-O1", "-static", "-pthread"], &format!("probes of {name}"));
        let trace = scratch().join(format!("probes of {name}.trace"));
        let mut record = crate::retrograde_rr();
        record.args(["record", "-c", "700", "-o"]).arg(&trace).arg(&program);
        let recorded = run(&mut record, DEADLINE).expect("it ends");
        for _ in 0..rounds() {
            let probes = anywhere(&program, 150, &mut random);
            let (output, records) = told(&trace, &probes, &[]);
            assert_eq!(output, recorded.output, "{name}");
            for way in WAYS {
                let (output, others) = told(&trace, &probes, way);
                assert_eq!(output, recorded.output, "{name} {way:?}");
                let differs = records.iter().zip(&others).find(|(one, other)| one != other);
                assert!(records == others, "{name} {way:?}: {} and {}, {differs:?}", records.len(), others.len());
            }
            all += records.len();
        }
    }
    assert!(all > 100, "{all} hits");
}

/// How many lists of probes each program is replayed with.
pub fn rounds() -> u64 {
    std::env::var("RETROGRADE_PROBE_ROUNDS").map_or(1, |rounds| rounds.parse().unwrap())
}
