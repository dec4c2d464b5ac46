//! The user's breakpoints and watchpoints, and what of them is to be set in rr.

use crate::api::error::Error;
use crate::api::{Access, BreakpointInfo, BreakpointLocation, CatchEvent};
use crate::breakpoints::catch::Catch;
use crate::breakpoints::log_text::LogText;
use crate::breakpoints::temporary::{StackPointer, Temporary};
use crate::breakpoints::watch::Watch;
use crate::eval::condition_names::MeantLocals;
use arch::{RegisterLayout, Registers, RunAddr, ThreadId};
use program::location::Location;
use rsp::{Break, BreakKind};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// One address of a breakpoint.
#[derive(Clone, Debug)]
pub(crate) struct InsertionPoint {
    pub(crate) public: BreakpointLocation,
    /// See [`ResolvedAddress::level`](crate::breakpoints::resolve::ResolvedAddress).
    pub(crate) level: usize,
    /// The condition as rr can evaluate it in this place; `None` if it cannot, or if there is none.
    pub(crate) bytecode: Option<Vec<u8>>,
}

/// What an entry waits for.
#[derive(Clone, Debug)]
pub(crate) enum Trigger {
    /// Code about to be executed.
    Code {
        location: Location,
        /// What a bare line number is in.
        file: Option<String>,
        locations: Vec<InsertionPoint>,
    },
    /// Data touched.
    Data {
        watch: Watch,
        /// The condition as rr can evaluate it.
        bytecode: Option<Vec<u8>>,
        /// The locals that the condition names: it is evaluated in the innermost frame of their function.
        meant: Arc<MeantLocals>,
    },
}

/// A breakpoint or watchpoint.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) number: u32,
    pub(crate) what: Trigger,
    /// As the user gave it.
    pub(crate) text: String,
    pub(crate) condition: Option<String>,
    /// The only thread that it is enabled for.
    pub(crate) thread: Option<ThreadId>,
    /// If not, nobody stops for it at present.
    pub(crate) enabled: bool,
    /// What it writes down instead of stopping.
    pub(crate) log: Option<Arc<LogText>>,
    /// Set for a catchpoint.
    pub(crate) catch: Option<Arc<Catch>>,
    pub(crate) temporary: bool,
    pub(crate) ignore_count: u32,
    pub(crate) hits: u32,
    pub(crate) note: Option<String>,
    /// It may have more locations, which are to be found before the program runs on.
    pub(crate) partly_resolved: bool,
    /// It is to be one in hardware.
    pub(crate) hardware: bool,
}

impl Entry {
    /// Counts a hit whose condition holds. Whether it is one to stop for.
    pub(crate) fn count_hit(&mut self) -> bool {
        self.hits = self.hits.saturating_add(1);
        match self.ignore_count {
            0 => true,
            n => {
                self.ignore_count = n - 1;
                false
            }
        }
    }

    /// Returns whether its locations depend on the modules that are loaded.
    pub(crate) fn may_move(&self) -> bool {
        matches!(&self.what, Trigger::Code { location, .. } if !matches!(location, Location::Address(_)))
    }

    /// Returns whether it is enabled for a thread.
    pub(crate) fn is_for(&self, thread: ThreadId) -> bool {
        self.thread.is_none_or(|only| only == thread)
    }

    /// Returns whether it is of such a kind that some of its hits may be skipped.
    pub(crate) fn may_skip(&self) -> bool {
        self.condition.is_some() || self.thread.is_some()
    }

    /// Returns what it watches, if it is a watchpoint.
    pub(crate) fn watch(&self) -> Option<&Watch> {
        match &self.what {
            Trigger::Data { watch, .. } => Some(watch),
            Trigger::Code { .. } => None,
        }
    }

    /// Returns the level that it is for at this address; `None` if it has no location there.
    pub(crate) fn level_at(&self, address: RunAddr) -> Option<usize> {
        match &self.what {
            Trigger::Code { locations, .. } => locations.iter().find(|p| p.public.address == address).map(|p| p.level),
            Trigger::Data { .. } => None,
        }
    }

    pub(crate) fn info(&self) -> BreakpointInfo {
        let (watch, locations): (Option<Access>, Vec<BreakpointLocation>) = match &self.what {
            Trigger::Code { locations, .. } => (None, locations.iter().map(|p| p.public.clone()).collect()),
            Trigger::Data { watch, .. } => (Some(watch.access), vec![watch.location()]),
        };
        BreakpointInfo {
            number: self.number,
            watch,
            catch: self.event(),
            location: self.text.clone(),
            condition: self.condition.clone(),
            thread: self.thread,
            enabled: self.enabled,
            log: self.log.as_ref().map(|log| log.text.clone()),
            temporary: self.temporary,
            ignore_count: self.ignore_count,
            hits: self.hits,
            locations,
            note: self.note.clone(),
        }
    }
}

impl Entry {
    /// Returns what it catches, if it is a catchpoint.
    pub(crate) fn event(&self) -> Option<CatchEvent> {
        self.catch.as_ref().map(|catch| catch.event)
    }

    pub(crate) fn catches_signal(&self, name: &str) -> bool {
        self.catch.as_ref().is_some_and(|catch| catch.is_of_signal(name))
    }
}

/// Conditions of which any stops; `None`: no condition is needed.
type AnyOf = Option<Vec<Vec<u8>>>;

/// The table.
#[derive(Clone, Default)]
pub(crate) struct Breakpoints {
    /// A copy of the table shares what is not changed.
    list: Vec<Arc<Entry>>,
    last: u32,
}

impl Breakpoints {
    /// Adds an entry under a new number. Numbers are never used again.
    pub(crate) fn add(&mut self, make: impl FnOnce(u32) -> Entry) -> u32 {
        self.last += 1;
        self.list.push(Arc::new(make(self.last)));
        self.last
    }

    /// Takes an entry out of the table.
    pub(crate) fn remove(&mut self, number: u32) -> Result<Entry, Error> {
        match self.list.iter().position(|e| e.number == number) {
            Some(index) => Ok(Arc::unwrap_or_clone(self.list.remove(index))),
            None => Err(Error::NoBreakpoint { asked: number, known: self.list.iter().map(|e| e.number).collect() }),
        }
    }

    /// Iterates over the entries that something is to be done for.
    pub(crate) fn enabled(&self) -> impl Iterator<Item = &Entry> {
        self.iter().filter(|e| e.enabled)
    }

    /// Returns the entry of this number.
    pub(crate) fn get(&self, number: u32) -> Option<&Entry> {
        self.iter().find(|e| e.number == number)
    }

    /// Returns the entry of this number, to be changed.
    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Entry> {
        self.list.iter_mut().find(|e| e.number == number).map(Arc::make_mut)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.list.iter().map(Arc::as_ref)
    }

    /// Iterates over the entries that something is to be changed of.
    pub(crate) fn select_mut(&mut self, is_meant: impl Fn(&Entry) -> bool) -> impl Iterator<Item = &mut Entry> {
        self.list.iter_mut().filter(move |entry| is_meant(entry)).map(Arc::make_mut)
    }

    pub(crate) fn infos(&self) -> Vec<BreakpointInfo> {
        self.iter().map(Entry::info).collect()
    }

    /// Returns the numbers of the breakpoints with a location at this address.
    pub(crate) fn at(&self, address: RunAddr) -> Vec<u32> {
        self.enabled().filter(|e| e.level_at(address).is_some()).map(|e| e.number).collect()
    }

    /// Returns how often any of them has been hit.
    pub(crate) fn hits(&self) -> u64 {
        self.list.iter().map(|e| u64::from(e.hits)).sum()
    }

    /// Returns whether there is any breakpoint in code. A library that is loaded or unloaded may matter to it.
    pub(crate) fn any_in_code(&self) -> bool {
        self.list.iter().any(|e| match &e.what {
            Trigger::Code { location, .. } => !location.is_nowhere(),
            Trigger::Data { .. } => false,
        })
    }

    /// Returns the addresses of all breakpoints.
    pub(crate) fn addresses(&self) -> Vec<RunAddr> {
        let locations = self.enabled().filter_map(|e| match &e.what {
            Trigger::Code { locations, .. } => Some(locations.iter().map(|p| p.public.address)),
            Trigger::Data { .. } => None,
        });
        locations.flatten().collect()
    }

    /// Returns the addresses of those that are to be in hardware.
    pub(crate) fn hardware_addresses(&self) -> BTreeSet<RunAddr> {
        let locations = self.enabled().filter(|entry| entry.hardware).filter_map(|entry| match &entry.what {
            Trigger::Code { locations, .. } => Some(locations.iter().map(|p| p.public.address)),
            Trigger::Data { .. } => None,
        });
        locations.flatten().collect()
    }

    /// Returns how many debug registers watchpoints take.
    pub(crate) fn watch_registers(&self) -> u64 {
        let taken = self.enabled().map(|e| match &e.what {
            Trigger::Data { watch, .. } => watch.registers(),
            Trigger::Code { .. } => 0,
        });
        taken.sum()
    }

    /// Returns what is to be set in rr: one entry for each place, with the conditions of all that share it. `how` tells
    /// the kind of breakpoint for an address; `None` leaves it out.
    pub(crate) fn wanted(
        &self,
        temporary: &[Temporary],
        internal: &[Break],
        how: &dyn Fn(RunAddr) -> Option<BreakKind>,
        layout: &RegisterLayout,
    ) -> Vec<Break> {
        let mut wanted: BTreeMap<(BreakKind, RunAddr, u64), AnyOf> = BTreeMap::new();
        let mut want = |kind, address, length, condition: Option<Vec<u8>>| {
            let entry = wanted.entry((kind, address, length)).or_insert_with(|| Some(Vec::new()));
            match (entry.as_mut(), condition) {
                (Some(all), Some(condition)) => all.push(condition),
                _ => *entry = None,
            }
        };
        for entry in self.enabled() {
            match &entry.what {
                Trigger::Code { locations, .. } => {
                    for place in locations {
                        let Some(kind) = how(place.public.address) else {
                            continue;
                        };
                        want(kind, place.public.address, layout.arch.trap_size(), place.bytecode.clone());
                    }
                }
                Trigger::Data { watch, bytecode, .. } => {
                    want(watch.kind(), RunAddr(watch.address), watch.size, bytecode.clone());
                }
            }
        }
        for t in temporary {
            let Some(kind) = how(t.address) else { continue };
            want(kind, t.address, layout.arch.trap_size(), stack_condition(t.sp, layout));
        }
        for b in internal {
            match b.conditions.as_slice() {
                [] => want(b.kind, b.address, b.length, None),
                many => many.iter().for_each(|c| want(b.kind, b.address, b.length, Some(c.clone()))),
            }
        }
        wanted
            .into_iter()
            .map(|((kind, address, length), conditions)| Break {
                kind,
                address,
                length,
                conditions: conditions.unwrap_or_default(),
            })
            .collect()
    }
}

/// Agent-expression opcodes (GDB manual, "Bytecode Descriptions") that rr evaluates as documented.
mod op {
    pub(super) const EQUAL: u8 = 0x13;
    pub(super) const LESS_UNSIGNED: u8 = 0x15;
    pub(super) const LOG_NOT: u8 = 0x0e;
    pub(super) const BIT_AND: u8 = 0x0f;
    pub(super) const CONST64: u8 = 0x25;
    pub(super) const REG: u8 = 0x26;
    pub(super) const END: u8 = 0x27;
}

/// Compiles a condition on the stack pointer as bytecode; `None` if the register's number is not known.
fn stack_condition(sp: StackPointer, layout: &RegisterLayout) -> Option<Vec<u8>> {
    let number = u16::try_from(layout.find(layout.arch.sp_name())?.number).ok()?;
    match sp {
        StackPointer::Any => None,
        StackPointer::Is(wanted) => {
            let mut code = vec![op::REG];
            code.extend(number.to_be_bytes());
            code.push(op::CONST64);
            code.extend(wanted.to_be_bytes());
            code.extend([op::EQUAL, op::END]);
            Some(code)
        }
        StackPointer::JustBelow(top) => {
            stack_window(top.saturating_sub(crate::breakpoints::temporary::PROLOGUE_REACH - 1)..=top, layout)
        }
    }
}

/// Compiles the condition that the stack pointer is one of these, as bytecode.
pub(crate) fn stack_window(sp: RangeInclusive<u64>, layout: &RegisterLayout) -> Option<Vec<u8>> {
    let number = u16::try_from(layout.find(layout.arch.sp_name())?.number).ok()?;
    let mut code = Vec::new();
    let less = |code: &mut Vec<u8>, value: u64| {
        code.push(op::CONST64);
        code.extend(value.to_be_bytes());
        code.push(op::REG);
        code.extend(number.to_be_bytes());
        code.push(op::LESS_UNSIGNED);
    };
    // not (end < sp), and (start - 1) < sp
    less(&mut code, *sp.end());
    code.push(op::LOG_NOT);
    less(&mut code, sp.start().saturating_sub(1));
    code.extend([op::BIT_AND, op::END]);
    Some(code)
}

/// Compiles the condition that the general registers are what they are here, as bytecode; `None` if none is known.
pub(crate) fn same_registers(registers: &Registers) -> Option<Vec<u8>> {
    /// The general registers' DWARF numbers are up to here.
    const LAST: u16 = 31;
    let layout = registers.layout();
    let mut code = Vec::new();
    let general = (0..=LAST).filter_map(|dwarf| layout.find(layout.arch.dwarf_register(dwarf)?));
    for register in general.filter(|register| register.size == 8) {
        let Some((number, value)) = u16::try_from(register.number).ok().zip(registers.value(&register.name)) else {
            continue;
        };
        let is_first = code.is_empty();
        code.push(op::REG);
        code.extend(number.to_be_bytes());
        code.push(op::CONST64);
        code.extend(value.to_be_bytes());
        code.push(op::EQUAL);
        if !is_first {
            code.push(op::BIT_AND);
        }
    }
    code.push(op::END);
    (code.len() > 1).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arch::{Arch, Register, RegisterKind};

    fn layout() -> RegisterLayout {
        let sp = Register { name: "rsp".into(), number: 7, size: 8, offset: 0, kind: RegisterKind::DataPointer };
        RegisterLayout { arch: Arch::X86_64, registers: vec![sp] }
    }

    fn code(number: u32, address: u64, bytecode: Option<Vec<u8>>) -> Entry {
        let public =
            BreakpointLocation { address: RunAddr(address), function: None, file: None, fullname: None, line: None };
        Entry {
            number,
            what: Trigger::Code {
                location: Location::Function("f".into()),
                file: None,
                locations: vec![InsertionPoint { public, level: 0, bytecode }],
            },
            text: "f".into(),
            condition: None,
            thread: None,
            enabled: true,
            log: None,
            catch: None,
            temporary: false,
            ignore_count: 0,
            hits: 0,
            note: None,
            partly_resolved: false,
            hardware: false,
        }
    }

    #[test]
    fn the_stack_pointer_is_compared_in_rr() {
        let code = stack_condition(StackPointer::Is(0x7ffe_0000_1234), &layout()).unwrap();
        assert_eq!(code, [0x26, 0, 7, 0x25, 0, 0, 0x7f, 0xfe, 0, 0, 0x12, 0x34, 0x13, 0x27]);
    }

    #[test]
    fn registers_are_compared_in_rr() {
        let pc = Register { name: "rip".into(), number: 16, size: 8, offset: 8, kind: RegisterKind::CodePointer };
        let both = RegisterLayout { registers: [layout().registers, vec![pc]].concat(), ..layout() };
        let known: Vec<_> = (0..16).map(Some).collect();
        let code = |known: &[Option<u8>]| same_registers(&Registers::new(Arc::new(both.clone()), known));
        let sp = [0x26, 0, 7, 0x25, 7, 6, 5, 4, 3, 2, 1, 0, 0x13];
        let rest = [0x26, 0, 16, 0x25, 15, 14, 13, 12, 11, 10, 9, 8, 0x13, 0x0f];
        assert_eq!(code(&known).unwrap(), [&sp[..], &rest[..], &[0x27]].concat());
        assert_eq!(code(&known[..8]).unwrap(), [&sp[..], &[0x27]].concat());
        assert_eq!(code(&[]), None);
    }

    #[test]
    fn conditions_at_one_address_are_joined_and_no_condition_wins() {
        let mut table = Breakpoints::default();
        table.add(|n| code(n, 0x10, Some(vec![1])));
        table.add(|n| code(n, 0x10, Some(vec![2])));
        table.add(|n| code(n, 0x20, Some(vec![3])));
        table.add(|n| code(n, 0x20, None));
        let wanted = table.wanted(&[], &[], &|_| Some(BreakKind::Software), &layout());
        assert_eq!(wanted.len(), 2);
        assert_eq!(wanted[0].conditions, [vec![1], vec![2]]);
        assert_eq!(wanted[1].conditions, Vec::<Vec<u8>>::new());
    }

    #[test]
    fn what_is_disabled_is_not_set() {
        let mut table = Breakpoints::default();
        table.add(|n| code(n, 0x10, None));
        table.add(|n| code(n, 0x20, None));
        table.get_mut(1).unwrap().enabled = false;
        let set = |table: &Breakpoints| {
            let wanted = table.wanted(&[], &[], &|_| Some(BreakKind::Software), &layout());
            wanted.iter().map(|b| b.address.0).collect::<Vec<_>>()
        };
        assert_eq!(set(&table), [0x20]);
        assert_eq!((table.at(RunAddr(0x10)), table.addresses()), (vec![], vec![RunAddr(0x20)]));
        table.get_mut(1).unwrap().enabled = true;
        assert_eq!(set(&table), [0x10, 0x20]);
    }

    #[test]
    fn a_copy_of_the_table_shares_what_is_not_changed() {
        let mut table = Breakpoints::default();
        table.add(|n| code(n, 0x10, None));
        table.add(|n| code(n, 0x20, None));
        let copy = table.clone();
        table.get_mut(1).unwrap().hits = 7;
        assert_eq!((table.hits(), copy.hits()), (7, 0));
        assert!(Arc::ptr_eq(&table.list[1], &copy.list[1]));
    }

    #[test]
    fn numbers_are_not_used_again() {
        let mut table = Breakpoints::default();
        assert_eq!(table.add(|n| code(n, 1, None)), 1);
        assert_eq!(table.add(|n| code(n, 2, None)), 2);
        table.remove(2).unwrap();
        assert_eq!(table.add(|n| code(n, 3, None)), 3);
        assert_eq!(table.remove(2).unwrap_err().to_string(), "no breakpoint or watchpoint 2: there are 1, 3");
        assert_eq!(table.at(RunAddr(3)), [3]);
    }

    #[test]
    fn ignored_hits_are_counted() {
        let mut entry = code(1, 1, None);
        entry.ignore_count = 2;
        assert_eq!([entry.count_hit(), entry.count_hit(), entry.count_hit()], [false, false, true]);
        assert_eq!((entry.hits, entry.ignore_count), (3, 0));
    }
}
