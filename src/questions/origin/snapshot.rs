//! The state of a thread before one instruction, as far as a pass has written it down.

use crate::frame::{Frame, GENERAL, RSP, State, register_name};
use crate::hits::{Moment, registers};
use crate::program::Program;
use arch::RunAddr;
use ctype::Unavailable;
use dwarf::FrameContext;
use engine::model::hash_of_registers;
use softcounters::probes::{CollectedValue, Register, Value};

/// Bytes of the stack that are collected, from the stack pointer on.
const STACK: u16 = 256;

/// Bytes of a text.
const TEXT: u16 = 256;

/// The state of a thread before an instruction.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    /// The thread's number in passes, once one has met it.
    pub(super) thread: Option<u32>,
    pub(super) tid: u32,
    pub(super) pid: u32,
    pub(super) ticks: u64,
    pub(super) pc: u64,
    /// By DWARF number, as far as they are known.
    pub(super) registers: [Option<u64>; GENERAL as usize],
    /// The memory from the stack pointer on, if it was collected.
    pub(super) stack: Vec<u8>,
    /// Memory that was asked for besides.
    pub(super) texts: Vec<Vec<u8>>,
    /// Vector registers that were asked for besides, in the order of asking.
    pub(super) vectors: Vec<[u8; 16]>,
    /// The canonical frame address of its function, where a later moment has told it.
    pub(super) frame: Option<u64>,
    /// How many events are completed, if that is known.
    pub(super) event: Option<u64>,
    /// Which time in its tick it is that the thread comes by; with these registers, if all are known. `None`: that is
    /// not known.
    pub(super) visit: Option<u32>,
    /// Whether it was at exactly so many ticks, rather than at so many at most.
    pub(super) is_exact: bool,
    /// A later moment of the same tick, all of whose registers are known: of several times that the thread comes by here
    /// in the tick, the last one before that is meant.
    pub(super) anchor: Option<Box<Snapshot>>,
}

impl Snapshot {
    /// Returns what is collected where an instruction is executed.
    pub(super) fn values() -> Vec<Value> {
        let base = Register::named(register_name(RSP));
        let stack = base.map(|base| Value::Memory { base, steps: vec![0], length: STACK });
        registers().into_iter().chain(stack).collect()
    }

    /// Returns some text that a register has the address of, for [`Snapshot::texts`].
    pub(super) fn text_at(register: &str) -> Option<Value> {
        Some(Value::Memory { base: Register::named(register)?, steps: vec![0], length: TEXT })
    }

    /// Takes what was collected.
    pub(super) fn fill(&mut self, values: &[CollectedValue]) {
        let mut registers = self.registers.iter_mut();
        let mut is_stack = true;
        for value in values {
            match value {
                CollectedValue::Register(value) => {
                    if let Some(register) = registers.next() {
                        *register = Some(*value);
                    }
                }
                CollectedValue::Memory(bytes) if std::mem::replace(&mut is_stack, false) => {
                    self.stack.clone_from(bytes);
                }
                CollectedValue::Memory(bytes) => self.texts.push(bytes.clone()),
                CollectedValue::Vector(bytes) => self.vectors.push(*bytes),
            }
        }
    }

    /// Returns whether all registers are known.
    pub(super) fn is_whole(&self) -> bool {
        self.registers.iter().all(Option::is_some)
    }

    pub(super) fn register(&self, number: u16) -> Option<u64> {
        self.registers.get(usize::from(number)).copied().flatten()
    }

    /// Returns the value of a register by its name; the direction of string instructions is up, as the calling
    /// convention has it.
    pub(super) fn named(&self, name: &str, thread_base: Option<u64>) -> Option<u64> {
        match name {
            "eflags" => Some(0x202),
            "fs_base" => thread_base,
            _ => (0..GENERAL).find(|number| register_name(*number) == name).and_then(|number| self.register(number)),
        }
    }

    pub(super) fn sp(&self) -> Option<u64> {
        self.register(RSP)
    }

    /// Reads eight bytes of the stack, so far from the stack pointer.
    pub(super) fn stacked(&self, offset: u64) -> Option<u64> {
        let start = usize::try_from(offset).ok()?;
        let bytes = self.stack.get(start..start.checked_add(8)?)?;
        bytes.try_into().ok().map(u64::from_le_bytes)
    }

    /// Returns up to which event mappings count.
    pub(super) fn mapped(&self) -> u64 {
        self.event.map_or(u64::MAX, |event| event.saturating_add(1))
    }

    pub(super) fn moment(&self) -> Moment {
        let event = self.event.filter(|_| self.is_exact);
        Moment {
            event,
            latest: None,
            visit: self.visit,
            ticks: self.ticks,
            pid: self.pid,
            tid: self.tid,
            pc: Some(self.pc),
            registers: self.hash(),
        }
    }

    /// Returns the hash of the registers, if all are known.
    pub(super) fn hash(&self) -> Option<u64> {
        let known: Vec<u64> = self.registers.iter().map_while(|register| *register).collect();
        known.first_chunk().map(hash_of_registers)
    }

    /// Returns the canonical frame address of the function that it is in.
    pub(super) fn cfa(&self, program: &Program) -> Option<u64> {
        if self.frame.is_some() {
            return self.frame;
        }
        let (module, bias) = program.at(self.pid, self.mapped(), self.pc)?;
        let mut state = self.clone();
        Frame::new(&mut state, &module.image, RunAddr(self.pc).linked(bias)).cfa()
    }
}

impl State for Snapshot {
    fn instruction(&mut self) -> Option<u64> {
        Some(self.pc)
    }

    fn thread(&mut self) -> Option<u64> {
        None
    }

    fn register(&mut self, number: u16) -> Option<u64> {
        Snapshot::register(self, number)
    }

    fn vector(&mut self, _: u16) -> Option<[u8; 16]> {
        None
    }

    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
        let from = self.sp().and_then(|sp| address.checked_sub(sp)).and_then(|from| usize::try_from(from).ok());
        let found = from.and_then(|from| self.stack.get(from..from.checked_add(buffer.len())?));
        let found = found.ok_or(Unavailable::NotCollected)?;
        buffer.copy_from_slice(found);
        Ok(())
    }
}
