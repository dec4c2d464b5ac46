//! Symbols by name and by address.

use crate::elf::file::ElfFile;
use crate::elf::symbol_tables::{Entry, Kind, Tables, Where};
use crate::model::elf::{Exported, Symbol};
use crate::naming::components::is_spelled_out;
use crate::naming::demangle::demangle;
use crate::naming::hash::mix;
use crate::naming::query::NameQuery;
use crate::tasks::work::{Measure, Workplace};
use arch::LinkAddr;
use base::qualified::{bare, bare_last, bounded};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Symbols that begin before an address and end before it, too, are skipped at most this often.
const MAX_PASSED: usize = 64;

/// What reading symbols is called, and after how many it is looked whether the rest is wanted.
const READING: &str = "reading symbols of";
const AT_ONCE: usize = 1024;

/// So many names are searched for before all are put in order, which takes about as long.
const SEARCHED: usize = 16;

/// The symbols of an image that have an address.
pub(crate) struct SymbolTable {
    tables: Tables,
    /// By rising address; of those at one address, the best name first.
    ordered: OnceLock<Vec<Entry>>,
    /// By readable names without parameters and scopes.
    by_readable: OnceLock<ByHash>,
    by_name: OnceLock<ByHash>,
    /// How many names were searched for.
    searched: AtomicUsize,
}

/// Hash of a name in the upper half, index into the symbols in the lower; sorted.
struct ByHash(Vec<u64>);

impl ByHash {
    fn of(hashes: impl Iterator<Item = (usize, u32)>) -> Self {
        let mut order: Vec<u64> = hashes.map(|(i, hash)| u64::from(hash) << 32 | i as u64).collect();
        order.sort_unstable();
        Self(order)
    }

    /// Indexes of the symbols whose names have a hash, rising.
    fn get(&self, hash: u32) -> impl Iterator<Item = usize> {
        let start = self.0.partition_point(|known| (known >> 32) < u64::from(hash));
        let same =
            self.0.get(start..).unwrap_or_default().iter().take_while(move |known| **known >> 32 == u64::from(hash));
        same.map(|known| (known & 0xffff_ffff) as usize)
    }
}

impl SymbolTable {
    /// Finds the tables; what is in them is read when it is needed.
    pub(crate) fn of(files: &[&Arc<ElfFile>]) -> Self {
        Self {
            tables: Tables::of(files),
            ordered: OnceLock::new(),
            by_readable: OnceLock::new(),
            by_name: OnceLock::new(),
            searched: AtomicUsize::new(0),
        }
    }

    fn ordered(&self, work: &Workplace) -> &[Entry] {
        self.ordered.get_or_init(|| {
            let mut symbols: Vec<Entry> = watched(self.tables.iter(), self.tables.len(), work).collect();
            self.tables.sort(&mut symbols);
            symbols
        })
    }

    /// Returns the names of the thread-local variables at the beginning of a thread's storage, as far as known.
    pub(crate) fn first_thread_locals(&self) -> Vec<String> {
        self.tables.first_thread_locals()
    }

    /// Finds the symbol that an address belongs to.
    pub(super) fn at(&self, address: u64, work: &Workplace) -> Option<&Entry> {
        let symbols = self.ordered(work);
        let after = symbols.partition_point(|s| s.address <= address);
        let before = symbols.get(..after)?.iter().rev().take(MAX_PASSED);
        let last = symbols.get(after.checked_sub(1)?)?.address;
        let has_size = before.clone().take_while(|s| s.address == last).any(|s| s.size != 0);
        let covers = |s: &&Entry| {
            let into = address - s.address;
            // A mark of the linker or of assembly ends where other data begins; code without a size may have labels.
            let is_last = || s.rank.kind != Kind::Data || s.address == last && !has_size;
            if s.size == 0 { into == 0 || address < self.tables.section_end(s) && is_last() } else { into < s.size }
        };
        let nearest = before.into_iter().find(&covers)?;
        // The best of those that begin at the same place: of data, one that says how far it goes.
        let first = symbols.partition_point(|s| s.address < nearest.address);
        let mut all = symbols.get(first..after)?.iter().filter(&covers);
        let best = all.next()?;
        if best.rank.kind != Kind::Data || best.size != 0 {
            return Some(best);
        }
        Some(all.take(MAX_PASSED).find(|s| s.size != 0).unwrap_or(best))
    }

    /// Finds the data that the dynamic symbols name so.
    pub(super) fn exported_data(&self, name: &str) -> Option<Exported> {
        self.tables.exported_data(name.as_bytes())
    }

    /// Returns the offsets that thread-local variables of just this name have.
    pub(super) fn thread_locals_spelled(&self, name: &str) -> Vec<u64> {
        self.tables.thread_locals_spelled(name.as_bytes())
    }

    /// Finds the function that the dynamic symbols name so.
    pub(super) fn exported_function(&self, name: &str) -> Option<Exported> {
        self.tables.exported_function(name.as_bytes())
    }

    /// Finds the symbols with just this name, those first that are meant where no version is given.
    pub(super) fn with_name(&self, name: &str, work: &Workplace) -> Vec<Entry> {
        let mut found = self.all_with_name(name, work);
        found.sort_by_key(|symbol| symbol.is_of_old_version);
        found
    }

    fn all_with_name(&self, name: &str, work: &Workplace) -> Vec<Entry> {
        // Compilers mangle scopes: only a name that was given by hand could have that, and a search takes its time.
        if name.contains("::") {
            return Vec::new();
        }
        let is_it = |s: &Entry| self.tables.letters_of(s) == name.as_bytes();
        if self.by_name.get().is_none() && self.searched.fetch_add(1, Ordering::Relaxed) < SEARCHED {
            let mut found = self.tables.with_letters(name.as_bytes(), Where::Whole).filter(is_it).collect();
            self.tables.sort(&mut found);
            return found;
        }
        let symbols = self.ordered(work);
        let hashed = || symbols.iter().map(|s| hash_of(self.tables.letters_of(s))).enumerate();
        let order = self.by_name.get_or_init(|| ByHash::of(hashed()));
        let mut found =
            order.get(hash_of(name.as_bytes())).filter_map(|i| symbols.get(i).copied()).filter(is_it).collect();
        self.tables.sort(&mut found);
        found
    }

    /// Finds the code with a `wanted` readable name, each address once.
    pub(super) fn code_called(&self, wanted: &mut dyn FnMut(&str) -> bool, work: &Workplace) -> Vec<Symbol> {
        let symbols = self.ordered(work);
        let code = watched(symbols.iter(), symbols.len(), work).filter(|s| is_function(s) && !self.is_cold(s));
        let mut found: Vec<Symbol> = code.map(|s| self.symbol(s)).filter(|symbol| wanted(&symbol.display)).collect();
        found.dedup_by_key(|symbol| symbol.address);
        found
    }

    /// Lists the symbols of indirect functions (STT_GNU_IFUNC), by rising address, at most so many.
    pub(super) fn indirect(&self, most: usize, work: &Workplace) -> Vec<Symbol> {
        self.ordered(work).iter().filter(|s| s.is_indirect).take(most).map(|s| self.symbol(s)).collect()
    }

    /// Finds the addresses of member functions of a class with this name, or of functions in a namespace that has it,
    /// by rising address (Itanium C++ ABI 5.1.5): those whose names have its components letter by letter.
    pub(crate) fn functions_inside(&self, components: &[&str]) -> Vec<LinkAddr> {
        let scope: String = components.iter().map(|component| format!("{}{component}", component.len())).collect();
        let inside = |s: &Entry| {
            let nested = self.tables.letters_of(s).strip_prefix(b"_ZN").unwrap_or_default();
            let qualifiers = nested.iter().take_while(|letter| b"rVKRO".contains(letter)).count();
            let rest = nested.get(qualifiers..).and_then(|rest| rest.strip_prefix(scope.as_bytes()));
            // Behind the name of a template come its arguments.
            rest.is_some_and(|rest| !matches!(rest.first(), Some(b'I' | b'E')))
        };
        let all = self.tables.with_letters(scope.as_bytes(), Where::Anywhere);
        let mut found: Vec<_> = all.filter(is_function).filter(inside).map(|s| LinkAddr(s.address)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    pub(super) fn named(&self, name: &str, work: &Workplace) -> Vec<Entry> {
        let found = self.with_name(name, work);
        if !found.is_empty() {
            return found;
        }
        let query = NameQuery::parse(name);
        let last = bare(query.last());
        let means = |s: &Entry| {
            !self.is_cold(s)
                && demangle(&self.tables.name_of(s))
                    .is_some_and(|shown| bare_last(&shown) == last && query.matches_shown(&shown))
        };
        if is_spelled_out(last) {
            // Itanium C++ ABI 5.1.3 (`<source-name>`), and Rust's v0 mangling (`<undisambiguated-identifier>`).
            let spellings = [format!("{}{last}", last.len()), format!("{}_{last}", last.len())];
            let all = spellings.iter().flat_map(|s| self.tables.with_letters(s.as_bytes(), Where::Anywhere));
            let all: Vec<Entry> = all.collect();
            let mut found = watched(all.iter().copied(), all.len(), work).filter(means).collect();
            self.tables.sort(&mut found);
            return found;
        }
        let symbols = self.ordered(work);
        let by_readable = self.by_readable.get_or_init(|| {
            let shown = |s: &Entry| demangle(&self.tables.name_of(s));
            let hash = |(i, s)| Some((i, hash_of(bare_last(&shown(s)?).as_bytes())));
            ByHash::of(watched(symbols.iter().enumerate(), symbols.len(), work).filter_map(hash))
        });
        let candidates = by_readable.get(hash_of(last.as_bytes())).filter_map(|i| symbols.get(i).copied());
        candidates.filter(means).collect()
    }

    /// Returns whether a symbol is the cold part of a function, which is no function of that name.
    fn is_cold(&self, symbol: &Entry) -> bool {
        memchr::memmem::find(self.tables.letters_of(symbol), b".cold").is_some()
    }

    pub(super) fn symbol(&self, entry: &Entry) -> Symbol {
        let name = self.tables.name_of(entry);
        Symbol {
            display: bounded(demangle(&name).as_deref().unwrap_or(&name)).into_owned(),
            name: name.into_owned(),
            address: LinkAddr(entry.address),
            size: entry.size,
            is_code: entry.rank.kind == Kind::Code,
            is_label: entry.rank.kind == Kind::Label,
            is_indirect: entry.is_indirect,
            is_local: entry.rank.local,
        }
    }
}

fn is_function(symbol: &Entry) -> bool {
    symbol.rank.kind == Kind::Code && symbol.address != 0
}

/// Goes over symbols, of so many, as a task; ends if that is cancelled.
fn watched<T>(symbols: impl Iterator<Item = T>, total: usize, work: &Workplace) -> impl Iterator<Item = T> {
    let task = work.begin(READING, Measure::Symbols, total as u64);
    let look = move |(number, _): &(usize, T)| {
        if number % AT_ONCE == AT_ONCE - 1 {
            task.did(AT_ONCE);
        }
    };
    symbols.enumerate().inspect(look).map(|(_, symbol)| symbol)
}

/// Hashes a name, eight letters at a time: mangled names are long.
fn hash_of(name: &[u8]) -> u32 {
    let (words, rest) = name.as_chunks::<8>();
    let hash = words.iter().fold(name.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    (rest.iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte))) >> 16) as u32
}

impl SymbolTable {
    /// Returns where the code of a symbol without a size ends.
    pub(super) fn end_of(&self, address: u64, work: &Workplace) -> u64 {
        let symbols = self.ordered(work);
        let after = symbols.partition_point(|s| s.address <= address);
        let last = after.checked_sub(1).and_then(|i| symbols.get(i));
        let section_end = last.map(|s| self.tables.section_end(s));
        let next = symbols.get(after).map(|s| s.address);
        section_end.into_iter().chain(next).min().unwrap_or(address).max(address)
    }
}

#[cfg(test)]
mod tests;
