//! Symbol tables: `.symtab` and `.dynsym` (System V gABI, "Symbol Table").

use super::demangle::demangle;
use super::die_input::mix;
use super::image::Image;
use super::name_query::NameQuery;
use super::names::bare;
use super::object::ElfFile;
use super::work::{Measure, Workplace};
use super::{Function, Symbol};
use crate::arch::LinkAddr;
use object::read::elf::{FileHeader, SectionHeader, Sym};
use object::{LittleEndian, elf};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Symbols that begin before an address and end before it, too, are passed over at most this often.
const MAX_PASSED: usize = 64;

/// What reading symbols is called, and after how many it is looked whether the rest is wanted.
const READING: &str = "reading symbols of";
const AT_ONCE: usize = 1024;

/// The symbols of an image that have an address, by rising address; of those at one address, the best name first.
pub(super) struct SymbolTable {
    symbols: Vec<Entry>,
    /// Readable names without parameters, and last components, to indexes into `symbols`.
    by_readable: OnceLock<HashMap<Box<str>, Vec<u32>>>,
    /// Hash of a name in the upper half, index into `symbols` in the lower; sorted.
    by_name: OnceLock<Vec<u64>>,
}

struct Entry {
    address: u64,
    size: u64,
    /// Without a version: `memcpy` for `memcpy@@GLIBC_2.14`.
    name: Box<str>,
    rank: Rank,
    is_code: bool,
    /// STT_NOTYPE in an executable section: a label of assembler code.
    is_label: bool,
    /// End of the section it is in.
    section_end: u64,
}

/// How good a symbol is as a name for its address; less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// Functions before labels, those before data.
    kind: u8,
    /// Names of one file after those that others can use.
    local: bool,
    /// Names reserved for the implementation after others.
    reserved: bool,
}

impl SymbolTable {
    /// Reads both tables: `.symtab` of the first file that has one, `.dynsym` of all.
    pub(super) fn read(files: &[&Arc<ElfFile>], work: &Workplace) -> Self {
        let mut symbols = Vec::new();
        if let Some(file) = files.iter().find(|f| f.section(".symtab").is_some()) {
            read_table(file, elf::SHT_SYMTAB, &mut symbols, work);
        }
        for file in files {
            read_table(file, elf::SHT_DYNSYM, &mut symbols, work);
        }
        // Which of several good names it is, is a matter of habit: GDB's is the last one of the alphabet.
        symbols.sort_by(|a, b| (a.address, a.rank, &b.name).cmp(&(b.address, b.rank, &a.name)));
        symbols.dedup_by(|later, first| later.address == first.address && later.name == first.name);
        Self { symbols, by_readable: OnceLock::new(), by_name: OnceLock::new() }
    }

    /// The symbol that an address belongs to.
    fn at(&self, address: u64) -> Option<&Entry> {
        let after = self.symbols.partition_point(|s| s.address <= address);
        let before = self.symbols.get(..after)?.iter().rev().take(MAX_PASSED);
        let covers = |s: &&Entry| {
            let into = address - s.address;
            if s.size == 0 { address < s.section_end || into == 0 } else { into < s.size }
        };
        let nearest = before.into_iter().find(covers)?;
        // The best of those that begin at the same place.
        let first = self.symbols.partition_point(|s| s.address < nearest.address);
        self.symbols.get(first..after)?.iter().find(covers)
    }

    /// Those with just this name.
    fn with_name(&self, name: &str) -> Vec<&Entry> {
        let order = self.by_name.get_or_init(|| {
            let names = self.symbols.iter().enumerate();
            let mut order: Vec<u64> = names.map(|(i, s)| u64::from(hash_of(&s.name)) << 32 | i as u64).collect();
            order.sort_unstable();
            order
        });
        let wanted = hash_of(name);
        let start = order.partition_point(|known| (known >> 32) < u64::from(wanted));
        let same = order.get(start..).unwrap_or_default().iter().take_while(|known| *known >> 32 == u64::from(wanted));
        let symbols = same.filter_map(|known| self.symbols.get((known & 0xffff_ffff) as usize));
        symbols.filter(|s| *s.name == *name).collect()
    }

    /// The code with a `wanted` readable name, each address once.
    pub(super) fn code_called(&self, wanted: &mut dyn FnMut(&str) -> bool, work: &Workplace) -> Vec<Symbol> {
        let code = self.watched(work).filter(|s| s.is_code && s.address != 0 && !is_cold(&s.name));
        let mut found: Vec<Symbol> = code.map(symbol_of).filter(|symbol| wanted(&symbol.display)).collect();
        found.dedup_by_key(|symbol| symbol.address);
        found
    }

    /// Addresses of member functions of a class with this name, or of functions in a namespace that has it, by rising
    /// address (Itanium C++ ABI 5.1.5): those whose names have its components letter by letter.
    pub(super) fn functions_inside(&self, components: &[&str]) -> Vec<LinkAddr> {
        let scope: String = components.iter().map(|component| format!("{}{component}", component.len())).collect();
        let inside = |s: &&Entry| {
            let nested = s.name.strip_prefix("_ZN").map(|rest| rest.trim_start_matches(['r', 'V', 'K', 'R', 'O']));
            // Behind the name of a template come its arguments.
            nested.and_then(|rest| rest.strip_prefix(&*scope)).is_some_and(|rest| !rest.starts_with(['I', 'E']))
        };
        let code = self.symbols.iter().filter(|s| s.is_code && s.address != 0);
        let mut found: Vec<_> = code.filter(inside).map(|s| LinkAddr(s.address)).collect();
        found.dedup();
        found
    }

    /// All of them; gives up if they are not wanted any more.
    fn watched(&self, work: &Workplace) -> impl Iterator<Item = &Entry> {
        let task = work.begin(READING, Measure::Symbols, self.symbols.len() as u64);
        let look = move |(number, _): &(usize, &Entry)| {
            if number % AT_ONCE == AT_ONCE - 1 {
                task.did(AT_ONCE);
            }
        };
        self.symbols.iter().enumerate().inspect(look).map(|(_, entry)| entry)
    }

    fn by_readable(&self, work: &Workplace) -> &HashMap<Box<str>, Vec<u32>> {
        self.by_readable.get_or_init(|| {
            let mut table: HashMap<Box<str>, Vec<u32>> = HashMap::new();
            for (i, symbol) in self.watched(work).enumerate() {
                if !is_cold(&symbol.name)
                    && let Some(readable) = demangle(&symbol.name)
                {
                    table.entry(last_of(&readable).into()).or_default().push(i as u32);
                }
            }
            table
        })
    }

    fn named(&self, name: &str, work: &Workplace) -> Vec<&Entry> {
        let get = |i: &u32| self.symbols.get(*i as usize);
        let mut found: Vec<&Entry> = self.with_name(name);
        if found.is_empty() {
            let query = NameQuery::parse(name);
            let last = bare(query.last());
            let means = |s: &&Entry| {
                demangle(&s.name).is_some_and(|shown| last_of(&shown) == last && query.matches_shown(&shown))
            };
            if is_spelled_out(last) {
                // Itanium C++ ABI 5.1.3 (`<source-name>`), and Rust's v0 mangling (`<undisambiguated-identifier>`).
                let spellings = [format!("{}{last}", last.len()), format!("{}_{last}", last.len())];
                let finders = spellings.each_ref().map(memchr::memmem::Finder::new);
                let has = |s: &&Entry| finders.iter().any(|f| f.find(s.name.as_bytes()).is_some()) && !is_cold(&s.name);
                found.extend(self.watched(work).filter(has).filter(means));
            } else {
                let candidates = self.by_readable(work).get(last).into_iter().flatten().filter_map(get);
                found.extend(candidates.filter(means));
            }
        }
        found
    }
}

/// Of a name, eight letters at a time: mangled names are long.
fn hash_of(name: &str) -> u32 {
    let (words, rest) = name.as_bytes().as_chunks::<8>();
    let hash = words.iter().fold(name.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    (rest.iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte))) >> 16) as u32
}

/// The cold part of a function is no function of that name.
fn is_cold(name: &str) -> bool {
    name.contains(".cold")
}

/// The last component of a readable name, without template arguments.
fn last_of(readable: &str) -> &str {
    bare(NameQuery::last_of(readable))
}

/// Whether mangled names have this component letter by letter behind its length, so that only those have to be
/// demangled that do: a plain identifier, but none of those that C++ abbreviates (Itanium C++ ABI 5.1.10).
pub(super) fn is_spelled_out(component: &str) -> bool {
    const ABBREVIATED: [&str; 11] = [
        "std",
        "allocator",
        "basic_string",
        "string",
        "basic_istream",
        "istream",
        "basic_ostream",
        "ostream",
        "basic_iostream",
        "iostream",
        "char_traits",
    ];
    !component.is_empty()
        && component.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !component.starts_with("operator")
        && !ABBREVIATED.contains(&component)
}

impl Image {
    /// Reads the symbol tables, and orders them by name, before somebody needs them.
    pub(super) fn prepare_symbols(&self) {
        self.symbols().with_name("");
    }

    /// The symbol whose code or data covers an address. One without a size reaches to the next symbol or the end of its
    /// section.
    pub fn symbol_at(&self, a: LinkAddr) -> Option<Symbol> {
        self.symbols().at(a.0).map(symbol_of)
    }

    /// The symbols with this name, as the linker spells it or as people do.
    pub fn symbols_named(&self, name: &str) -> Vec<Symbol> {
        self.symbols().named(name, self.work()).into_iter().map(symbol_of).collect()
    }

    /// The function that the symbol table has at an address.
    pub(super) fn symbol_function_at(&self, a: LinkAddr) -> Option<Function> {
        let entry = self.symbols().at(a.0).filter(|s| s.is_code || s.is_label)?;
        Some(self.symbol_function(&symbol_of(entry)))
    }

    /// A function of which only the symbol is known.
    pub(super) fn symbol_function(&self, symbol: &Symbol) -> Function {
        let end = match symbol.size {
            0 => self.symbols().end_of(symbol.address.0),
            size => symbol.address.0.saturating_add(size),
        };
        Function {
            die: None,
            name: symbol.display.clone(),
            linkage_name: Some(symbol.name.clone()),
            entry: symbol.address,
            ranges: vec![(symbol.address, LinkAddr(end))],
            file: None,
            line: None,
        }
    }
}

impl SymbolTable {
    /// Where the code of a symbol without a size ends.
    fn end_of(&self, address: u64) -> u64 {
        let after = self.symbols.partition_point(|s| s.address <= address);
        let section_end = after.checked_sub(1).and_then(|i| self.symbols.get(i)).map(|s| s.section_end);
        let next = self.symbols.get(after).map(|s| s.address);
        section_end.into_iter().chain(next).min().unwrap_or(address).max(address)
    }
}

fn symbol_of(entry: &Entry) -> Symbol {
    Symbol {
        name: entry.name.to_string(),
        display: demangle(&entry.name).unwrap_or_else(|| entry.name.to_string()),
        address: LinkAddr(entry.address),
        size: entry.size,
        is_code: entry.is_code,
    }
}

fn read_table(file: &ElfFile, kind: elf::SectionType, symbols: &mut Vec<Entry>, work: &Workplace) {
    let data = file.bytes();
    let Ok(header) = elf::FileHeader64::<LittleEndian>::parse(data) else {
        return;
    };
    let Ok(sections) = header.sections(LittleEndian, data) else {
        return;
    };
    let Ok(table) = sections.symbols(LittleEndian, data, kind) else {
        return;
    };
    let task = work.begin(READING, Measure::Symbols, table.len() as u64);
    for (number, symbol) in table.iter().enumerate() {
        if number % AT_ONCE == AT_ONCE - 1 {
            task.did(AT_ONCE);
        }
        let symbol_kind = symbol.st_type();
        let is_code = matches!(symbol_kind, elf::STT_FUNC | elf::STT_GNU_IFUNC);
        if !is_code && !matches!(symbol_kind, elf::STT_OBJECT | elf::STT_NOTYPE | elf::STT_COMMON) {
            continue;
        }
        // SHN_UNDEF, SHN_ABS and other special indexes name no section, so these have no address of their own.
        let Ok(section) = sections.section(object::SectionIndex(usize::from(symbol.st_shndx(LittleEndian).0))) else {
            continue;
        };
        let flags = section.sh_flags(LittleEndian);
        let name = symbol.name(LittleEndian, table.strings()).unwrap_or_default();
        let name = String::from_utf8_lossy(name);
        let name = name.split_once('@').map_or(&*name, |(name, _)| name);
        // Arm mapping symbols ($x, $d) tell code from data; they name nothing.
        if name.is_empty() || name.starts_with('$') || !flags.contains(elf::SHF_ALLOC) {
            continue;
        }
        let is_label = symbol_kind == elf::STT_NOTYPE && flags.contains(elf::SHF_EXECINSTR);
        symbols.push(Entry {
            address: symbol.st_value(LittleEndian),
            size: symbol.st_size(LittleEndian),
            name: name.into(),
            rank: Rank {
                kind: if is_code { 0 } else { 2 - u8::from(is_label) },
                local: symbol.st_bind() == elf::STB_LOCAL,
                reserved: name.starts_with('_'),
            },
            is_code,
            is_label,
            section_end: section.sh_addr(LittleEndian).saturating_add(section.sh_size(LittleEndian)),
        });
    }
}

#[cfg(test)]
mod tests;
