//! Whether every thread of a recording waits for another one, without a time limit.
//!
//! A thread waits for another one if it is in `futex` or waits for the end of a child. Where that is so of all threads
//! and nothing changes, the recording cannot go on. A lock in memory that other programs may share, a timer and a
//! signal handler for an alarm make an end possible that cannot be seen from here: then nothing is concluded.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

/// How long nothing may change before it is concluded that nothing will.
const STILL: Duration = Duration::from_secs(2);
/// Most threads that are looked at.
const MOST_THREADS: usize = 20_000;

const FUTEX: u64 = 202;
const WAIT4: u64 = 61;
const WAITID: u64 = 247;

/// Looks again and again at the threads that an rr records.
#[derive(Debug)]
pub(super) struct Watch {
    rr: u32,
    /// Since when all of them have waited as they do, and how that is.
    since: Option<(Instant, Vec<Waiting>)>,
}

/// A thread that waits for another one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Waiting {
    tid: u32,
    /// How often it has lost the processor.
    switches: u64,
    /// The system call and its arguments.
    call: String,
}

impl Watch {
    /// Creates a watch over what the rr of this process id records.
    pub(super) fn over(rr: u32) -> Self {
        Self { rr, since: None }
    }

    /// Looks, and returns for how many threads it has been so long enough that each waits for another one.
    pub(super) fn look(&mut self) -> Option<usize> {
        let now = traced_by(self.rr).filter(|threads| !threads.is_empty());
        match (now, &self.since) {
            (None, _) => self.since = None,
            (Some(now), Some((since, before))) if now == *before => {
                if since.elapsed() >= STILL {
                    return Some(now.len());
                }
            }
            (Some(now), _) => self.since = Some((Instant::now(), now)),
        }
        None
    }
}

/// Returns how all threads that a process traces wait for each other. `None` if one of them does not.
fn traced_by(tracer: u32) -> Option<Vec<Waiting>> {
    let mut all = Vec::new();
    for pid in numbers("/proc")? {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        if field(&status, "TracerPid:") != Some(u64::from(tracer)) {
            continue;
        }
        if state(&status) == Some('Z') {
            continue;
        }
        let signals = field_in_hexadecimal(&status, "SigCgt:")?;
        if signals & alarms() != 0 || has_timers(pid) {
            return None;
        }
        let shared = shared_memory(&fs::read_to_string(format!("/proc/{pid}/maps")).ok()?);
        for tid in numbers(&format!("/proc/{pid}/task"))? {
            let place = format!("/proc/{pid}/task/{tid}");
            let status = fs::read_to_string(format!("{place}/status")).ok()?;
            let call = fs::read_to_string(format!("{place}/syscall")).ok()?;
            if state(&status) != Some('S') || !waits_without_limit(&call, &shared) || all.len() >= MOST_THREADS {
                return None;
            }
            let switches = field(&status, "voluntary_ctxt_switches:")?;
            all.push(Waiting { tid, switches, call });
        }
    }
    Some(all)
}

/// Returns the entries of a directory that are numbers, in their order.
fn numbers(directory: &str) -> Option<BTreeSet<u32>> {
    let entries = fs::read_dir(directory).ok()?;
    Some(entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect())
}

/// Returns the signals of timers that the kernel does not list.
fn alarms() -> u64 {
    [libc::SIGALRM, libc::SIGVTALRM, libc::SIGPROF].iter().map(|signal| 1u64 << (signal - 1)).sum()
}

/// Returns whether a process has timers, as far as the kernel lists them.
fn has_timers(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/timers")).is_ok_and(|timers| !timers.trim().is_empty())
}

/// Returns the state of a thread as `/proc` has it.
fn state(status: &str) -> Option<char> {
    line(status, "State:")?.chars().next()
}

fn field(status: &str, name: &str) -> Option<u64> {
    line(status, name)?.parse().ok()
}

fn field_in_hexadecimal(status: &str, name: &str) -> Option<u64> {
    u64::from_str_radix(line(status, name)?, 16).ok()
}

fn line<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim)
}

/// Returns the ranges of a process's memory map that others may share.
fn shared_memory(maps: &str) -> Vec<std::ops::Range<u64>> {
    let shared = |line: &str| {
        let mut fields = line.split_whitespace();
        let (start, end) = fields.next()?.split_once('-')?;
        fields.next()?.ends_with('s').then_some(())?;
        Some(u64::from_str_radix(start, 16).ok()?..u64::from_str_radix(end, 16).ok()?)
    };
    maps.lines().filter_map(shared).collect()
}

/// Returns whether a thread in this system call, as `/proc/PID/syscall` has it, waits for another thread and has no
/// time limit.
fn waits_without_limit(call: &str, shared: &[std::ops::Range<u64>]) -> bool {
    const WNOHANG: u64 = libc::WNOHANG as u64;
    /// `FUTEX_WAIT`, `FUTEX_LOCK_PI`, `FUTEX_WAIT_BITSET`, `FUTEX_WAIT_REQUEUE_PI`, `FUTEX_LOCK_PI2`.
    const WAITS: [u64; 5] = [0, 6, 9, 11, 13];
    const OPERATION: u64 = 0x7f;
    let mut words = call.split_whitespace();
    let Some(number) = words.next().and_then(|word| word.parse::<u64>().ok()) else { return false };
    let hexadecimal = |word: &str| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok();
    let arguments: Vec<u64> = words.map_while(hexadecimal).collect();
    let [first, second, third, fourth, ..] = arguments[..] else { return false };
    match number {
        FUTEX => {
            let is_shared = shared.iter().any(|range| range.contains(&first));
            WAITS.contains(&(second & OPERATION)) && fourth == 0 && !is_shared
        }
        WAIT4 => third & WNOHANG == 0,
        WAITID => fourth & WNOHANG == 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(call: &str) -> bool {
        waits_without_limit(call, &shared_memory("1000-2000 rw-s 0 0 0\n5000-6000 rw-p 0 0 0\n"))
    }

    #[test]
    fn who_waits_for_a_thread_without_a_limit() {
        // A mutex, a thread that is joined, a condition variable, a child.
        assert!(waits("202 0x5010 0x80 0x2 0x0 0x0 0x0 0x7f59885ffdf0 0x70000002"));
        assert!(waits("202 0x5010 0x109 0x12 0x0 0x0 0xffffffff 0x7ffd 0x7f00"));
        assert!(waits("61 0xffffffffffffffff 0x7ffd 0x0 0x0 0x0 0x0 0x7ffd 0x7f00"));
        // With a limit; a wake; memory that others may share; a child that is only asked for; other calls; none.
        assert!(!waits("202 0x5010 0x89 0x0 0x7ffd00 0x0 0xffffffff 0x7ffd 0x7f00"));
        assert!(!waits("202 0x5010 0x81 0x1 0x0 0x0 0x0 0x7ffd 0x7f00"));
        assert!(!waits("202 0x1010 0x0 0x1 0x0 0x0 0x0 0x7ffd 0x7f00"));
        assert!(!waits("61 0xffffffffffffffff 0x7ffd 0x1 0x0 0x0 0x0 0x7ffd 0x7f00"));
        assert!(!waits("0 0x0 0x7ffd 0x1 0x0 0x0 0x0 0x7ffd 0x7f00"));
        assert!(!waits("34 0x0 0x0 0x0 0x0 0x0 0x0 0x7ffd 0x7f00"));
        assert!(!waits("running") && !waits("") && !waits("-1 0x7ffd 0x7f00"));
    }

    #[test]
    fn fields_of_a_status() {
        let status = "Name:\tx\nState:\tS (sleeping)\nTracerPid:\t7\nSigCgt:\t0000000000002000\n\
                      voluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n";
        assert_eq!((state(status), field(status, "TracerPid:")), (Some('S'), Some(7)));
        assert_eq!(field(status, "voluntary_ctxt_switches:"), Some(12));
        assert!(field_in_hexadecimal(status, "SigCgt:").unwrap() & alarms() != 0);
    }

    #[test]
    fn who_traces_nothing_has_nothing_that_waits() {
        assert_eq!(Watch::over(std::process::id()).look(), None);
    }
}
