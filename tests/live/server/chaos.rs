//! A server under fire: random calls on several sessions, sent together, cancelled, run into time limits; and rr
//! processes that are killed or stopped meanwhile. No session is lost, each call is answered, and nothing is left
//! behind.
//!
//! `RETROGRADE_CHAOS=1000 cargo test --test live chaos -- --nocapture` makes as many calls and prints what came of
//! them; `RETROGRADE_CHAOS_SEED` repeats a run's choices.

use crate::server::wire::Wire;
use crate::support::processes::rr_of;
use crate::support::recordings::{fresh_recording, rr};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Calls if nothing else is said.
const CALLS: u64 = 120;
/// Every so many calls all sessions are looked at.
const INSPECTION: u64 = 40;
/// Each so manieth round something happens to an rr.
const FAULTS: u64 = 15;
/// How far memory may grow after the first third, in KiB.
const GROWTH: u64 = 32 * 1024;
/// How long a process may take to disappear.
const PATIENCE: Duration = Duration::from_secs(120);

/// Time limits of a server from which much is asked that takes too long.
pub const SHORT: [(&str, &str); 5] = [
    ("RR_MCP_TIMEOUT_FORWARD", "3"),
    ("RR_MCP_TIMEOUT_REVERSE", "3"),
    ("RR_MCP_TIMEOUT_BREAKPOINT", "3"),
    ("RR_MCP_TIMEOUT_EVAL", "3"),
    ("RETROGRADE_LOG", "off"),
];

/// SplitMix64.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }

    pub fn one_in(&mut self, sides: u64) -> bool {
        self.roll(sides) == 0
    }

    pub fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[usize::try_from(self.roll(from.len() as u64)).unwrap()]
    }
}

/// A replay that is always open.
struct Seat {
    trace: PathBuf,
    session: String,
    rr: i32,
    /// Something was done to its rr: it may have got another one.
    hurt: bool,
}

impl Seat {
    fn open(wire: &mut Wire, trace: PathBuf) -> Self {
        let opened = wire.call("rr_replay_start", json!({"trace_dir": trace}));
        let session = opened["structuredContent"]["session"].as_str().unwrap_or_else(|| panic!("{opened}")).to_owned();
        let rr = rr_of(&trace).expect("rr runs");
        Self { trace, session, rr, hurt: false }
    }
}

/// A call of any tool that does not open or close anything.
fn any_call(dice: &mut Dice, session: &str) -> (&'static str, Value) {
    let reverse = dice.one_in(2);
    let location = dice.pick(&["main", "add", "write", "memset", "nowhere", "*0x10", "stepping.c:20", "chatty.c:12"]);
    let expression = dice.pick(&[
        "1 + 1",
        "total",
        "$rsp",
        "*(char **)$rsp",
        "((",
        "block",
        "i",
        "*block@400",
        "sizeof(int)",
        "main",
    ]);
    let small = dice.roll(12);
    let (tool, mut arguments) = match dice.roll(28) {
        0..4 => ("rr_continue", json!({"reverse": reverse})),
        4..6 => ("rr_step", json!({"reverse": reverse, "count": 1 + small, "instruction": dice.one_in(3)})),
        6..8 => ("rr_next", json!({"reverse": reverse, "count": 1 + small})),
        8 => ("rr_finish", json!({"reverse": reverse})),
        9 => ("rr_run_to_event", json!({"event_number": dice.roll(300)})),
        10 => ("rr_breakpoint_set", json!({"location": location, "temporary": dice.one_in(2)})),
        11 => ("rr_breakpoint_set", json!({"location": location, "condition": expression})),
        12 => ("rr_breakpoint_remove", json!({"breakpoint_number": 1 + small})),
        13 => ("rr_watchpoint_set", json!({"expression": expression})),
        14 => ("rr_checkpoint_save", json!({})),
        15 => ("rr_checkpoint_restore", json!({"checkpoint_id": 1 + small})),
        16 => ("rr_checkpoint_delete", json!({"checkpoint_id": 1 + small})),
        17 => ("rr_locals", json!({})),
        18 => ("rr_backtrace", json!({"max_depth": small})),
        19 => ("rr_evaluate", json!({"expression": expression})),
        20 => ("rr_read_memory", json!({"address": expression, "count": 1 + dice.roll(65536)})),
        21 => ("rr_registers", json!({})),
        22 => ("rr_thread_list", json!({})),
        23 => ("rr_thread_select", json!({"thread_id": 1 + dice.roll(4)})),
        24 => ("rr_select_frame", json!({"frame_level": dice.roll(5)})),
        25 => ("rr_command", json!({"command": "info locals\nbt 3\nx/4xb $sp\nwhen"})),
        26 => ("rr_source_lines", json!({"line": small})),
        _ => ("rr_interrupt", json!({})),
    };
    arguments["session"] = json!(session);
    (tool, arguments)
}

/// What a process has: open files, children, resident memory in KiB.
pub fn files(pid: u32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count()
}

fn children(pid: u32) -> Vec<i32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let is_child = |child: &i32| {
        let stat = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        let parent = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1)?.parse().ok());
        parent == Some(pid)
    };
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(is_child).collect()
}

pub fn memory(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Waits until `holds`: a process that was killed takes a moment to be gone.
pub fn until(what: &str, holds: impl Fn() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < PATIENCE, "{what}");
        std::thread::yield_now();
    }
}

/// A number from the environment.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is a number")))
}

/// Something happens to a seat's rr; true if it is to be woken again.
fn hurt(dice: &mut Dice, seat: &mut Seat, counts: &mut BTreeMap<&'static str, u64>) -> bool {
    // A movement that was cancelled may have ended it, and the next call begins another one.
    let Some(rr) = rr_of(&seat.trace) else { return false };
    let stopped = dice.one_in(2);
    // SAFETY: a plain system call. It may just have ended.
    if unsafe { libc::kill(rr, if stopped { libc::SIGSTOP } else { libc::SIGKILL }) } != 0 {
        return false;
    }
    (seat.hurt, seat.rr) = (true, rr);
    *counts.entry(if stopped { "rr stopped" } else { "rr killed" }).or_default() += 1;
    stopped
}

/// All sessions answer, whatever has been done to their rr.
fn inspect(wire: &mut Wire, seats: &mut [Seat], counts: &mut BTreeMap<&'static str, u64>) {
    for seat in seats {
        let value = wire.call("rr_evaluate", json!({"expression": "1 + 1", "session": seat.session}));
        let when = wire.call("rr_when", json!({"session": seat.session}));
        let good = value["structuredContent"]["value"] == "2" && when["structuredContent"]["event"].is_u64();
        assert!(good, "session {} is lost: {value} {when}", seat.session);
        if std::mem::take(&mut seat.hurt) {
            // It may have got another one.
            let rr = rr_of(&seat.trace).expect("rr runs");
            let word = if rr == seat.rr { "hurt sessions that went on" } else { "hurt sessions that got another rr" };
            *counts.entry(word).or_default() += 1;
            seat.rr = rr;
        }
    }
}

/// How much is to be done, `default` if the environment has nothing of this `name`; and the seed, which `NAME_SEED`
/// gives.
pub fn wanted(name: &str, default: u64) -> (u64, u64) {
    let (count, seed) = (number(name, default), number(&format!("{name}_SEED"), u64::from(std::process::id())));
    println!("{name}={count} {name}_SEED={seed}");
    (count, seed)
}

#[test]
fn random_calls_cancellations_and_faults_lose_nothing() {
    let (calls, seed) = wanted("RETROGRADE_CHAOS", CALLS);
    let mut dice = Dice(seed);
    let mut wire = Wire::open(rr().program(), &SHORT);
    let server = wire.server.pid();
    let traces =
        [fresh_recording("stepping", &[]), fresh_recording("threads", &[]), fresh_recording("chatty", &["1000"])];
    let traces = traces.map(|recording| recording.trace);
    // What the first use of each makes for good is not a leak.
    for trace in &traces {
        let seat = Seat::open(&mut wire, trace.clone());
        wire.call("rr_continue", json!({"session": seat.session}));
        wire.call("rr_replay_stop", json!({"session": seat.session}));
    }
    let files_before = files(server);
    let mut seats: Vec<Seat> = traces.into_iter().map(|trace| Seat::open(&mut wire, trace)).collect();
    let mut counts = BTreeMap::<&'static str, u64>::new();
    let (mut made, mut inspected, mut memory_before) = (0, 0, None);
    let mut longest = Duration::ZERO;
    while made < calls {
        let mut wake = Vec::new();
        if dice.one_in(FAULTS) {
            let seat = usize::try_from(dice.roll(3)).unwrap();
            if !seats[seat].hurt && hurt(&mut dice, &mut seats[seat], &mut counts) {
                wake.push(seats[seat].rr);
            }
        }
        let mut waiting = Vec::new();
        for _ in 0..=dice.roll(3) {
            let seat = &seats[usize::try_from(dice.roll(3)).unwrap()];
            let (tool, arguments) = any_call(&mut dice, &seat.session);
            let id = wire.start(tool, arguments);
            made += 1;
            if dice.one_in(8) {
                let params = json!({"requestId": id});
                let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
                wire.server.send(&cancel.to_string());
                *counts.entry("cancelled").or_default() += 1;
            } else {
                waiting.push((id, tool));
            }
        }
        for (id, tool) in waiting {
            let begin = Instant::now();
            let result = wire.finish(id);
            longest = longest.max(begin.elapsed());
            assert!(result["content"][0]["text"].is_string(), "{tool}: {result}");
            let kind = match (&result["isError"], &result["structuredContent"]["reason"]) {
                (Value::Bool(true), _) => "errors",
                (_, reason) if reason == "timed-out" => "timed out",
                _ => "answers",
            };
            *counts.entry(kind).or_default() += 1;
        }
        for rr in wake {
            // The server may have killed and reaped it meanwhile.
            // SAFETY: a plain system call.
            unsafe { libc::kill(rr, libc::SIGCONT) };
        }
        if made >= inspected + INSPECTION {
            inspected = made;
            inspect(&mut wire, &mut seats, &mut counts);
        }
        if memory_before.is_none() && made >= calls / 3 {
            memory_before = Some(memory(server));
        }
    }
    inspect(&mut wire, &mut seats, &mut counts);
    for seat in &seats {
        wire.call("rr_replay_stop", json!({"session": seat.session}));
    }
    let memory_after = memory(server);
    until("processes are left", || children(server).is_empty());
    until("files are left open", || files(server) <= files_before);
    let memory_before = memory_before.expect("a third has passed");
    println!("{made} calls: {counts:?}; the longest took {longest:?}; {memory_before} KiB, then {memory_after}");
    assert!(memory_after < memory_before + GROWTH, "{memory_before} KiB became {memory_after}");
}
