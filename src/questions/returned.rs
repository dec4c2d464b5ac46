//! What a function has returned: what is collected for it, and what it then is.

use super::function::Subject;
use super::plan::Collected;
use super::program::{ARCH, Program};
use super::scope::STRING;
use arch::{
    Register, RegisterKind, RegisterLayout, Registers, RunAddr, gives_back_first, sets_for_return, stores_in_vain,
};
use ctype::layout::{pointer_target, size_of, strip};
use ctype::{Dialect, Encoding, Place, Type, TypeRef, Value};
use dwarf::FileCode;
use program::returns::{Evidence, return_place, return_place_unless_removed, rust_return_place, used_results};
use softcounters::probes::{self, CollectedValue};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// Most bytes of a value that is not in registers.
const LONGEST: u64 = 512;
/// Parameters of a unit that are looked at.
const MOST_PARAMETERS: usize = 64;
/// Where results are, and how many bytes each is.
const PLACES: [(&str, usize); 4] = [("rax", 8), ("rdx", 8), ("xmm0", 16), ("xmm1", 16)];

static LAYOUT: LazyLock<Arc<RegisterLayout>> = LazyLock::new(|| {
    let mut offset = 0;
    let registers = PLACES.iter().enumerate().map(|(number, (name, size))| {
        let kind = if *size == 8 { RegisterKind::Integer } else { RegisterKind::Vector };
        let register = Register { name: (*name).to_owned(), number: number as u32, size: *size, offset, kind };
        offset += size;
        register
    });
    Arc::new(RegisterLayout { arch: ARCH, registers: registers.collect() })
});

/// What is collected where a function returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Collecting {
    /// Each of [`PLACES`].
    registers: [bool; PLACES.len()],
    /// So many bytes at the address in rax.
    memory: u16,
}

impl Collecting {
    /// Returns what is needed for a value of this type.
    pub(super) fn of(ty: Option<&TypeRef>) -> Self {
        let Some(ty) = ty else { return Self::default() };
        let stripped = strip(ty);
        let size = size_of(ty).unwrap_or(0);
        let is_record = matches!(&*stripped, Type::Record(_) | Type::Array { .. });
        let is_text = pointer_target(ty).is_some_and(|target| size_of(&target) == Some(1));
        let registers = match &*stripped {
            Type::Void => [false; 4],
            Type::Base { encoding: Encoding::Float, .. } => [false, false, true, true],
            _ if !is_record && size <= 8 => [true, false, false, false],
            _ => [true; 4],
        };
        let memory = match (is_record, is_text) {
            (true, _) => size.min(LONGEST) as u16,
            (false, true) => STRING as u16,
            (false, false) => 0,
        };
        Self { registers: [registers[0] || memory > 0, registers[1], registers[2], registers[3]], memory }
    }

    /// Returns what both need.
    pub(super) fn and(self, other: Self) -> Self {
        let registers = [0, 1, 2, 3].map(|n| self.registers[n] || other.registers[n]);
        Self { registers, memory: self.memory.max(other.memory) }
    }

    /// Returns the values as a probe asks for them.
    pub(super) fn values(self) -> Vec<probes::Value> {
        let mut values = Vec::new();
        for (number, (name, _)) in PLACES.iter().enumerate().filter(|(number, _)| self.registers[*number]) {
            match probes::Register::named(name) {
                Some(register) => values.push(probes::Value::Register(register)),
                None => values.push(probes::Value::Vector(number as u8 - 2)),
            }
        }
        if let Some(base) = probes::Register::named("rax").filter(|_| self.memory > 0) {
            values.push(probes::Value::Memory { base, steps: vec![0], length: self.memory });
        }
        values
    }

    /// Returns the registers that were found, and the memory.
    fn read(self, found: &[CollectedValue]) -> (Registers, Collected) {
        let (mut bytes, mut found) = (Vec::new(), found.iter());
        for (number, (_, size)) in PLACES.iter().enumerate() {
            let value = if self.registers[number] { found.next() } else { None };
            match value {
                Some(CollectedValue::Register(value)) => bytes.extend(value.to_le_bytes().map(Some)),
                Some(CollectedValue::Vector(value)) => bytes.extend(value.map(Some)),
                _ => bytes.extend(vec![None; *size]),
            }
        }
        let registers = Registers::new(LAYOUT.clone(), &bytes);
        let more = if self.memory > 0 { found.next() } else { None };
        let memory = match (more, registers.value("rax")) {
            (Some(CollectedValue::Memory(bytes)), Some(address)) => {
                Collected::with_memory(address, usize::from(self.memory), bytes.clone())
            }
            _ => Collected::default(),
        };
        (registers, memory)
    }
}

/// Returns what a function has returned, and the memory that is known of it. `None`: it returns nothing. `Err`: in
/// words why it is not known.
pub(super) fn result(
    program: &Program,
    subject: &Subject,
    collecting: Collecting,
    found: &[CollectedValue],
) -> Option<(Result<Value, String>, Collected)> {
    let ty = subject.result.as_ref()?;
    let (registers, memory) = collecting.read(found);
    let mut code = OfCode { program, subject, known: BTreeMap::new() };
    let place = match subject.entry.target.dialect {
        Dialect::Rust => rust_return_place(ty, &registers, &mut code),
        _ if subject.may_lack_result => return_place_unless_removed(ty, &subject.return_rules, &registers, &mut code),
        _ => return_place(ty, &subject.return_rules, &registers),
    };
    // Of a value in memory the rest was not collected; it is said so when it is looked at.
    Some((place.map(|place: Place| Value::new(ty.clone(), place)), memory))
}

/// What the code of a function tells.
struct OfCode<'a> {
    program: &'a Program,
    subject: &'a Subject,
    known: BTreeMap<String, bool>,
}

impl OfCode<'_> {
    fn is_own(&self) -> impl Fn(RunAddr) -> bool + use<'_> {
        |at| self.subject.asked.function.ranges.iter().any(|(start, end)| (start.0..end.0).contains(&at.0))
    }
}

impl Evidence for OfCode<'_> {
    fn gives_address(&mut self) -> bool {
        let Some(module) = self.program.module(self.subject.asked.module) else { return false };
        let entry = RunAddr(self.subject.asked.function.entry.0);
        gives_back_first(ARCH, entry, &self.is_own(), &mut FileCode(&module.image))
    }

    fn returns_in(&mut self, registers: &[&str]) -> bool {
        let Some(module) = self.program.module(self.subject.asked.module) else { return false };
        let key = registers.join(" ");
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let entry = RunAddr(self.subject.asked.function.entry.0);
        let mut code = FileCode(&module.image);
        // No optimiser leaves a store that nobody looks at; a unit is optimised as a whole or not at all.
        let is_as_written = |code: &mut FileCode<'_>| {
            let kept = module.image.kept_parameters(self.subject.asked.function.entry, MOST_PARAMETERS);
            kept.iter().any(|p| stores_in_vain(ARCH, (RunAddr(p.code.0.0), RunAddr(p.code.1.0)), p.slot, code))
        };
        let sets = sets_for_return(ARCH, entry, registers, &self.is_own(), &mut code) || is_as_written(&mut code);
        self.known.insert(key, sets);
        sets
    }

    fn used_in(&mut self) -> Vec<&'static str> {
        let Some(module) = self.program.module(self.subject.asked.module) else { return Vec::new() };
        let ask = || used_results(&module.image, ARCH, self.subject.asked.function.entry);
        self.subject.used_results.get_or_init(ask).clone()
    }
}
