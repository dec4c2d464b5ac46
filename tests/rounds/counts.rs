//! Count passes: what they count is what the programs say themselves, what rr counts, and what probes tell.

use crate::DEADLINE;
use crate::catalogue::compile;
use crate::probes::{WAYS, anywhere, function, rounds, told_by};
use crate::run::run;
use crate::support::fixtures::scratch;
use crate::support::recordings::rr;
use crate::writes;
use dwarf::{DebugPaths, Image};
use questions::{Executed, lines, profile};
use rr::{CountPass, RecordOptions};
use softcounters::probes::{Asked, Code, Counts, Module, Place, Record, list};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Bytes of counts that no test comes to.
const PLENTY: u64 = 1 << 30;

/// Records a program; what it prints.
fn recorded(program: &Path, arguments: &[&str], name: &str) -> (PathBuf, String) {
    let trace = scratch().join(format!("{name}.trace"));
    let mut command = vec![program.to_str().unwrap().to_owned()];
    command.extend(arguments.iter().map(|argument| (*argument).to_owned()));
    let options =
        RecordOptions { command, trace_dir: Some(trace.clone()), timeout: Some(DEADLINE), ..RecordOptions::default() };
    let recorded = rr().record(&options).unwrap();
    assert_eq!(recorded.exit_code, Some(0), "{}", recorded.stderr);
    (trace, recorded.stdout)
}

fn counted(trace: &Path) -> CountPass {
    let pass = rr().count_pass(trace, PLENTY, DEADLINE).unwrap();
    assert!(pass.lost.is_empty() && !pass.is_truncated, "{:?}", pass.lost);
    pass
}

/// The ticks of all threads, as the recording has them at the last event of each.
fn recorded_ticks(trace: &Path) -> u64 {
    let outcome = run(Command::new(rr().program()).args(["dump", "-e"]).arg(trace), DEADLINE).expect("it ends");
    let number = |line: &str, name: &str| -> Option<u64> {
        line.split_once(name)?.1.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let (mut sum, mut last) = (0, BTreeMap::new());
    for line in outcome.output.lines().map(str::trim_start) {
        if line.starts_with("real_time:") {
            // rr itself begins to count anew with the program.
            last.insert(number(line, " tid:").unwrap(), number(line, " ticks:").unwrap());
        } else if line.starts_with("TraceTaskEvent::EXIT") {
            sum += last.remove(&number(line, " tid=").unwrap()).unwrap_or(0);
        }
    }
    sum + last.values().sum::<u64>()
}

fn ticks(code: &[Code]) -> u64 {
    code.iter().map(|code| code.ticks_in(&(0..u64::MAX))).sum()
}

/// How often the instruction at this address of a module was executed, in all address spaces.
fn total(code: &[Code], module: &Module, address: u64) -> u64 {
    code.iter().filter(|code| code.module.as_ref() == Some(module)).map(|code| code.count(address)).sum()
}

/// Functions know how often they are called; so do threads, processes that are killed, and programs after `execve`.
#[test]
fn calls_are_counted_as_the_program_counts_them() {
    for (name, flags) in [
        ("counted-O0", &["-O0", "-pthread"][..]),
        ("counted-O2", &["-O2", "-pthread", "-fno-optimize-sibling-calls"]),
        ("counted-static", &["-O1", "-pthread", "-static"]),
    ] {
        let program = compile("counted.c", &[flags, &["-Wl,--build-id"]].concat(), name);
        let (trace, output) = recorded(&program, &[], name);
        let mut expected: BTreeMap<&str, u64> = BTreeMap::new();
        for line in output.lines() {
            let (function, count) = line.split_once(' ').unwrap();
            *expected.entry(function).or_default() += count.parse::<u64>().unwrap();
        }
        // One call is told by nobody.
        *expected.get_mut("turn").unwrap() += 1;
        let pass = counted(&trace);
        for (function_name, count) in &expected {
            let function = function(&program, function_name);
            assert_eq!(total(&pass.code, &function.module, function.entry), *count, "{name}: {function_name}");
        }
        let turn = function(&program, "turn");
        let turns = 2 * 100_003 + 17;
        let of_program = pass.code.iter().filter(|code| code.module.as_ref() == Some(&turn.module));
        let most = of_program.flat_map(|code| &code.runs).map(|run| run.1).max().unwrap();
        assert!((100_003..=100_004).contains(&most), "{name}: a loop of 100003 rounds was {most} times");
        let body: u64 = (turn.entry..turn.returns[0]).map(|at| total(&pass.code, &turn.module, at)).max().unwrap();
        assert!((turns..=turns + 3).contains(&body), "{name}: loops of {turns} rounds were {body} times");
        assert_eq!(ticks(&pass.code), recorded_ticks(&trace), "{name}");
        // The program, its child, and what it executes; rr's library may run in others.
        let processes: Vec<u32> =
            pass.code.iter().filter(|code| code.module.as_ref() == Some(&turn.module)).map(|code| code.space).collect();
        assert_eq!(processes.len(), 3, "{name}");
        let threads: Vec<usize> = processes.iter().map(|space| pass.threads[space].len()).collect();
        assert_eq!(
            threads.iter().max(),
            Some(&5),
            "{name}: {threads:?}: the main thread, three, and the child of vfork"
        );
    }
}

/// The line of the program's source that has this text.
fn line_of(text: &str) -> u32 {
    let source = include_str!("programs/counted.c");
    let lines: Vec<usize> =
        (1..).zip(source.lines()).filter(|(_, line)| line.contains(text)).map(|line| line.0).collect();
    assert_eq!(lines.len(), 1, "{text}");
    lines[0] as u32
}

#[test]
fn lines_and_functions_are_counted_as_the_program_says() {
    let program = compile("counted.c", &["-O0", "-pthread", "-Wl,--build-id"], "counted-lines");
    let (trace, _) = recorded(&program, &[], "counted-lines");
    let pass = counted(&trace);
    let module = function(&program, "turn").module;
    let executed = Executed::of(pass.code.iter().filter(|code| code.module.as_ref() == Some(&module)));
    let image = Image::open(&program, &DebugPaths::default()).unwrap();
    let named = ["leaf", "recursive", "jumping", "handler", "faulting", "turn", "thread", "tell", "main"];
    let functions: Vec<_> = named.iter().flat_map(|name| image.functions_named(name)).collect();
    let (lines, is_all) = lines(&image, &functions, &executed);
    assert!(is_all);
    let count = |text: &str| lines.iter().find(|line| line.line == line_of(text)).unwrap().count;
    let expected = [
        ("return x * 3 + 1;", 9101),
        ("sum += leaf(i);", 9000),
        ("sum += i ^ (sum >> 3);", 2 * 100_003 + 17),
        ("turn(17);", 1),
        ("jumping(depth - 1);", 21),
        ("leaf(depth);", 0),
        ("leaf(0);", 0),
        ("*nowhere = 1;", 11),
        ("_exit(9);", 0),
        ("_exit(8);", 0),
        ("memcpy(to, from, sizeof to - i);", 5),
        ("raise(SIGUSR1);", 13),
        ("raise(SIGKILL);", 1),
        // It returns twice.
        ("pid_t child = fork();", 2),
        ("execl(argv[0]", 1),
        ("recursive(16);", 1),
    ];
    for (text, expected) in expected {
        assert_eq!(count(text), expected, "{text}");
    }
    let profile = profile(&image, &executed);
    let calls: Vec<u64> =
        named.iter().map(|name| profile.functions.iter().find(|f| f.function.name == *name).unwrap().calls).collect();
    assert_eq!(calls, [9101, 3193, 28, 24, 11, 3, 3, 3, 2]);
    assert_eq!(profile.functions[0].function.name, "turn");
    let ticks: u64 = profile.functions.iter().map(|function| function.ticks).sum();
    assert_eq!(ticks + profile.elsewhere, executed.ticks_in(&(0..u64::MAX)));
    // Each loop looks once more than it has rounds.
    let turn = profile.functions[0].ticks;
    assert_eq!(turn, 2 * 100_003 + 17 + 3);
    let of_lines: u64 = lines.iter().map(|line| line.ticks).sum();
    let of_functions = profile.functions.iter().filter(|f| named.contains(&f.function.name.as_str()));
    assert_eq!(of_lines, of_functions.map(|function| function.ticks).sum::<u64>());
}

/// What was executed according to the records of a replay.
fn code_of(records: Vec<Record>) -> Vec<Code> {
    let mut counts = Counts::default();
    records.into_iter().for_each(|record| counts.add(record).unwrap());
    assert!(counts.lost().is_empty());
    counts.code()
}

/// By modules; which number an address space has depends on the way.
fn by_module(code: &[Code]) -> BTreeMap<String, BTreeMap<u64, i64>> {
    let mut modules: BTreeMap<String, BTreeMap<u64, i64>> = BTreeMap::new();
    for code in code {
        let edges = modules.entry(format!("{:?}", code.module)).or_default();
        for (run, count) in &code.runs {
            *edges.entry(run.start).or_default() += *count as i64;
            *edges.entry(run.end).or_default() -= *count as i64;
        }
        edges.retain(|_, by| *by != 0);
    }
    modules
}

/// However code is executed, it is counted the same, as often as probes at its instructions are hit.
#[test]
fn all_ways_to_execute_code_count_the_same() {
    let mut random = 7;
    let mut compared = 0;
    for name in
        ["signals", "strings", "faults", "jumps", "longjmp", "mutexes", "children", "contexts", "avx", "own_maps"]
    {
        let program = compile(&format!("{name}.c"), &["-O1", "-static", "-pthread"], &format!("counts of {name}"));
        let trace = scratch().join(format!("counts of {name}.trace"));
        let mut record = crate::retrograde_rr();
        record.args(["record", "-c", "700", "-o"]).arg(&trace).arg(&program);
        let recorded = run(&mut record, DEADLINE).expect("it ends");
        let asked = Asked { counts: true, ..Asked::default() }.list(None).unwrap();
        let (output, records) = told_by(&trace, &asked, &[], &[]);
        assert_eq!(output, recorded.output, "{name}");
        let code = code_of(records);
        assert_eq!(ticks(&code), recorded_ticks(&trace), "{name}");
        for way in WAYS {
            let (output, records) = told_by(&trace, &asked, &[], way);
            assert_eq!(output, recorded.output, "{name} {way:?}");
            let others = code_of(records);
            assert_eq!(ticks(&others), ticks(&code), "{name} {way:?}");
            assert!(by_module(&others) == by_module(&code), "{name} {way:?}");
        }
        for _ in 0..rounds() {
            let probes = anywhere(&program, 400, &mut random);
            let mut hits = vec![0; probes.len()];
            for record in told_by(&trace, &list(&probes, None).unwrap(), &probes, &[]).1 {
                if let Record::Hit(hit) = record {
                    hits[hit.probe as usize] += 1;
                }
            }
            // Both at once: probes and counts do not get in each other's way.
            let both = Asked { probes: probes.clone(), counts: true, ..Asked::default() };
            let (_, records) = told_by(&trace, &both.list(None).unwrap(), &probes, &[]);
            let together = code_of(records);
            assert!(by_module(&together) == by_module(&code), "{name}");
            for (probe, hits) in probes.iter().zip(hits) {
                let Place::Module { module, address } = &probe.place else { continue };
                assert_eq!(total(&code, module, *address), hits, "{name} at {address:#x}");
                compared += u64::from(hits > 0);
            }
        }
    }
    assert!(compared > 100, "{compared} instructions");
}

/// One pass that is asked for all kinds tells what three tell that are asked for one each: instructions that write to what
/// is watched, in translations, repeated, or stepped, are counted once, whichever way they are executed.
#[test]
fn one_pass_tells_what_three_tell() {
    let mut random = 3;
    for name in ["signals", "strings", "faults", "longjmp", "mutexes", "children", "avx", "written"] {
        let program = compile(&format!("{name}.c"), &["-O1", "-static", "-pthread"], &format!("all kinds of {name}"));
        let trace = scratch().join(format!("all kinds of {name}.trace"));
        let mut record = crate::retrograde_rr();
        record.args(["record", "-c", "700", "-o"]).arg(&trace).arg(&program);
        record.arg(scratch().join(format!("all kinds of {name}.log")));
        let recorded = run(&mut record, DEADLINE).expect("it ends");
        let all = Asked {
            probes: anywhere(&program, 150, &mut random),
            watches: writes::anywhere(&program, 30, &mut random),
            counts: true,
            ..Asked::default()
        };
        let probes = Asked { probes: all.probes.clone(), ..Asked::default() };
        let watches = Asked { watches: all.watches.clone(), ..Asked::default() };
        let told = |asked: &Asked, way: &[(&str, &str)]| {
            let (output, records) = writes::told(&trace, asked, way);
            assert_eq!(output, recorded.output, "{name} {way:?}");
            records
        };
        let of = |records: &[Record], kind: fn(&Record) -> bool| -> Vec<Record> {
            records.iter().filter(|record| kind(record)).map(writes::without_space).collect()
        };
        let is_hit = |record: &Record| matches!(record, Record::Hit(_));
        let is_write = |record: &Record| matches!(record, Record::Written(_));
        let code = code_of(told(&Asked { counts: true, ..Asked::default() }, &[]));
        assert_eq!(ticks(&code), recorded_ticks(&trace), "{name}");
        let (hits, written) = (of(&told(&probes, &[]), is_hit), of(&told(&watches, &[]), is_write));
        assert!(!written.is_empty(), "{name}");
        for way in [&[][..]].into_iter().chain(writes::WAYS) {
            // It would take minutes.
            if name == "written" && way == writes::WAYS[0] {
                continue;
            }
            let together = told(&all, way);
            assert!(of(&together, is_hit) == hits, "{name} {way:?}: hits");
            assert!(of(&together, is_write) == written, "{name} {way:?}: writes");
            let counted = code_of(together);
            assert_eq!(ticks(&counted), ticks(&code), "{name} {way:?}");
            assert!(by_module(&counted) == by_module(&code), "{name} {way:?}: {}", differing(&counted, &code));
        }
    }
}

/// The first edges that are not the same.
fn differing(one: &[Code], other: &[Code]) -> String {
    let (one, other) = (by_module(one), by_module(other));
    let edges = |of: &BTreeMap<String, BTreeMap<u64, i64>>| -> Vec<(String, u64, i64)> {
        of.iter().flat_map(|(name, edges)| edges.iter().map(|(at, by)| (name.clone(), *at, *by))).collect()
    };
    let (one, other) = (edges(&one), edges(&other));
    let only = |these: &[(String, u64, i64)], those: &[(String, u64, i64)]| -> Vec<String> {
        let other = these.iter().filter(|edge| !those.contains(edge));
        other.take(4).map(|(name, at, by)| format!("{name} {at:#x} {by}")).collect()
    };
    format!("{:?} instead of {:?}", only(&one, &other), only(&other, &one))
}

/// Counts that have no room are told as such.
#[test]
fn counts_end_at_their_limit() {
    let program = compile("counted.c", &["-O1", "-pthread"], "counted-limit");
    let (trace, _) = recorded(&program, &["again"], "counted-limit");
    let pass = rr().count_pass(&trace, 1000, DEADLINE).unwrap();
    assert!(pass.is_truncated && pass.code.iter().map(|code| code.runs.len()).sum::<usize>() <= 1000 / 40);
}
