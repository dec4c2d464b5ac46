//! How many calls each process of a recording has, and which processes have no such function, and why.

use super::join::{Call, Caller};
use crate::answer::Named;
use crate::error::Error;
use crate::function::Subject;
use crate::program::Program;
use program::base_name::base_name;
use std::collections::BTreeMap;
use std::path::Path;

/// Processes that are told.
const MOST: usize = 20;
/// Processes that are named of those that have no such function.
const MOST_WITHOUT: usize = 8;

/// What is found of the processes.
#[derive(Debug, Default)]
pub(super) struct Processes {
    /// Those that have such a function, with how many calls; none if the recording has one process only.
    pub(super) having: Vec<Named>,
    /// What is to be said of the others.
    pub(super) notes: Vec<String>,
}

/// Counts the calls that match by process.
pub(super) fn by_process(
    trace: &Path,
    program: &Program,
    subjects: &[Subject],
    calls: &[Call],
    callers: &[Caller],
) -> Result<Processes, Error> {
    let all = rr::processes(trace)?;
    if all.len() < 2 {
        return Ok(Processes::default());
    }
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    for call in calls.iter().filter(|call| call.matches == Some(true)) {
        if let Some(caller) = call.caller().and_then(|caller| callers.get(caller)) {
            *counts.entry(caller.pid).or_default() += 1;
        }
    }
    let (mut having, mut without) = (Vec::new(), BTreeMap::<String, Vec<u32>>::new());
    for process in &all {
        let pid = process.pid;
        let count = counts.get(&pid).copied().unwrap_or(0);
        if count > 0 || subjects.iter().any(|subject| program.has_mapped(subject.asked.module, pid)) {
            let name = process.command.as_deref().map_or("a copy of its parent", short);
            having.push(Named { name: format!("process {pid} ({name})"), count });
        } else {
            without.entry(why_without(program, pid)).or_default().push(pid);
        }
    }
    having.sort_by_key(|named| std::cmp::Reverse(named.count));
    let mut notes = Vec::new();
    if having.len() > MOST {
        let others: u64 = having.drain(MOST..).map(|named| named.count).sum();
        notes.push(format!("{others} calls are by other processes than those counted"));
    }
    for (why, pids) in without {
        let more =
            if pids.len() > MOST_WITHOUT { format!(" and {} more", pids.len() - MOST_WITHOUT) } else { String::new() };
        let named: Vec<String> = pids.iter().take(MOST_WITHOUT).map(u32::to_string).collect();
        notes.push(format!("not asked: process {}{more}: {why}", named.join(", ")));
    }
    Ok(Processes { having, notes })
}

/// Returns the name of the program that a command begins with.
fn short(command: &str) -> &str {
    base_name(command.split(' ').next().unwrap_or(command))
}

/// Returns in words why a process has no such function.
fn why_without(program: &Program, pid: u32) -> String {
    let mapped = program.mappings.of(pid).iter().filter(|mapped| mapped.executable);
    let mut files = mapped.map(|mapped| base_name(&mapped.name));
    let not_used = program.not_used();
    match files.find_map(|file| not_used.iter().find(|(name, _)| name == file)) {
        Some((name, why)) => format!("{name} cannot be used: {why}"),
        None => "its executables have no such function".to_owned(),
    }
}
