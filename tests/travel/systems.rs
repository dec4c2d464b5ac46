//! Journeys through recordings of programs that the system has: without sources, with many libraries and processes, and far
//! more code than a generated program.

use crate::journey::{Seen, Traveller};
use crate::moves::{Move, written};
use crate::program::Built;
use crate::random::Random;
use crate::shrink::fewer_moves;
use crate::truth::{Failure, Truth, Wait, open};
use crate::{MOVES, SHARED, number};
use std::time::{Duration, Instant};

/// A program, and functions that it may call.
struct System {
    command: &'static [&'static str],
    functions: &'static [&'static str],
}

const SYSTEMS: [System; 9] = [
    System {
        command: &["/usr/bin/bash", "-c", "for i in 1 2 3; do (echo $i) | cat; done; true $(date)"],
        functions: &["execute_command", "make_child", "waitchld"],
    },
    System {
        command: &["/usr/bin/python3", "-c", "import json; print(json.dumps({'a': [1, 2, {'b': None}]}))"],
        functions: &["PyImport_ImportModuleLevelObject", "PyEval_EvalCode", "PyErr_SetObject"],
    },
    System {
        command: &["/usr/bin/perl", "-e", "my %h = map { $_ => 1 } 1 .. 9; print join ',', sort keys %h;"],
        functions: &["Perl_newHV", "Perl_runops_standard", "Perl_newSVpv"],
    },
    System {
        command: &[
            "/usr/bin/sqlite3",
            ":memory:",
            "create table t(a); insert into t values (1), (2); select sum(a) from t;",
        ],
        functions: &["sqlite3_step", "sqlite3_prepare_v2", "sqlite3_finalize"],
    },
    System { command: &["/usr/bin/git", "--version"], functions: &["deflateInit2_", "inflateInit_"] },
    System {
        command: &["/usr/bin/tar", "--create", "--file=made.tar", "/etc/hostname"],
        functions: &["openat", "fdopendir"],
    },
    System { command: &["/usr/bin/sort", "--parallel=2", "/etc/passwd"], functions: &["pthread_create"] },
    System { command: &["/usr/bin/gcc", "--version"], functions: &["vfork", "obstack_free"] },
    System {
        command: &["/usr/bin/tclsh", "/dev/null"],
        functions: &["Tcl_Main", "Tcl_CreateInterp", "Tcl_Eval", "Tcl_NewObj"],
    },
];

/// Functions of the C library that most programs call now and then.
const COMMON: [&str; 12] = [
    "setlocale",
    "getenv",
    "fopen",
    "fclose",
    "sigaction",
    "isatty",
    "qsort",
    "strdup",
    "opendir",
    "exit",
    "atexit",
    "fwrite",
];

/// Most calls of a function that is waited for, and most functions.
const MOST_CALLS: usize = 40;
const MOST_FUNCTIONS: usize = 5;
const OPTIONS: [&[&str]; 3] = [&[], &["-n"], &["-h"]];

/// Chooses functions that are called, but not often.
fn waits(built: &Built, system: &System) -> Result<Vec<Wait>, Failure> {
    let replay = open(built)?;
    let is_good = |name: &&&str| {
        let hits = replay.trace(**name).ask();
        hits.is_ok_and(|hits| (1..=MOST_CALLS as u64).contains(&hits.total()))
    };
    let names = system.functions.iter().chain(&COMMON).filter(is_good).take(MOST_FUNCTIONS);
    Ok(names.map(|name| Wait::Function((*name).to_owned(), 0)).collect())
}

fn journeys(seed: u64, nth: usize) -> Result<usize, (String, Failure)> {
    let system = &SYSTEMS[nth % SYSTEMS.len()];
    let options = OPTIONS[nth / SYSTEMS.len() % OPTIONS.len()];
    let what = format!("{} {options:?}", system.command.join(" "));
    let began = Instant::now();
    let fails = |failure| (what.clone(), failure);
    let built = Built::of_system(system.command, options).map_err(|text| fails(Failure { kind: "record", text }))?;
    let waits = waits(&built, system).map_err(fails)?;
    let names: Vec<_> = waits.iter().map(|wait| format!("{wait:?}")).collect();
    // A number that there is everywhere, for conditions.
    let truth = Truth::of(built, vec!["$rdi".to_owned()], waits).map_err(fails)?;
    let mut seen = Seen::of(&truth).map_err(fails)?;
    let mut random = Random::of(seed, nth as u64);
    let mut traveller = Traveller::new(&truth, &mut seen).map_err(fails)?;
    let mut made = Vec::new();
    for _ in 0..SHARED * MOVES {
        let one = Move::random(&mut random);
        made.push(one);
        if let Err(mut failure) = traveller.go(one) {
            let limit = Duration::from_secs(number("RETROGRADE_JOURNEY_SHRINK", 240) as u64);
            fewer_moves(&truth, &mut made, &mut failure, Instant::now() + limit);
            return Err((format!("{what}: {}", written(&made)), failure));
        }
    }
    println!("{what}: {} elements of {names:?}, {SHARED} journeys in {:.1?}", truth.elements.len(), began.elapsed());
    Ok(SHARED)
}

#[test]
#[ignore = "needs programs that not every system has, and minutes: run by name, with `--ignored`"]
fn journeys_through_programs_of_the_system() {
    let (count, seed) = (number("RETROGRADE_JOURNEYS", 180), number("RETROGRADE_JOURNEY_SEED", 1) as u64);
    let mut failures = Vec::new();
    for nth in 0..count.div_ceil(SHARED) {
        if let Err((what, failure)) = journeys(seed, nth) {
            println!("{what}: {failure}");
            failures.push(format!("{what}: {failure}"));
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
