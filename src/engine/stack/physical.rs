//! Physical frames: those that have a place on the stack.

use crate::modules::loaded::{Module, Modules};
use arch::{Arch, FrameAddress, Registers, Untouched};
use dwarf::{DieId, Image, InlineFrame};
use program::module::{Role, is_replaced};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The registers of a frame.
#[derive(Clone, Debug)]
pub(crate) struct FrameRegisters {
    pub(crate) arch: Arch,
    /// All registers of the thread: frame 0 only.
    pub(crate) live: Option<Arc<Registers>>,
    /// By DWARF number: what unwinding has recovered.
    pub(crate) saved: BTreeMap<u16, u64>,
}

impl FrameRegisters {
    pub(crate) fn live(registers: Arc<Registers>) -> Self {
        Self { arch: registers.layout().arch, live: Some(registers), saved: BTreeMap::new() }
    }

    /// Returns whether these are the registers of the thread itself, not ones that unwinding has found.
    pub(crate) fn is_live(&self) -> bool {
        self.live.is_some()
    }

    /// Returns the value of a register by DWARF number; `None` if it was not preserved.
    pub(crate) fn value(&self, number: u16) -> Option<u64> {
        match &self.live {
            Some(live) => live.dwarf(number),
            None => self.saved.get(&number).copied(),
        }
    }

    /// Returns whether a register is known, by DWARF number.
    pub(crate) fn has(&self, number: u16) -> bool {
        match &self.live {
            Some(_) => true,
            None => self.saved.contains_key(&number),
        }
    }

    /// Returns a register's bytes at its full width.
    pub(crate) fn bytes(&self, number: u16) -> Option<Vec<u8>> {
        match &self.live {
            Some(live) => live.bytes(self.arch.dwarf_register(number)?).map(<[u8]>::to_vec),
            None => self.saved.get(&number).map(|v| v.to_le_bytes().to_vec()),
        }
    }

    /// Returns the bytes of a register by the target's name.
    pub(crate) fn named(&self, name: &str) -> Option<Vec<u8>> {
        match &self.live {
            Some(live) => live.bytes(name).map(<[u8]>::to_vec),
            None => (0..128).find(|n| self.arch.dwarf_register(*n) == Some(name)).and_then(|n| self.bytes(n)),
        }
    }

    pub(crate) fn sp(&self) -> Option<u64> {
        self.value(self.arch.dwarf_sp())
    }

    /// Returns those of the registers alone that are the same in all frames of a thread.
    pub(crate) fn of_thread(&self) -> Self {
        let numbers = thread_registers(self.arch).iter();
        let saved = numbers.filter_map(|number| Some((*number, self.value(*number)?))).collect();
        Self { arch: self.arch, live: None, saved }
    }
}

/// A frame that has a place on the stack of its own, or had one until it left by a tail call.
#[derive(Clone, Debug)]
pub(crate) struct Physical {
    pub(crate) address: FrameAddress,
    pub(crate) registers: FrameRegisters,
    pub(crate) module: Option<Arc<Module>>,
    /// Canonical frame address; `None` until the frame has been unwound, or where nothing is known of it.
    pub(crate) cfa: Option<u64>,
    /// The frame is a signal trampoline.
    pub(crate) signal: bool,
    /// It was found without unwind information.
    pub(crate) guessed: bool,
    /// It has left by a tail call, and has no place on the stack any more: the next frame is what called it, and the
    /// one before is what it has gone on into.
    pub(crate) tail_call: bool,
    /// Innermost first, the function itself last; empty where nothing is known.
    pub(crate) chain: Arc<[InlineFrame]>,
    /// Registers of the caller that this frame has not written to, once that has been asked.
    pub(crate) untouched: OnceLock<Untouched>,
}

impl Physical {
    pub(crate) fn new(address: FrameAddress, registers: FrameRegisters, modules: &Modules, guessed: bool) -> Self {
        let lookup = address.for_lookup();
        let module = modules.at(lookup).cloned();
        let chain = module.as_ref().map(|m| m.image.inline_chain(m.link(lookup))).unwrap_or_default().into();
        Self::of(address, registers, module, chain, guessed)
    }

    /// Creates another frame in the same code: what is known of it is known already.
    pub(crate) fn again(&self, registers: FrameRegisters, guessed: bool) -> Self {
        Self::of(self.address, registers, self.module.clone(), self.chain.clone(), guessed)
    }

    pub(crate) fn of(
        address: FrameAddress,
        registers: FrameRegisters,
        module: Option<Arc<Module>>,
        chain: Arc<[InlineFrame]>,
        guessed: bool,
    ) -> Self {
        Self {
            address,
            registers,
            module,
            cfa: None,
            signal: false,
            guessed,
            tail_call: false,
            chain,
            untouched: OnceLock::new(),
        }
    }

    /// Returns how many levels of a backtrace this frame is.
    pub(crate) fn levels(&self) -> usize {
        self.chain.len().max(1)
    }

    /// Returns the bytes of a register of this frame by the target's name; `None` if it was not preserved.
    pub(crate) fn register(&self, name: &str) -> Option<Vec<u8>> {
        if name == self.registers.arch.pc_name() {
            return Some(self.address.address().0.to_le_bytes().to_vec());
        }
        self.registers.named(name)
    }

    /// Returns how many of the inlined functions begin right here, the innermost ones: their calls are about to be
    /// made.
    pub(crate) fn beginning(&self) -> usize {
        match self.address {
            FrameAddress::Pc(_) => self.chain.iter().take_while(|f| f.begins).count(),
            _ => 0,
        }
    }

    pub(crate) fn is_main(&self) -> bool {
        let role = self.module.as_ref().map(|m| m.role);
        role == Some(Role::Program) && self.chain.last().is_some_and(|f| f.is_main)
    }

    /// Returns whether it is code of rr's that nobody has called: all but its own versions of functions of the C
    /// library.
    pub(crate) fn is_rr(&self) -> bool {
        let is_called = || self.chain.last().is_some_and(|f| is_replaced(&f.name));
        self.module.as_ref().is_some_and(|m| m.role == Role::Rr) && !is_called()
    }
}

/// A function, real or inlined, that frames are of.
#[derive(Clone)]
pub(crate) struct FrameFunction {
    image: Arc<Image>,
    die: DieId,
    /// For people.
    pub(crate) name: String,
}

impl fmt::Debug for FrameFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)
    }
}

impl Physical {
    /// Returns the function of one level of this frame; `None` if there is no debug info for it.
    pub(crate) fn function(&self, inline: usize) -> Option<FrameFunction> {
        let level = self.chain.get(inline)?;
        Some(FrameFunction { image: self.module.as_ref()?.image.clone(), die: level.die?, name: level.name.clone() })
    }

    /// Returns the index of the level of this frame that is of a function.
    pub(crate) fn level_of(&self, function: &FrameFunction) -> Option<usize> {
        self.module.as_ref().filter(|m| Arc::ptr_eq(&m.image, &function.image))?;
        self.chain.iter().position(|f| f.die == Some(function.die))
    }
}

/// Where a stack ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At the outermost frame.
    Outermost,
    /// Where the next frame could not be found, for this reason.
    Lost(String),
}

/// One level of a backtrace: a physical frame, or a function inlined into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// Index into the physical frames of the stack.
    pub(crate) physical: usize,
    /// Index into its chain.
    pub(crate) inline: usize,
}

/// Returns the DWARF numbers of the registers that are the same in all frames of a thread.
pub(crate) fn thread_registers(arch: Arch) -> &'static [u16] {
    match arch {
        Arch::X86_64 => &[58, 59],
        Arch::Aarch64 => &[],
    }
}
