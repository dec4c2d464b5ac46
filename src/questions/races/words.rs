//! Locks of Rust's library, which are words in memory: its code may be inlined, so that what becomes of the word tells who
//! has the lock (`lock_words`).
//!
//! Which words these are is told by a pass before: by what its functions are given and, where these are inlined, by the
//! atomic instructions of theirs.

use crate::answer::{DEADLINE, LIMIT};
use crate::error::Error;
use crate::lock_words::LockWord;
use crate::place::functions;
use crate::program::Program;
use base::cancel::Cancel;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};
use rr::Rr;
use softcounters::probes::{CollectedValue, Place, Probe, Register, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Most instructions that are looked at.
const MOST_PROBES: usize = 2000;
/// Most locks that are regarded.
pub(super) const MOST_WORDS: usize = 1000;

/// Functions that are given such a word, and what kind it is.
const FUNCTIONS: [(&str, LockWord); 12] = [
    ("std::sys::sync::mutex::futex::Mutex::lock", LockWord::RustMutex),
    ("std::sys::sync::mutex::futex::Mutex::lock_contended", LockWord::RustMutex),
    ("std::sys::sync::mutex::futex::Mutex::try_lock", LockWord::RustMutex),
    ("std::sys::sync::mutex::futex::Mutex::unlock", LockWord::RustMutex),
    ("std::sys::sync::rwlock::futex::RwLock::write", LockWord::RustRwLock),
    ("std::sys::sync::rwlock::futex::RwLock::try_write", LockWord::RustRwLock),
    ("std::sys::sync::rwlock::futex::RwLock::write_contended", LockWord::RustRwLock),
    ("std::sys::sync::rwlock::futex::RwLock::write_unlock", LockWord::RustRwLock),
    ("std::sys::sync::rwlock::futex::RwLock::read", LockWord::RustRwLock),
    ("std::sys::sync::rwlock::futex::RwLock::try_read", LockWord::RustRwLock),
    ("std::sys::sync::rwlock::futex::RwLock::read_contended", LockWord::RustRwLock),
    ("std::sys::sync::rwlock::futex::RwLock::read_unlock", LockWord::RustRwLock),
];

/// Where the word is, of what a probe tells: at the first value, plus the second times this, plus this.
#[derive(Clone, Copy, Debug)]
struct Site {
    kind: LockWord,
    scale: Option<u64>,
    displacement: i64,
}

impl Site {
    fn address(&self, found: &[CollectedValue]) -> Option<u64> {
        let mut registers = found.iter().map(|found| match found {
            CollectedValue::Register(value) => Some(*value),
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
) -> Result<(BTreeMap<u64, LockWord>, bool), Error> {
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
            Err(Error::Question(_) | Error::NoPlace(_)) => continue,
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
                    let chain = image.inline_chain(arch::LinkAddr(insn.ip()));
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
fn operand(insn: &Instruction, kind: LockWord) -> Option<(Site, Vec<Value>)> {
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
