//! Symbol tables where they are in a file (System V gABI, "Symbol Table"): walked, and searched for letters of names.
//!
//! Nothing of them is copied before somebody asks what is at an address. A name is looked for in the strings of a table
//! as a whole, which takes a fraction of the time that reading its symbols one by one would.

use crate::elf::file::ElfFile;
use crate::model::elf::Exported;
use arch::LinkAddr;
use base::untrusted::one_line;
use memchr::memmem;
use object::read::elf::{FileHeader, SectionHeader, Sym};
use object::{LittleEndian, elf, pod};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

/// No more of a name is read, and of names at one address no more is compared.
const MAX_NAME: usize = 64 << 10;
const COMPARED: usize = 4096;

type RawSymbol = elf::Sym64<LittleEndian>;

/// A table of one file.
struct Table {
    file: Arc<ElfFile>,
    /// Where its symbols are in the file, and their strings.
    symbols: Range<usize>,
    strings: Range<usize>,
    /// Where the versions of its symbols are (`.gnu.version`), if it has any.
    versions: Range<usize>,
    /// By section index.
    sections: Vec<Home>,
    /// `.symtab`, which has local symbols, too.
    is_full: bool,
}

/// What a section says about the symbols in it.
#[derive(Clone, Copy)]
struct Home {
    allocated: bool,
    executable: bool,
    end: u64,
}

/// The tables of an image.
pub(crate) struct Tables(Vec<Table>);

/// A symbol that has an address.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// Where its name begins in the strings of its table.
    name: u32,
    section: u16,
    table: u8,
    pub(crate) rank: Rank,
    /// STT_GNU_IFUNC
    pub(crate) is_indirect: bool,
    /// It is of a version that only those mean who were linked with it: `name@V1` beside `name@@V2`.
    pub(crate) is_of_old_version: bool,
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// STT_FUNC, STT_GNU_IFUNC
    Code,
    /// STT_NOTYPE in an executable section: a label of assembler code.
    Label,
    Data,
}

/// How good a symbol is as a name for its address; less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    /// Functions before labels, those before data.
    pub(crate) kind: Kind,
    /// Names of one file after those that others can use.
    pub(crate) local: bool,
    /// Names reserved for the implementation after others.
    reserved: bool,
}

/// Where letters have to be in a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Where {
    /// They are all of it.
    Whole,
    Anywhere,
}

impl Tables {
    /// Finds the tables: `.symtab` of the first file that has one, `.dynsym` of all.
    pub(crate) fn of(files: &[&Arc<ElfFile>]) -> Self {
        let full = files.iter().find(|f| f.section(".symtab").is_some());
        let full = full.and_then(|file| Table::find(file, elf::SHT_SYMTAB));
        Self(full.into_iter().chain(files.iter().filter_map(|file| Table::find(file, elf::SHT_DYNSYM))).collect())
    }

    /// Returns how many symbols there are, with those that name nothing.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|table| table.symbols().len()).sum()
    }

    /// Iterates over all symbols that have an address, as the tables have them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Entry> {
        let numbered = (0..=u8::MAX).zip(&self.0);
        numbered.flat_map(|(number, table)| table.numbered().filter_map(move |raw| table.entry(number, raw)))
    }

    /// Iterates over the symbols that may have letters in their names: all that do, and others that begin within such a
    /// name. None for no letters.
    pub(crate) fn with_letters(&self, letters: &[u8], place: Where) -> impl Iterator<Item = Entry> {
        (0..=u8::MAX).zip(&self.0).flat_map(move |(number, table)| {
            let names = table.names_with(letters, place);
            let symbols = table.numbered().take(if names.is_empty() { 0 } else { usize::MAX });
            let named = move |(_, raw): &(usize, &RawSymbol)| {
                let name = raw.st_name(LittleEndian);
                let after = names.partition_point(|range| range.start <= name);
                after.checked_sub(1).and_then(|i| names.get(i)).is_some_and(|range| name < range.end)
            };
            symbols.filter(named).filter_map(move |raw| table.entry(number, raw))
        })
    }

    /// Returns the names of the thread-local variables at the beginning of a thread's storage, if there is a full
    /// table.
    pub(crate) fn first_thread_locals(&self) -> Vec<String> {
        let is_first = |raw: &&RawSymbol| {
            raw.st_type() == elf::STT_TLS && raw.st_value(LittleEndian) == 0 && raw.st_shndx(LittleEndian).0 != 0
        };
        let tables = self.0.iter().filter(|table| table.is_full);
        let names = tables.flat_map(|table| {
            let first = table.symbols().iter().filter(is_first);
            first.map(|raw| name_of(table.name_at(raw.st_name(LittleEndian))).into_owned())
        });
        names.collect()
    }

    /// Returns the offsets that thread-local variables of just this name have.
    pub(crate) fn thread_locals_spelled(&self, letters: &[u8]) -> Vec<u64> {
        let of_table = |table: &Table| -> Vec<u64> {
            let names = table.names_with(letters, Where::Whole);
            let is_it = |raw: &&RawSymbol| {
                let name = raw.st_name(LittleEndian);
                raw.st_type() == elf::STT_TLS
                    && raw.st_shndx(LittleEndian).0 != 0
                    && names.iter().any(|range| range.start == name)
            };
            let symbols = if names.is_empty() { &[] } else { table.symbols() };
            symbols.iter().filter(is_it).map(|raw| raw.st_value(LittleEndian)).collect()
        };
        self.0.iter().flat_map(of_table).collect()
    }

    /// Finds the data that the dynamic symbols name so.
    pub(crate) fn exported_data(&self, letters: &[u8]) -> Option<Exported> {
        self.exported(letters, |kind| {
            matches!(kind, elf::STT_OBJECT | elf::STT_NOTYPE | elf::STT_COMMON | elf::STT_TLS)
        })
    }

    /// Finds the function that the dynamic symbols name so.
    pub(crate) fn exported_function(&self, letters: &[u8]) -> Option<Exported> {
        self.exported(letters, |kind| kind == elf::STT_FUNC)
    }

    /// Finds what the dynamic symbols name so, of the version that is meant where none is given.
    fn exported(&self, letters: &[u8], is_kind: impl Fn(elf::SymbolType) -> bool) -> Option<Exported> {
        let table = self.0.iter().find(|table| !table.is_full)?;
        let names = table.names_with(letters, Where::Whole);
        let is_it = |(_, raw): &(usize, &RawSymbol)| {
            let name = raw.st_name(LittleEndian);
            names.iter().any(|range| range.start == name)
                && raw.st_bind() != elf::STB_LOCAL
                && is_kind(raw.st_type())
                && raw.st_shndx(LittleEndian).0 != 0
        };
        let symbols = table.numbered().take(if names.is_empty() { 0 } else { usize::MAX });
        let (_, found) = symbols.filter(is_it).min_by_key(|(number, raw)| table.is_of_old_version(*number, raw))?;
        let is_own = found.st_visibility() == elf::STV_PROTECTED;
        let is_thread_local = found.st_type() == elf::STT_TLS;
        Some(Exported { address: LinkAddr(found.st_value(LittleEndian)), is_own, is_thread_local })
    }

    /// Returns the name as in the file, without a version: `memcpy` for `memcpy@@GLIBC_2.14`.
    pub(crate) fn letters_of(&self, entry: &Entry) -> &[u8] {
        self.0.get(usize::from(entry.table)).map(|table| table.name_at(entry.name)).unwrap_or_default()
    }

    /// Returns the name as text.
    pub(crate) fn name_of(&self, entry: &Entry) -> Cow<'_, str> {
        name_of(self.letters_of(entry))
    }

    /// Returns the end of the section that a symbol is in.
    pub(crate) fn section_end(&self, entry: &Entry) -> u64 {
        let sections = self.0.get(usize::from(entry.table)).map(|table| &*table.sections).unwrap_or_default();
        sections.get(usize::from(entry.section)).map_or(entry.address, |home| home.end)
    }

    /// Puts symbols in order, by rising address, of those at one address the best name first; each once.
    pub(crate) fn sort(&self, symbols: &mut Vec<Entry>) {
        symbols.sort_unstable_by(|a, b| self.compare(a, b));
        symbols.dedup_by(|a, b| a.address == b.address && self.letters_of(a) == self.letters_of(b));
    }

    fn compare(&self, a: &Entry, b: &Entry) -> Ordering {
        let places = (a.address, a.rank).cmp(&(b.address, b.rank));
        let letters = |entry| {
            let letters = self.letters_of(entry);
            letters.get(..COMPARED).unwrap_or(letters)
        };
        // Which of several good names it is, is a matter of habit: GDB's is the last one of the alphabet.
        places.then_with(|| letters(b).cmp(letters(a))).then(a.table.cmp(&b.table)).then(a.size.cmp(&b.size))
    }
}

impl Table {
    fn find(file: &Arc<ElfFile>, kind: elf::SectionType) -> Option<Self> {
        let data = file.bytes();
        let header = elf::FileHeader64::<LittleEndian>::parse(data).ok()?;
        let sections = header.sections(LittleEndian, data).ok()?;
        let section = sections.iter().find(|section| section.sh_type(LittleEndian) == kind)?;
        let strings = sections.section(section.link(LittleEndian)).ok()?;
        let range = |section: &elf::SectionHeader64<LittleEndian>| {
            let (offset, size) = section.file_range(LittleEndian)?;
            let start = usize::try_from(offset).ok()?;
            let range = start..start.checked_add(usize::try_from(size).ok()?)?;
            data.get(range.clone()).map(|_| range)
        };
        let home = |section: &elf::SectionHeader64<LittleEndian>| {
            let flags = section.sh_flags(LittleEndian);
            Home {
                allocated: flags.contains(elf::SHF_ALLOC),
                executable: flags.contains(elf::SHF_EXECINSTR),
                end: section.sh_addr(LittleEndian).saturating_add(section.sh_size(LittleEndian)),
            }
        };
        // What has no end is no string.
        let mut strings = range(strings)?;
        strings.end = strings.start + memchr::memrchr(0, data.get(strings.clone())?).map_or(0, |last| last + 1);
        let versions = sections.iter().find(|section| section.sh_type(LittleEndian) == elf::SHT_GNU_VERSYM);
        let versions = versions.filter(|_| kind == elf::SHT_DYNSYM).and_then(range).unwrap_or_default();
        Some(Self {
            file: file.clone(),
            versions,
            symbols: range(section)?,
            strings,
            sections: sections.iter().map(home).collect(),
            is_full: kind == elf::SHT_SYMTAB,
        })
    }

    fn symbols(&self) -> &[RawSymbol] {
        let bytes = self.file.bytes().get(self.symbols.clone()).unwrap_or_default();
        let count = bytes.len() / size_of::<RawSymbol>();
        pod::slice_from_bytes(bytes, count).map_or(&[], |(symbols, _)| symbols)
    }

    fn numbered(&self) -> impl Iterator<Item = (usize, &RawSymbol)> {
        self.symbols().iter().enumerate()
    }

    /// Returns whether a symbol is of a version that is not the default one of its name: dynamic symbols have a bit for
    /// it, and the names of others one `@`.
    fn is_of_old_version(&self, number: usize, raw: &RawSymbol) -> bool {
        /// `VERSYM_HIDDEN`
        const HIDDEN: u8 = 0x80;
        if self.is_full {
            let rest = self.strings().get(raw.st_name(LittleEndian) as usize..).unwrap_or_default();
            let behind = rest.get(self.name_at(raw.st_name(LittleEndian)).len()..).unwrap_or_default();
            return behind.starts_with(b"@") && !behind.starts_with(b"@@");
        }
        let versions = self.file.bytes().get(self.versions.clone()).unwrap_or_default();
        number.checked_mul(2).and_then(|at| versions.get(at + 1)).is_some_and(|high| high & HIDDEN != 0)
    }

    fn strings(&self) -> &[u8] {
        self.file.bytes().get(self.strings.clone()).unwrap_or_default()
    }

    fn name_at(&self, at: u32) -> &[u8] {
        let rest = self.strings().get(at as usize..).unwrap_or_default();
        let rest = rest.get(..MAX_NAME).unwrap_or(rest);
        let end = memchr::memchr2(0, b'@', rest).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }

    fn entry(&self, table: u8, (number, raw): (usize, &RawSymbol)) -> Option<Entry> {
        let kind = raw.st_type();
        let is_indirect = kind == elf::STT_GNU_IFUNC;
        let is_code = kind == elf::STT_FUNC || is_indirect;
        if !is_code && !matches!(kind, elf::STT_OBJECT | elf::STT_NOTYPE | elf::STT_COMMON) {
            return None;
        }
        // SHN_UNDEF, SHN_ABS and other special indexes name no section, so these have no address of their own.
        let section = raw.st_shndx(LittleEndian).0;
        let home = self.sections.get(usize::from(section)).filter(|home| section != 0 && home.allocated)?;
        let name = raw.st_name(LittleEndian);
        let first = *self.strings().get(name as usize)?;
        // Arm mapping symbols ($x, $d) tell code from data; they name nothing.
        if matches!(first, 0 | b'@' | b'$') {
            return None;
        }
        let kind = match kind {
            _ if is_code => Kind::Code,
            elf::STT_NOTYPE if home.executable => Kind::Label,
            _ => Kind::Data,
        };
        Some(Entry {
            address: raw.st_value(LittleEndian),
            size: raw.st_size(LittleEndian),
            name,
            section,
            table,
            rank: Rank { kind, local: raw.st_bind() == elf::STB_LOCAL, reserved: first == b'_' },
            is_indirect,
            is_of_old_version: self.is_of_old_version(number, raw),
        })
    }

    /// Finds where names begin that have the letters, by rising offset. Linkers let a name begin within another one
    /// that ends like it.
    fn names_with(&self, letters: &[u8], place: Where) -> Vec<Range<u32>> {
        if letters.is_empty() || letters.contains(&0) {
            return Vec::new();
        }
        let strings = self.strings();
        let mut names = match place {
            // What comes behind a name is not in it, so no two of these overlap.
            Where::Whole => [0, b'@'].map(|end| [letters, &[end]].concat()).iter().fold(Vec::new(), |mut all, name| {
                all.extend(memmem::find_iter(strings, name).map(|at| at..at));
                all
            }),
            Where::Anywhere => strings_with(strings, letters),
        };
        names.sort_unstable_by_key(|range| range.start);
        // Offsets are of 32 bits: what is further, no symbol has.
        let within = |range: Range<usize>| Some(u32::try_from(range.start).ok()?..u32::try_from(range.end + 1).ok()?);
        names.into_iter().map_while(within).collect()
    }
}

/// Finds the strings that have letters, each up to where it has them for the last time.
pub(crate) fn strings_with(strings: &[u8], letters: &[u8]) -> Vec<Range<usize>> {
    let (first, last) = (memmem::Finder::new(letters), memmem::FinderRev::new(letters));
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(rest) = strings.get(from..)
        && let Some(at) = first.find(rest)
    {
        let start = rest.get(..at).and_then(|before| memchr::memrchr(0, before)).map_or(0, |zero| zero + 1);
        let end = rest.get(at..).and_then(|rest| memchr::memchr(0, rest)).map_or(rest.len(), |length| at + length);
        let until = rest.get(at..end).and_then(|string| last.rfind(string)).map_or(at, |further| at + further);
        found.push(from + start..from + until);
        from += end + 1;
    }
    found
}

/// Returns a name as text of one line.
fn name_of(letters: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(letters) {
        Ok(name) => one_line(name),
        Err(_) => Cow::Owned(one_line(&String::from_utf8_lossy(letters)).into_owned()),
    }
}
