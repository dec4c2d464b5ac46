//! What debug info may ask about a moment that was collected, or is made up.

use super::program::{ARCH, Module};
use arch::{Bias, LinkAddr};
use ctype::Unavailable;
use dwarf::{DieId, FrameContext, Image, NoTls};
use std::cell::Cell;

/// Registers and memory of a moment.
pub(super) trait State {
    /// Returns the address of the instruction.
    fn instruction(&mut self) -> Option<u64>;

    /// Returns the base of the segment fs, from which thread-local variables are counted.
    fn thread(&mut self) -> Option<u64>;

    /// Returns the value of a general register by its DWARF number.
    fn register(&mut self, number: u16) -> Option<u64>;

    /// Returns the low half of a vector register by its DWARF number.
    fn vector(&mut self, number: u16) -> Option<[u8; 16]>;

    /// Fills the buffer, or says why not.
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable>;
}

/// The DWARF number of the first vector register (System V ABI for AMD64, figure 3.36); fifteen others follow.
pub(super) const XMM0: u16 = 17;
/// General registers with DWARF numbers below this.
pub(super) const GENERAL: u16 = 16;
/// Numbers behind those of the general registers: for the address of the instruction,
pub(super) const INSTRUCTION: u16 = 16;
/// and for the base of the segment fs.
pub(super) const THREAD: u16 = 17;
/// How many numbers there are of what is in registers and can be counted from.
pub(super) const BASES: u16 = 18;
/// The DWARF number of the stack pointer.
pub(super) const RSP: u16 = 7;
/// That of the register that points to the frame in functions that have such a pointer.
pub(super) const RBP: u16 = 6;

/// The innermost frame of a moment.
pub(super) struct Frame<'a> {
    pub(super) state: &'a mut dyn State,
    pub(super) image: &'a Image,
    pub(super) pc: LinkAddr,
    in_cfa: bool,
    /// The canonical frame address, if it is not to be computed.
    pub(super) known_cfa: Option<u64>,
    /// Places are asked for, not values.
    pub(super) for_places: bool,
    /// What only the callers know was asked for.
    pub(super) asked_callers: bool,
    /// How far the module is from where its file has it.
    bias: Option<Bias>,
    asked_bias: Cell<bool>,
    /// The image is that of the program, whose thread-local variables are at a place known from the beginning.
    is_program: bool,
}

impl<'a> Frame<'a> {
    pub(super) fn new(state: &'a mut dyn State, image: &'a Image, pc: LinkAddr) -> Self {
        Self {
            state,
            image,
            pc,
            in_cfa: false,
            known_cfa: None,
            for_places: false,
            asked_callers: false,
            bias: Some(Bias(0)),
            asked_bias: Cell::new(false),
            is_program: false,
        }
    }

    /// Returns the frame of a module in which variables are at fixed places, too.
    pub(super) fn in_module(state: &'a mut dyn State, module: &'a Module, pc: LinkAddr, bias: Option<Bias>) -> Self {
        let bias = bias.or_else(|| Some(Bias(state.instruction()?.wrapping_sub(pc.0))));
        Self { bias, is_program: module.is_program(), ..Self::new(state, &module.image, pc) }
    }

    /// Returns whether something was asked for that is where the module is, and that is not known.
    pub(super) fn lacks_bias(&self) -> bool {
        self.bias.is_none() && self.asked_bias.get()
    }
}

impl FrameContext for Frame<'_> {
    fn asks_for_places(&self) -> bool {
        self.for_places
    }

    fn register(&mut self, number: u16) -> Option<u64> {
        self.state.register(number)
    }

    fn register_bytes(&mut self, number: u16) -> Option<Vec<u8>> {
        match number {
            XMM0.. => self.state.vector(number).map(Vec::from),
            _ => self.state.register(number).map(|value| value.to_le_bytes().to_vec()),
        }
    }

    fn read(&mut self, address: u64, buffer: &mut [u8]) -> bool {
        self.state.read(address, buffer).is_ok()
    }

    fn cfa(&mut self) -> Option<u64> {
        if self.known_cfa.is_some() || self.in_cfa {
            return self.known_cfa;
        }
        self.in_cfa = true;
        let found = self.image.cfa(self.pc, self).ok().flatten();
        self.in_cfa = false;
        found
    }

    /// Finds the program's own: it lies right below what the segment fs begins with (System V ABI for AMD64, variant II
    /// of the ELF handling of thread-local storage). Where a library's is, only the dynamic linker knows.
    fn tls(&mut self, offset: u64) -> Result<u64, NoTls> {
        let (size, alignment) = self.image.tls_segment().filter(|_| self.is_program).ok_or(NoTls::Unknown)?;
        let block = size.checked_next_multiple_of(alignment.max(1)).ok_or(NoTls::Unknown)?;
        let thread = self.state.thread().ok_or(NoTls::Unknown)?;
        Ok(thread.wrapping_sub(block).wrapping_add(offset))
    }

    fn thread_pointer(&mut self) -> Option<u64> {
        self.state.thread()
    }

    fn entry_value(&mut self, _register: u16) -> Option<u64> {
        self.asked_callers = true;
        None
    }

    fn entry_parameter(&mut self, _parameter: DieId) -> Option<u64> {
        self.asked_callers = true;
        None
    }

    fn pc(&self) -> LinkAddr {
        self.pc
    }

    fn bias(&self) -> Bias {
        self.asked_bias.set(true);
        self.bias.unwrap_or(Bias(0))
    }
}

/// Returns the name of a register by its DWARF number.
pub(super) fn register_name(number: u16) -> &'static str {
    ARCH.dwarf_register(number).unwrap_or("?")
}

/// Returns the name, in a list of probes, of what is counted from by this number.
pub(super) fn base_name(number: u16) -> &'static str {
    match number {
        INSTRUCTION => "rip",
        THREAD => "fs",
        general => register_name(general),
    }
}

/// Returns the DWARF number of a register that can be collected.
pub(super) fn register_number(name: &str) -> Option<u16> {
    (0..GENERAL).chain(XMM0..XMM0 + 16).find(|number| ARCH.dwarf_register(*number) == Some(name))
}
