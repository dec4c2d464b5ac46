//! Locks of Rust's library, which are words in memory: its code may be inlined, so that what becomes of the word tells who
//! has the lock.
//!
//! Which words these are is told by a pass before: by what its functions are given and, where these are inlined, by the
//! atomic instructions of theirs.

use crate::cancel::Cancel;
use crate::questions::answer::{DEADLINE, LIMIT};
use crate::questions::error::Error;
use crate::questions::place::functions;
use crate::questions::program::Program;
use crate::rr::Rr;
use crate::softcounters::probes::{Found, Place, Probe, Register, Value};
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Most instructions that are looked at.
const MOST_PROBES: usize = 2000;
/// Most locks that are regarded.
pub(super) const MOST_WORDS: usize = 1000;

/// What kind of lock a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// 0: free; 1: taken; 2: taken, and others wait.
    Mutex,
    /// In the lower bits, how many read; if all are set, one writes.
    RwLock,
}

/// What has become of a lock, by what was written to its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing that matters.
    None,
    /// The thread that has written has it, perhaps with others.
    Taken { is_shared: bool },
    /// It has let it go.
    Left,
    /// It has it with others instead of alone.
    Shared,
    /// It is no lock any more.
    Other,
}

/// The bits of a lock for readers that are a number.
const READERS: u32 = (1 << 30) - 1;

impl Kind {
    /// Returns what a write to the word means.
    pub(super) fn change(self, before: u32, after: u32, is_atomic: bool) -> Change {
        match self {
            _ if before == after => Change::None,
            _ if !is_atomic => Change::Other,
            Self::Mutex => match (before, after) {
                (0, 1 | 2) => Change::Taken { is_shared: false },
                (1 | 2, 0) => Change::Left,
                (1, 2) | (2, 1) => Change::None,
                _ => Change::Other,
            },
            Self::RwLock => match (before & READERS, after & READERS) {
                (before, after) if before == after => Change::None,
                (0, READERS) => Change::Taken { is_shared: false },
                (READERS, 0) => Change::Left,
                (READERS, 1) => Change::Shared,
                (before, after) if before != READERS && after == before + 1 => Change::Taken { is_shared: true },
                (before, after) if before != READERS && after + 1 == before => Change::Left,
                _ => Change::Other,
            },
        }
    }
}

/// Functions that are given such a word, and what kind it is.
const FUNCTIONS: [(&str, Kind); 12] = [
    ("std::sys::sync::mutex::futex::Mutex::lock", Kind::Mutex),
    ("std::sys::sync::mutex::futex::Mutex::lock_contended", Kind::Mutex),
    ("std::sys::sync::mutex::futex::Mutex::try_lock", Kind::Mutex),
    ("std::sys::sync::mutex::futex::Mutex::unlock", Kind::Mutex),
    ("std::sys::sync::rwlock::futex::RwLock::write", Kind::RwLock),
    ("std::sys::sync::rwlock::futex::RwLock::try_write", Kind::RwLock),
    ("std::sys::sync::rwlock::futex::RwLock::write_contended", Kind::RwLock),
    ("std::sys::sync::rwlock::futex::RwLock::write_unlock", Kind::RwLock),
    ("std::sys::sync::rwlock::futex::RwLock::read", Kind::RwLock),
    ("std::sys::sync::rwlock::futex::RwLock::try_read", Kind::RwLock),
    ("std::sys::sync::rwlock::futex::RwLock::read_contended", Kind::RwLock),
    ("std::sys::sync::rwlock::futex::RwLock::read_unlock", Kind::RwLock),
];

/// Where the word is, of what a probe tells: at the first value, plus the second times this, plus this.
#[derive(Clone, Copy, Debug)]
struct Site {
    kind: Kind,
    scale: Option<u64>,
    displacement: i64,
}

impl Site {
    fn address(&self, found: &[Found]) -> Option<u64> {
        let mut registers = found.iter().map(|found| match found {
            Found::Register(value) => Some(*value),
            _ => None,
        });
        let base = registers.next()??;
        let index = match self.scale {
            Some(scale) => registers.next()??.wrapping_mul(scale),
            None => 0,
        };
        Some(base.wrapping_add(index).wrapping_add_signed(self.displacement))
    }
}

/// Returns the words that threads of a process use as locks, and whether there are more.
pub(super) fn words(
    rr: &Rr,
    trace: &Path,
    program: &Program,
    pid: u32,
    cancel: &Cancel,
) -> Result<(BTreeMap<u64, Kind>, bool), Error> {
    let all = program.ask_with(cancel, || sites(program))??;
    let (mut words, mut is_cut) = (BTreeMap::new(), all.len() == MOST_PROBES);
    if all.is_empty() {
        return Ok((words, false));
    }
    let (sites, probes): (Vec<Site>, Vec<Probe>) = all.into_iter().unzip();
    let pass = rr.probe_pass(trace, &probes, LIMIT, DEADLINE)?;
    is_cut |= pass.is_truncated;
    for hit in pass.hits()? {
        let hit = hit?;
        if program.mappings.process_of(hit.tid) != pid {
            continue;
        }
        let Some(site) = sites.get(hit.probe) else { continue };
        let Some(address) = site.address(&hit.values) else { continue };
        if words.len() < MOST_WORDS || words.contains_key(&address) {
            words.insert(address, site.kind);
        } else {
            is_cut = true;
        }
    }
    Ok((words, is_cut))
}

/// Returns the places where a word is known, with a probe for each.
fn sites(program: &Program) -> Result<Vec<(Site, Probe)>, Error> {
    let mut all = Vec::new();
    let Some(first) = Register::named("rdi") else { return Ok(all) };
    for (name, kind) in FUNCTIONS {
        let found = match functions(program, name, false) {
            Ok(found) => found.all,
            Err(Error::Question(_)) => continue,
            Err(other) => return Err(other),
        };
        for asked in found {
            let Some(module) = program.module(asked.module) else { continue };
            let place = Place::Module { module: module.identity.clone(), address: asked.function.entry.0 };
            let site = Site { kind, scale: None, displacement: 0 };
            all.push((site, Probe::new(place, vec![Value::Register(first)])));
        }
    }
    for (_, module) in program.user().filter(|(_, module)| !module.is_interpreter) {
        let image = &module.image;
        let mut seen = BTreeSet::new();
        let copies = FUNCTIONS.into_iter().flat_map(|(name, _)| image.inlined_copies(name));
        for function in copies.filter_map(|(address, _)| image.function_at(address)) {
            if !seen.insert(function.entry) {
                continue;
            }
            for range in &function.ranges {
                let code = module.code(*range).unwrap_or_default();
                for insn in Decoder::with_ip(64, code, range.0.0, DecoderOptions::NONE) {
                    if all.len() == MOST_PROBES {
                        return Ok(all);
                    }
                    if !is_atomic(&insn) {
                        continue;
                    }
                    let chain = image.inline_chain(crate::arch::LinkAddr(insn.ip()));
                    let known = FUNCTIONS.into_iter().find(|(name, _)| chain.iter().any(|frame| frame.name == *name));
                    let Some((site, values)) = known.and_then(|(_, kind)| operand(&insn, kind)) else { continue };
                    let place = Place::Module { module: module.identity.clone(), address: insn.ip() };
                    all.push((site, Probe::new(place, values)));
                }
            }
        }
    }
    Ok(all)
}

fn is_atomic(insn: &Instruction) -> bool {
    let has_memory = insn.op0_kind() == OpKind::Memory || insn.op1_kind() == OpKind::Memory;
    has_memory && (insn.has_lock_prefix() || insn.mnemonic() == Mnemonic::Xchg)
}

/// Returns where the operand of an instruction is in memory, and what tells that.
fn operand(insn: &Instruction, kind: Kind) -> Option<(Site, Vec<Value>)> {
    let named = |register: iced_x86::Register| Register::named(&format!("{register:?}").to_lowercase());
    let (base, displacement) = if insn.is_ip_rel_memory_operand() {
        (Register::named("rip")?, insn.memory_displacement64().wrapping_sub(insn.ip()) as i64)
    } else {
        (named(insn.memory_base())?, insn.memory_displacement64() as i64)
    };
    let index = match insn.memory_index() {
        iced_x86::Register::None => None,
        index => Some(named(index)?),
    };
    let scale = index.map(|_| u64::from(insn.memory_index_scale()));
    let values = [Some(base), index].into_iter().flatten().map(Value::Register).collect();
    Some((Site { kind, scale, displacement }, values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_to_a_word_tells_who_has_the_lock() {
        let mutex = |before, after| Kind::Mutex.change(before, after, true);
        assert_eq!([mutex(0, 1), mutex(0, 2)], [Change::Taken { is_shared: false }; 2]);
        assert_eq!([mutex(1, 0), mutex(2, 0)], [Change::Left; 2]);
        assert_eq!([mutex(1, 2), mutex(2, 2)], [Change::None; 2]);
        assert_eq!([mutex(0, 7), Kind::Mutex.change(0, 1, false)], [Change::Other; 2]);
        let many = |before, after| Kind::RwLock.change(before, after, true);
        let waiting = 1 << 30;
        assert_eq!([many(0, 1), many(1 | waiting, 2 | waiting)], [Change::Taken { is_shared: true }; 2]);
        assert_eq!([many(2, 1), many(READERS | waiting, waiting), many(1, 0)], [Change::Left; 3]);
        assert_eq!([many(0, READERS), many(waiting, READERS)], [Change::Taken { is_shared: false }; 2]);
        assert_eq!([many(READERS, 1), many(0, waiting), many(0, 5)], [Change::Shared, Change::None, Change::Other]);
    }
}
