//! Words of memory that the dynamic linker fills with addresses: the global offset table and its like.

use super::stubs::name_at;
use crate::arch::{Arch, LinkAddr};
use crate::dwarf::elf::file::ElfFile;
use std::collections::HashMap;

/// What the dynamic linker puts into a word of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// An address in the same image, as its file has it.
    Own(LinkAddr),
    /// The address of the symbol of this name, wherever that is found.
    Symbol(String),
}

/// The words of an image, by address.
#[derive(Debug, Default)]
pub(in crate::dwarf) struct Slots {
    /// Where each symbol's name is in `.dynstr`.
    symbols: HashMap<u64, u32>,
    own: HashMap<u64, u64>,
}

impl Slots {
    /// Reads the relocations that fill single words (ELF, section "Relocation"; AMD64 supplement, table 4.9).
    pub(super) fn of(file: &ElfFile) -> Self {
        /// Sizes of `Elf64_Rela` and `Elf64_Sym`.
        const RELOCATION: usize = 24;
        const SYMBOL: usize = 24;
        // GLOB_DAT and JUMP_SLOT; RELATIVE.
        let (named, relative) = match file.arch {
            Arch::X86_64 => ([6, 7], 8),
            Arch::Aarch64 => ([1025, 1026], 1027),
        };
        let bytes = |name| file.section(name).and_then(|section| file.raw_section(section)).unwrap_or_default();
        let symbols = bytes(".dynsym");
        let word = |bytes: &[u8], at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        let long = |bytes: &[u8], at: usize| Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        let mut slots = Self::default();
        for relocation in [".rela.plt", ".rela.dyn"].into_iter().flat_map(|name| bytes(name).chunks_exact(RELOCATION)) {
            let (address, kind, symbol) = (long(relocation, 0), word(relocation, 8), word(relocation, 12));
            let (Some(address), Some(kind), Some(symbol)) = (address, kind, symbol) else { continue };
            if let Some(addend) = long(relocation, 16).filter(|_| kind == relative) {
                slots.own.insert(address, addend);
            }
            let at = (symbol as usize).checked_mul(SYMBOL).filter(|at| *at > 0 && named.contains(&kind));
            if let Some(name) = at.and_then(|at| word(symbols, at)).filter(|name| *name > 0) {
                slots.symbols.insert(address, name);
            }
        }
        slots
    }

    /// Returns where in `.dynstr` the name of the symbol is whose address is put there.
    pub(super) fn name(&self, address: u64) -> Option<u32> {
        self.symbols.get(&address).copied()
    }

    /// Iterates over where the names of all symbols are.
    pub(super) fn names(&self) -> impl Iterator<Item = u32> + '_ {
        self.symbols.values().copied()
    }

    /// Returns what is put there.
    pub(super) fn at(&self, file: &ElfFile, a: LinkAddr) -> Option<Slot> {
        match self.name(a.0) {
            Some(name) => name_at(file, name).map(|name| Slot::Symbol(name.into_owned())),
            None => self.own.get(&a.0).map(|own| Slot::Own(LinkAddr(*own))),
        }
    }
}
