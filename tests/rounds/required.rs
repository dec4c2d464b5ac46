//! What probes require: hits of which it does not hold may be passed over, and nothing else is.

use crate::catalogue::compile;
use crate::probes::{WAYS, anywhere, told_by};
use crate::run::run;
use crate::support::fixtures::scratch;
use crate::{DEADLINE, Random};
use softcounters::probes::{self, CollectedValue, Hit, Operand, Probe, Record, Requirement, Value};

/// A number among what a probe tells, and where it must lie: mostly such that it holds at some hits and at others not.
fn requirement(value: &Value, random: &mut Random) -> Option<Requirement> {
    let (operand, size) = match value {
        Value::Register(register) => (Operand::Register(*register), [1, 2, 4, 8][random.below(4) as usize]),
        Value::Memory { base, steps, length: length @ (1 | 8) } => {
            (Operand::Memory { base: *base, steps: steps.clone() }, *length as u8)
        }
        _ => return None,
    };
    let is_signed = random.below(2) == 0;
    let (least, greatest) = Requirement::extent(size, is_signed).into_inner();
    let at =
        [0, 1, 3, 8, 64, least / 2, greatest / 2, 0x7000_0000_0000][random.below(8) as usize].clamp(least, greatest);
    let (range, is_other) = match random.below(4) {
        0 => (at..=at, true),
        1 => (least..=at, false),
        2 => (at..=greatest, false),
        _ => (at..=at, false),
    };
    Some(Requirement { operand, size, is_signed, range, is_other })
}

/// Whether what a probe requires holds at a hit, by what it tells; `None` if something is not there before it is clear.
fn holds(probe: &Probe, hit: &Hit) -> Option<bool> {
    for Requirement { operand, size, is_signed, range, is_other } in &probe.requires {
        let value =
            probe.values.iter().zip(hit.values.iter()).find_map(|(value, found)| match (value, operand, found) {
                (Value::Register(one), Operand::Register(other), CollectedValue::Register(word)) if one == other => {
                    Some(word.to_le_bytes().to_vec())
                }
                (
                    Value::Memory { base, steps, .. },
                    Operand::Memory { base: other, steps: ways },
                    CollectedValue::Memory(bytes),
                ) if (base, steps) == (other, ways) => Some(bytes.clone()),
                _ => None,
            });
        let bytes = value?.get(..usize::from(*size))?.to_vec();
        let fill = if *is_signed && bytes.last()? & 0x80 != 0 { 0xff } else { 0 };
        let mut wide = [fill; 16];
        wide[..bytes.len()].copy_from_slice(&bytes);
        if range.contains(&i128::from_le_bytes(wide)) == *is_other {
            return Some(false);
        }
    }
    Some(true)
}

/// Of two passes, one of which requires something, that one tells every hit of which it holds, in the same order, counts the
/// others, and says of each hit whether one in the same tick is missing before it.
#[test]
fn hits_are_passed_over_only_where_what_is_required_does_not_hold() {
    let mut random = Random(5);
    let (mut all_told, mut all_passed) = (0, 0);
    for name in ["signals", "strings", "jumps", "mutexes", "children", "longjmp"] {
        let program = compile(&format!("{name}.c"), &["-O1", "-static", "-pthread"], &format!("required of {name}"));
        let trace = scratch().join(format!("required of {name}.trace"));
        let mut record = crate::retrograde_rr();
        record.args(["record", "-c", "700", "-o"]).arg(&trace).arg(&program);
        run(&mut record, DEADLINE).expect("it ends");
        let mut state = random.next();
        let plain = anywhere(&program, 200, &mut state);
        let required: Vec<Probe> = plain
            .iter()
            .map(|probe| {
                let requires =
                    probe.values.iter().filter_map(|value| requirement(value, &mut random)).take(8).collect();
                Probe { requires, ..probe.clone() }
            })
            .collect();
        let (output, whole) = told_by(&trace, &probes::list(&plain, None).unwrap(), &plain, &[]);
        let all: Vec<Hit> = hits(whole);
        for way in [&[][..], WAYS[1], WAYS[2], &[("RETROGRADE_SOFT_SHARE", "0")]] {
            let (said, records) = told_by(&trace, &probes::list(&required, None).unwrap(), &required, way);
            assert_eq!(said, output, "{name} {way:?}");
            let told = hits(records);
            let mut left = told.iter().peekable();
            for hit in &all {
                if left.next_if_eq(&hit).is_none() {
                    let probe = &required[hit.probe as usize];
                    assert_eq!(holds(probe, hit), Some(false), "{name} {way:?}: {hit:?} of {probe:?} is not told");
                }
            }
            assert_eq!(left.next(), None, "{name} {way:?}");
            all_told += told.len();
        }
        all_passed += check_marks(&trace, &required, &all, name);
    }
    assert!(all_told > 100 && all_passed > 50, "{all_told} hits, {all_passed} passed over");
}

fn hits(records: Vec<Record>) -> Vec<Hit> {
    records.into_iter().filter_map(|record| if let Record::Hit(hit) = record { Some(hit) } else { None }).collect()
}

/// Compares what hits say of others that were passed over, before them and in their ticks; returns how many these are.
fn check_marks(trace: &std::path::Path, required: &[Probe], all: &[Hit], name: &str) -> u64 {
    let pass = crate::support::recordings::rr().probe_pass(trace, required, u64::MAX, DEADLINE).expect("a pass");
    let mut glimpses = pass.glimpses().expect("hits");
    assert_eq!(pass.hits + pass.passed_over, all.len() as u64, "{name}");
    let (mut missing, mut met, mut told) = (Vec::new(), 0, 0);
    let mut all = all.iter();
    while let Some(hit) = glimpses.next_hit() {
        let (at, brief) = hit.expect("a hit");
        let (values, passed_in_tick) = (brief.values().expect("values"), brief.passed_in_tick);
        let is_it = |hit: &&Hit| {
            (hit.probe as usize, hit.thread, hit.ticks) == (at.probe, at.thread, at.ticks) && hit.values == values
        };
        let found = all.by_ref().find(|hit| {
            let is_it = is_it(hit);
            missing.extend((!is_it).then_some((hit.probe as usize, hit.thread, hit.ticks)));
            met += 1;
            is_it
        });
        // Of what is told though it does not hold, it is not known which one it is of several that are alike.
        let expected = missing.iter().filter(|key| **key == (at.probe, at.thread, at.ticks)).count() as u64;
        let is_sure = holds(&required[at.probe], found.expect("a hit of the other pass")) != Some(false);
        assert!(!is_sure || passed_in_tick == expected, "{name} {at:?}");
        told += 1;
        assert!(!is_sure || glimpses.passed_over() == met - told, "{name} {at:?}");
    }
    pass.passed_over
}
