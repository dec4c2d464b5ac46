//! Probe passes of all kinds over all kinds of programs: none makes a replay another one.
//!
//! Each pass takes a program, and asks at random about instructions, writes, reads and counts. rr compares registers and
//! ticks at each event, and ends with an assertion if they differ; besides, the program's output and the sum of all
//! branches are those of a plain replay. What is told lies in memory that is shared, or is copied.
//!
//! ```sh
//! RETROGRADE_PASSES=300 cargo test --test rounds passes_of_all_kinds -- --nocapture
//! ```

use crate::catalogue::compile;
use crate::probes::anywhere as probes_anywhere;
use crate::run::{Outcome, run};
use crate::support::fixtures::scratch;
use crate::support::recordings::{rr, small_environment};
use crate::writes::anywhere as memory_anywhere;
use crate::{DEADLINE, Random};
use softcounters::probes::{self, Asked, Hits, Record};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAMS: [&str; 13] = [
    "signals",
    "strings",
    "faults",
    "jumps",
    "longjmp",
    "mutexes",
    "children",
    "contexts",
    "atomics",
    "flags",
    "x87",
    "linked_list",
    "alarm",
];

/// A recorded program.
struct Recorded {
    program: PathBuf,
    trace: PathBuf,
    output: String,
    branches: u64,
}

/// What rr's object says at the end of how many branches there were.
fn branches(outcome: &Outcome) -> u64 {
    let word = |line: &str| line.split_once("{ ticks: ")?.1.split(',').next()?.parse::<u64>().ok();
    let found: Vec<u64> = outcome.errors.lines().filter_map(word).collect();
    assert!(!found.is_empty(), "{}", outcome.errors);
    found.iter().sum()
}

fn replay(trace: &Path, asked: Option<(&Path, &Path)>, shares: bool) -> Outcome {
    let object = softcounters::install().unwrap();
    let mut command = Command::new(rr().program());
    command.env_clear().envs(small_environment()).envs(softcounters::environment(&object, None));
    command.env("RETROGRADE_SOFT_STATS", "1");
    if let Some((list, hits)) = asked {
        command.env(probes::LIST, list).env(probes::HITS, hits);
        command.env("RETROGRADE_SOFT_SHARE", u32::from(shares).to_string());
    }
    command.args(["replay", "-a"]).arg(trace);
    let outcome = run(&mut command, DEADLINE).expect("it ends");
    assert_eq!(outcome.code, 0, "{}", outcome.errors);
    outcome
}

fn recorded(name: &str, random: &mut Random) -> Recorded {
    let program = compile(&format!("{name}.c"), &["-O1", "-static", "-pthread"], &format!("passes of {name}"));
    let trace = scratch().join(format!("passes of {name}.trace"));
    let mut record = crate::retrograde_rr();
    record.args(["record", "-c", &random.slice(300, 8).to_string(), "-o"]).arg(&trace).arg(&program);
    run(&mut record, DEADLINE).expect("it ends");
    let plain = replay(&trace, None, true);
    Recorded { branches: branches(&plain), output: plain.output, program, trace }
}

#[test]
fn passes_of_all_kinds_change_no_replay() {
    let wanted = std::env::var("RETROGRADE_PASSES").map_or(13, |count| count.parse().unwrap());
    let seed = std::env::var("RETROGRADE_ROUNDS_SEED").map_or(1, |seed| seed.parse().unwrap());
    let mut random = Random(seed);
    let mut known: BTreeMap<&str, Recorded> = BTreeMap::new();
    let mut hits = 0;
    for pass in 0..wanted {
        let name = PROGRAMS[pass % PROGRAMS.len()];
        let Recorded { program, trace, output, branches: expected } =
            known.entry(name).or_insert_with(|| recorded(name, &mut random));
        let kinds = 1 + random.below(7);
        let mut state = random.next();
        let asked = Asked {
            probes: if kinds & 1 == 0 { Vec::new() } else { probes_anywhere(program, 100, &mut state) },
            watches: if kinds & 2 == 0 { Vec::new() } else { memory_anywhere(program, 20, &mut state) },
            counts: kinds & 4 != 0,
            ..Asked::default()
        };
        let [list, found] = ["list", "hits"].map(|kind| scratch().join(format!("passes.{kind}")));
        std::fs::write(&list, asked.list(None).unwrap()).unwrap();
        let outcome = replay(trace, Some((&list, &found)), random.below(4) > 0);
        let what = format!("pass {pass}, {name}, kinds {kinds}");
        assert_eq!(outcome.output, *output, "{what}");
        assert_eq!(branches(&outcome), *expected, "{what}");
        let file = std::io::BufReader::new(std::fs::File::open(&found).unwrap());
        let last = Hits::of(file, &asked).unwrap().map(Result::unwrap).last();
        let Some(Record::End { hits: told, .. }) = last else { panic!("{what}: {last:?}") };
        hits += told;
    }
    println!("{wanted} passes, {hits} hits, no divergence");
    assert!(hits > 0);
}
