//! Runs over children that share the memory of the debuggee while it waits for them, as after `vfork`.
//!
//! A breakpoint is in the memory, so such a child meets it, too. Forward, rr does not tell of that, as the child is not
//! debugged, and does not step off it either: it would meet it again without end. But rr steps over a breakpoint whose
//! condition is false, whoever meets it. So while a child is there, each breakpoint in code gets the condition that it
//! is met with another thread pointer than the child's. The thread that has made the child has the same one, and does
//! not execute anything meanwhile.
//!
//! The system call that makes a child, and the instruction behind it, get breakpoints of their own that nobody is told
//! of, for the conditions to be there as long as the child and no longer. The second one has a condition that is true
//! in the parent alone: what the call has returned. Backward, rr steps over what others meet by itself.

use arch::{RegisterLayout, RunAddr, ThreadId};
use rr::SharedMemory;
use rsp::{Break, BreakKind};
use std::collections::BTreeSet;

/// Length of the instruction of a system call.
const CALL: u64 = 2;
/// Length of a jump in bytecode.
const JUMP: usize = 3;
/// Most children at once whose thread pointers are compared: what is compiled has to remain within reach of a jump.
const MOST: usize = 64;

/// Agent-expression opcodes (GDB manual, "Bytecode Descriptions").
mod op {
    pub(super) const LOG_NOT: u8 = 0x0e;
    pub(super) const BIT_AND: u8 = 0x0f;
    pub(super) const EQUAL: u8 = 0x13;
    pub(super) const EXT: u8 = 0x16;
    pub(super) const IF_GOTO: u8 = 0x20;
    pub(super) const GOTO: u8 = 0x21;
    pub(super) const CONST8: u8 = 0x22;
    pub(super) const CONST16: u8 = 0x23;
    pub(super) const CONST32: u8 = 0x24;
    pub(super) const CONST64: u8 = 0x25;
    pub(super) const REG: u8 = 0x26;
    pub(super) const END: u8 = 0x27;
    pub(super) const ZERO_EXT: u8 = 0x2a;
    pub(super) const PICK: u8 = 0x32;
}

/// The numbers of the registers that are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compared {
    thread_pointer: u16,
    result: u16,
}

impl Compared {
    /// Finds them; `None` if the server does not have them.
    pub(crate) fn of(layout: &RegisterLayout) -> Option<Self> {
        let number = |name: &str| u16::try_from(layout.find(name)?.number).ok();
        Some(Self { thread_pointer: number("fs_base")?, result: number("rax")? })
    }
}

/// The children that are there at a moment, or are about to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Present {
    /// Their thread pointers.
    thread_pointers: BTreeSet<u64>,
    /// The instructions at which their parents go on, and what they find there in the register for results.
    returns: BTreeSet<(u64, i64)>,
    /// The thread that moves next makes one with its next instruction.
    pub(crate) is_made_next: bool,
    /// Which children these are.
    pub(crate) children: BTreeSet<u32>,
}

impl Present {
    /// Finds those that are there when so many events are completed and the thread that has stopped is at this
    /// instruction.
    pub(crate) fn at(shares: &[SharedMemory], event: u64, thread: ThreadId, pc: Option<RunAddr>) -> Self {
        let mut found = Self::default();
        for share in shares.iter().filter(|share| share.from <= event && event < share.to) {
            found.add(share);
        }
        let next = shares.iter().find(|share| share.parent == thread.tid && share.from > event);
        if let Some(next) = next.filter(|next| pc.is_some_and(|pc| pc.0.wrapping_add(CALL) == next.resumes_at)) {
            found.add(next);
            found.is_made_next = true;
        }
        found
    }

    fn add(&mut self, share: &SharedMemory) {
        self.thread_pointers.insert(share.thread_pointer);
        self.returns.insert((share.resumes_at, share.result));
        self.children.insert(share.child);
    }

    /// Returns what is to be set for these breakpoints to be met by the debuggee alone, and the addresses among it that
    /// are nobody's. `is_mapped`: whether something can be set at an address.
    pub(crate) fn guard(
        &self,
        wanted: &[Break],
        shares: &[SharedMemory],
        event: u64,
        compared: Compared,
        is_mapped: &mut dyn FnMut(RunAddr) -> bool,
    ) -> (Vec<Break>, BTreeSet<RunAddr>) {
        let mut all: Vec<Break> = wanted.iter().map(|entry| self.guarded(entry, compared)).collect();
        let calls = shares.iter().filter(|share| share.to > event).map(|share| share.resumes_at.wrapping_sub(CALL));
        let calls: BTreeSet<u64> = calls.collect();
        let mut own = BTreeSet::new();
        for address in calls {
            let entry =
                Break { kind: BreakKind::Software, address: RunAddr(address), length: 1, conditions: Vec::new() };
            add(&mut all, &mut own, self.guarded(&entry, compared), is_mapped);
        }
        for (address, result) in &self.returns {
            let mut condition = is_equal(compared.result, *result as u64);
            condition.push(op::END);
            let conditions = vec![condition];
            let entry = Break { kind: BreakKind::Software, address: RunAddr(*address), length: 1, conditions };
            add(&mut all, &mut own, entry, is_mapped);
        }
        (all, own)
    }

    /// Adds to a breakpoint in code that no child meets it.
    fn guarded(&self, entry: &Break, compared: Compared) -> Break {
        if !matches!(entry.kind, BreakKind::Software | BreakKind::Hardware) || self.thread_pointers.is_empty() {
            return entry.clone();
        }
        let conditions = match entry.conditions.as_slice() {
            [] => vec![self.unless_child(&[op::CONST8, 1, op::END], compared)],
            many => many.iter().map(|condition| self.unless_child(condition, compared)).collect(),
        };
        Break { conditions, ..entry.clone() }
    }

    /// Compiles that a condition holds and no child is asked.
    fn unless_child(&self, condition: &[u8], compared: Compared) -> Vec<u8> {
        let mut code = vec![op::CONST8, 1];
        for pointer in self.thread_pointers.iter().take(MOST) {
            code.extend(is_equal(compared.thread_pointer, *pointer));
            code.extend([op::LOG_NOT, op::BIT_AND]);
        }
        let no = [op::CONST8, 0, op::END];
        let begin = (code.len() + JUMP + no.len()) as u16;
        code.push(op::IF_GOTO);
        code.extend(begin.to_be_bytes());
        code.extend(no);
        code.extend(moved(condition, begin));
        code
    }
}

/// Adds a breakpoint that nobody has asked for, where nobody has one.
fn add(all: &mut Vec<Break>, own: &mut BTreeSet<RunAddr>, entry: Break, is_mapped: &mut dyn FnMut(RunAddr) -> bool) {
    let is_code = |kind| matches!(kind, BreakKind::Software | BreakKind::Hardware);
    match all.iter_mut().find(|other| other.address == entry.address && is_code(other.kind)) {
        Some(other) if own.contains(&other.address) && !other.conditions.is_empty() => {
            other.conditions.extend(entry.conditions);
        }
        Some(_) => {}
        None if is_mapped(entry.address) => {
            own.insert(entry.address);
            all.push(entry);
        }
        None => {}
    }
}

/// Compiles that a register has a value, as far as the comparison.
fn is_equal(register: u16, value: u64) -> Vec<u8> {
    let mut code = vec![op::REG];
    code.extend(register.to_be_bytes());
    code.push(op::CONST64);
    code.extend(value.to_be_bytes());
    code.push(op::EQUAL);
    code
}

/// Returns code that stands so many bytes farther back, so that its jumps lead there.
fn moved(code: &[u8], by: u16) -> Vec<u8> {
    let mut code = code.to_vec();
    let mut at = 0;
    while let Some(opcode) = code.get(at).copied() {
        if matches!(opcode, op::IF_GOTO | op::GOTO)
            && let Some(Ok(operand)) = code.get_mut(at + 1..at + 3).map(<&mut [u8; 2]>::try_from)
        {
            *operand = u16::from_be_bytes(*operand).wrapping_add(by).to_be_bytes();
        }
        at += match opcode {
            op::EXT | op::ZERO_EXT | op::PICK | op::CONST8 => 2,
            op::CONST16 | op::REG | op::IF_GOTO | op::GOTO => 3,
            op::CONST32 => 5,
            op::CONST64 => 9,
            _ => 1,
        };
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use expr::{Machine, run};

    const COMPARED: Compared = Compared { thread_pointer: 58, result: 0 };
    const CHILD: SharedMemory = SharedMemory {
        child: 20,
        parent: 11,
        from: 100,
        to: 105,
        resumes_at: 0x1002,
        result: 20,
        thread_pointer: 0x7000,
    };
    const PARENT: ThreadId = ThreadId { pid: 10, tid: 11 };

    struct Registers([u64; 2]);

    impl Machine for Registers {
        fn register(&self, number: u16) -> Option<u64> {
            match number {
                0 => Some(self.0[0]),
                58 => Some(self.0[1]),
                _ => None,
            }
        }

        fn memory(&self, _: u64, _: usize) -> Option<u64> {
            None
        }
    }

    fn stops(entry: &Break, result: u64, thread_pointer: u64) -> bool {
        let machine = Registers([result, thread_pointer]);
        entry.conditions.is_empty()
            || entry.conditions.iter().any(|code| run(code, &machine, &mut Vec::new()) != Some(0))
    }

    fn breakpoint(address: u64, conditions: Vec<Vec<u8>>) -> Break {
        Break { kind: BreakKind::Software, address: RunAddr(address), length: 1, conditions }
    }

    #[test]
    fn a_child_is_there_from_its_call_to_its_program() {
        let at = |event, thread, pc| {
            let found = Present::at(&[CHILD], event, thread, Some(RunAddr(pc)));
            (found.children.len(), found.is_made_next)
        };
        let other = ThreadId { pid: 10, tid: 12 };
        assert_eq!(at(99, PARENT, 0x1001), (0, false));
        assert_eq!(at(99, PARENT, 0x1000), (1, true));
        assert_eq!(at(99, other, 0x1000), (0, false));
        assert_eq!(at(100, other, 0x1000), (1, false));
        assert_eq!(at(104, other, 0), (1, false));
        assert_eq!(at(105, PARENT, 0x1000), (0, false));
    }

    #[test]
    fn what_is_set_stops_everybody_but_the_child() {
        // `rax == 5`, by way of a jump.
        let five = vec![0x26, 0, 0, 0x22, 5, 0x13, 0x20, 0, 12, 0x22, 0, 0x27, 0x22, 1, 0x27];
        let wanted = [breakpoint(0x2000, Vec::new()), breakpoint(0x3000, vec![five])];
        let present = Present::at(&[CHILD], 101, PARENT, None);
        let (all, own) = present.guard(&wanted, &[CHILD], 101, COMPARED, &mut |_| true);
        let at = |address| all.iter().find(|entry| entry.address == RunAddr(address)).unwrap();
        assert_eq!([stops(at(0x2000), 1, 0x7000), stops(at(0x2000), 1, 0x7001)], [false, true]);
        let conditional = [(5, 0x7000), (5, 0x7001), (6, 0x7001)];
        assert_eq!(conditional.map(|(result, pointer)| stops(at(0x3000), result, pointer)), [false, true, false]);
        // The instruction that makes a child is looked at in the others; the one behind it in the parent alone.
        assert_eq!([stops(at(0x1000), 1, 0x7000), stops(at(0x1000), 1, 0x7001)], [false, true]);
        assert_eq!([stops(at(0x1002), 0, 0x7000), stops(at(0x1002), 20, 0x7000)], [false, true]);
        assert_eq!(own, BTreeSet::from([RunAddr(0x1000), RunAddr(0x1002)]));
    }

    #[test]
    fn without_a_child_nothing_has_another_condition() {
        let wanted = [breakpoint(0x2000, Vec::new())];
        let present = Present::at(&[CHILD], 50, PARENT, None);
        let (all, own) = present.guard(&wanted, &[CHILD], 50, COMPARED, &mut |_| true);
        assert_eq!(all, [breakpoint(0x2000, Vec::new()), breakpoint(0x1000, Vec::new())]);
        assert_eq!(own, BTreeSet::from([RunAddr(0x1000)]));
        let unmapped = present.guard(&wanted, &[CHILD], 50, COMPARED, &mut |_| false);
        assert_eq!(unmapped, (wanted.to_vec(), BTreeSet::new()));
        let over = Present::at(&[CHILD], 105, PARENT, None).guard(&wanted, &[CHILD], 105, COMPARED, &mut |_| true);
        assert_eq!(over, (wanted.to_vec(), BTreeSet::new()));
    }
}
