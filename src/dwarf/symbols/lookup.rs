//! The symbols of an image, by name and by address.

use super::slots::{Slot, Slots};
use super::stubs::{Stub, Stubs};
use super::table::SymbolTable;
use crate::elf::file::ElfFile;
use crate::elf::minidebug;
use crate::elf::symbol_tables::Kind;
use crate::model::code::Function;
use crate::model::elf::{Exported, Symbol};
use crate::model::variable::Elsewhere;
use crate::tasks::work::Workplace;
use arch::{Arch, LinkAddr};
use base::qualified::bounded;
use std::sync::{Arc, OnceLock};

/// The symbols and stubs of an image, found when somebody asks for one.
pub(crate) struct Symbols {
    file: Arc<ElfFile>,
    /// The separate debug file.
    separate: Option<Arc<ElfFile>>,
    work: Workplace,
    table: OnceLock<SymbolTable>,
    stubs: OnceLock<Stubs>,
    slots: OnceLock<Slots>,
}

impl Symbols {
    /// Creates the symbols of a file, and of its separate debug file.
    pub(crate) fn new(file: &Arc<ElfFile>, separate: Option<&Arc<ElfFile>>, work: &Workplace) -> Self {
        Self {
            file: file.clone(),
            separate: separate.cloned(),
            work: work.clone(),
            table: OnceLock::new(),
            stubs: OnceLock::new(),
            slots: OnceLock::new(),
        }
    }

    fn table(&self) -> &SymbolTable {
        self.table.get_or_init(|| {
            let separate = self.separate.as_ref();
            let small = minidebug::open(&self.file).filter(|_| separate.is_none_or(|f| f.section(".symtab").is_none()));
            let files: Vec<_> = [Some(&self.file), separate, small.as_ref()].into_iter().flatten().collect();
            SymbolTable::of(&files)
        })
    }

    fn stubs(&self) -> &Stubs {
        self.stubs.get_or_init(|| Stubs::of(&self.file))
    }

    /// Returns the image's own file, which has its code.
    pub(crate) fn file(&self) -> &ElfFile {
        &self.file
    }

    /// Returns the architecture that the code is for.
    pub(crate) fn arch(&self) -> Arch {
        self.file.arch
    }

    /// Finds the stub that an address lies in.
    pub(crate) fn stub_at(&self, a: LinkAddr) -> Option<Stub> {
        self.stubs().at(&self.file, a).map(|stub| Stub { name: bounded(&stub.name).into_owned(), ..stub })
    }

    /// Returns what the dynamic linker puts into a word of memory.
    pub(crate) fn slot_at(&self, a: LinkAddr) -> Option<Slot> {
        self.slots().at(&self.file, a)
    }

    /// Returns where the dynamic linker puts the place of a variable, if the code finds it through that.
    pub(crate) fn bound_variable(&self, name: &str) -> Option<Elsewhere> {
        self.slots().variable(&self.file, name)
    }

    /// Returns where the dynamic linker puts the place of what the image itself defines at an address.
    pub(crate) fn slot_of_definition(&self, a: LinkAddr, name: Option<&str>) -> Option<LinkAddr> {
        self.slots().of_definition(&self.file, a, name)
    }

    fn slots(&self) -> &Slots {
        self.slots.get_or_init(|| Slots::of(&self.file))
    }

    /// Finds the stubs that lead to a function of this name, which may also be written as theirs: `write@plt`.
    pub(crate) fn stubs_named(&self, name: &str) -> Vec<Stub> {
        self.stubs().named(&self.file, name)
    }

    /// Returns whether a function of this name is called that is another image's.
    pub(crate) fn imports(&self, name: &str) -> bool {
        self.slots().imports(&self.file, name)
    }

    /// Returns the names of the thread-local variables at the beginning of a thread's storage, as far as known.
    pub(crate) fn first_thread_locals(&self) -> Vec<String> {
        self.table().first_thread_locals()
    }

    /// Returns the addresses of member functions of a class with this name, or of functions in a namespace that has it.
    pub(crate) fn functions_inside(&self, components: &[&str]) -> Vec<LinkAddr> {
        self.table().functions_inside(components)
    }

    /// Finds the symbol whose code or data covers an address. One without a size reaches to the next symbol or the end
    /// of its section.
    pub(crate) fn symbol_at(&self, a: LinkAddr) -> Option<Symbol> {
        let symbols = self.table();
        symbols.at(a.0, &self.work).map(|entry| symbols.symbol(entry))
    }

    /// Finds the symbols with this name, as the linker spells it or as people do.
    pub(crate) fn symbols_named(&self, name: &str) -> Vec<Symbol> {
        let symbols = self.table();
        symbols.named(name, &self.work).iter().map(|entry| symbols.symbol(entry)).collect()
    }

    /// Finds the data that other files can name so, as the linker spells it.
    pub(crate) fn exported_data(&self, name: &str) -> Option<Exported> {
        let found = self.table().exported_data(name)?;
        Some(Exported { is_own: found.is_own || self.file.is_symbolic(), ..found })
    }

    /// Returns the offsets that thread-local variables have that the linker spells so.
    pub(crate) fn thread_locals_spelled(&self, name: &str) -> Vec<u64> {
        self.table().thread_locals_spelled(name)
    }

    /// Finds the function that other files can name so, as the linker spells it.
    pub(crate) fn exported_function(&self, name: &str) -> Option<Exported> {
        let found = self.table().exported_function(name)?;
        Some(Exported { is_own: found.is_own || self.file.is_symbolic(), ..found })
    }

    /// Returns whether the code finds a thread-local variable of this name through a descriptor that the dynamic linker
    /// fills.
    pub(crate) fn has_descriptor(&self, name: &str) -> bool {
        self.slots().has_descriptor(&self.file, name)
    }

    /// Finds the symbols that the linker spells so.
    pub(crate) fn symbols_spelled(&self, name: &str) -> Vec<Symbol> {
        let symbols = self.table();
        symbols.with_name(name, &self.work).iter().map(|entry| symbols.symbol(entry)).collect()
    }

    /// Finds the code of the symbol tables that has a `wanted` readable name, by address.
    pub(crate) fn symbols_called(&self, wanted: &mut dyn FnMut(&str) -> bool) -> Vec<Symbol> {
        self.table().code_called(wanted, &self.work)
    }

    /// Lists the symbols of indirect functions (STT_GNU_IFUNC), by rising address, at most so many.
    pub(crate) fn indirect(&self, most: usize) -> Vec<Symbol> {
        self.table().indirect(most, &self.work)
    }

    /// Finds the function that the symbol table has at an address.
    pub(crate) fn symbol_function_at(&self, a: LinkAddr) -> Option<Function> {
        let symbols = self.table();
        let entry = symbols.at(a.0, &self.work).filter(|s| s.rank.kind != Kind::Data)?;
        Some(self.symbol_function(&symbols.symbol(entry)))
    }

    /// Makes a function of which only the symbol is known.
    pub(crate) fn symbol_function(&self, symbol: &Symbol) -> Function {
        let end = match symbol.size {
            0 => self.table().end_of(symbol.address.0, &self.work),
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

    /// Returns whether a function is what GCC has split off a function whose beginning it inlines: `f.part.0` is called
    /// by each copy of `f` that does not return early, and describes itself as `f`.
    pub(crate) fn is_outlined(&self, function: &Function) -> bool {
        let symbol = self.symbol_at(function.entry).filter(|symbol| symbol.address == function.entry);
        symbol.is_some_and(|symbol| {
            let behind = symbol.name.split(".part.").nth(1);
            behind.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
        })
    }
}
