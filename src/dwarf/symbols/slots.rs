//! Words of memory that the dynamic linker fills with addresses: the global offset table and its like.

use super::stubs::name_at;
use crate::elf::file::ElfFile;
use crate::model::variable::Elsewhere;
use arch::{Arch, LinkAddr};
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
pub(crate) struct Slots {
    /// Where each symbol's name is in `.dynstr`.
    symbols: HashMap<u64, u32>,
    own: HashMap<u64, u64>,
    /// Those through which variables are found, with where their names are.
    variables: Vec<(u32, Elsewhere)>,
    /// Where the names of thread-local variables are that are found through a descriptor, which only the dynamic linker's
    /// own code understands.
    descriptors: Vec<u32>,
    /// Those of what the image defines itself, by its address there: where their names are, and they.
    defined: HashMap<u64, Vec<(u32, LinkAddr)>>,
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
        // GLOB_DAT; TPOFF64 and TLS_TPREL; DTPMOD64 and TLS_DTPMOD; TLSDESC.
        let [address_of, from_thread, of_block, descriptor] = match file.arch {
            Arch::X86_64 => [6, 18, 16, 36],
            Arch::Aarch64 => [1025, 1030, 1028, 1031],
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
            let symbol_at = (symbol as usize).checked_mul(SYMBOL).filter(|at| *at > 0);
            let Some(name) = symbol_at.and_then(|at| word(symbols, at)).filter(|name| *name > 0) else { continue };
            if named.contains(&kind) {
                slots.symbols.insert(address, name);
            }
            let at = LinkAddr(address);
            let variable = match kind {
                _ if kind == address_of => Some(Elsewhere::Word(at)),
                _ if kind == from_thread => Some(Elsewhere::ThreadWord(at)),
                _ if kind == of_block => Some(Elsewhere::ThreadWords(at)),
                _ => None,
            };
            slots.variables.extend(variable.map(|variable| (name, variable)));
            slots.descriptors.extend(Some(name).filter(|_| kind == descriptor));
            let section = symbol_at.and_then(|at| word(symbols, at + 4)).map(|word| word >> 16);
            let value = symbol_at.and_then(|at| long(symbols, at + 8));
            if let Some(value) = value.filter(|_| kind == address_of && section.is_some_and(|section| section != 0)) {
                slots.defined.entry(value).or_default().push((name, at));
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

    /// Returns whether the image calls or reads something of this name that may be another image's, through a stub or
    /// without one.
    pub(super) fn imports(&self, file: &ElfFile, name: &str) -> bool {
        self.names().any(|at| name_at(file, at).is_some_and(|imported| imported == name))
    }

    /// Returns where the dynamic linker puts the place of a variable of this name.
    pub(super) fn variable(&self, file: &ElfFile, name: &str) -> Option<Elsewhere> {
        let is_it = |at: u32| name_at(file, at).is_some_and(|found| found == name);
        self.variables.iter().find(|(at, _)| is_it(*at)).map(|(_, variable)| *variable)
    }

    /// Returns whether a thread-local variable of this name is found through a descriptor.
    pub(super) fn has_descriptor(&self, file: &ElfFile, name: &str) -> bool {
        self.descriptors.iter().any(|at| name_at(file, *at).is_some_and(|found| found == name))
    }

    /// Returns where the dynamic linker puts the place of what the image itself defines at an address. `name`: what it
    /// is called, if that is known; else it must have one name only.
    pub(super) fn of_definition(&self, file: &ElfFile, a: LinkAddr, name: Option<&str>) -> Option<LinkAddr> {
        let all = self.defined.get(&a.0)?;
        let (first, _) = all.first()?;
        let is_it = |at: u32| match name {
            Some(name) => name_at(file, at).is_some_and(|found| found == name),
            None => all.iter().all(|(other, _)| other == first),
        };
        all.iter().find(|(at, _)| is_it(*at)).map(|(_, slot)| *slot)
    }

    /// Returns what is put there.
    pub(super) fn at(&self, file: &ElfFile, a: LinkAddr) -> Option<Slot> {
        match self.name(a.0) {
            Some(name) => name_at(file, name).map(|name| Slot::Symbol(name.into_owned())),
            None => self.own.get(&a.0).map(|own| Slot::Own(LinkAddr(*own))),
        }
    }
}
