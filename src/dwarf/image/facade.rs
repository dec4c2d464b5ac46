//! The facade: one ELF file with everything known about it.

use super::debug::{Debug, LoadedDebug};
use crate::cache::disk::Cache;
use crate::compressed::file_bytes::Bytes;
use crate::elf::file::ElfFile;
use crate::elf::locate::{DebugPaths, SearchPaths, Searched};
use crate::image::cancelled::{CANCELLED, NoAnswer};
use crate::model::die::DieId;
use crate::model::elf::Segment;
use crate::model::error::Error;
use crate::sections::missing_debug_info::{Problems, Subject};
use crate::sections::store::Sections;
use crate::symbols::lookup::Symbols;
use crate::tasks::work::{Work, Workplace};
use arch::{Arch, LinkAddr};
use base::untrusted::SHORTER;
use ctype::{Memory, Parts, TypeLoader, TypeRef, Unavailable, Value};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, Weak};

/// One ELF file with everything known about it. Opening is cheap; indexes are built when first needed. Send + Sync.
pub struct Image {
    file: Arc<ElfFile>,
    /// The separate debug file, if there is one, or where it was looked for, if it is needed.
    debug_file: Option<Result<Arc<ElfFile>, Searched>>,
    places: Arc<SearchPaths>,
    cache: Cache,
    pub(super) problems: Arc<Problems>,
    work: Workplace,
    debug: OnceLock<LoadedDebug>,
    pub(super) symbols: Arc<Symbols>,
    /// Functions that indirect functions can choose, with the names of those.
    pub(super) choices: OnceLock<BTreeMap<LinkAddr, String>>,
    /// Rules of the canonical frame address, by instruction, as register and offset.
    pub(super) cfa_rules: Mutex<HashMap<LinkAddr, Option<(u16, i64)>>>,
    this: Weak<Image>,
}

impl Image {
    /// Maps an ELF file and finds its separate debug file.
    pub fn open(path: &Path, debug: &DebugPaths) -> Result<Arc<Image>, Error> {
        Self::open_copy(path, path, debug, &Work::default())
    }

    /// Opens a copy of a file. What belongs to the file is looked for beside the path that it was known as. Its long
    /// work is part of `work`.
    pub fn open_copy(path: &Path, known_as: &Path, debug: &DebugPaths, work: &Work) -> Result<Arc<Image>, Error> {
        Self::open_cached(path, known_as, debug, Cache::of_user(), work)
    }

    /// Opens a copy of a file as [`Self::open_copy`] does, with a cache of one's own.
    pub(crate) fn open_cached(
        path: &Path,
        known_as: &Path,
        debug: &DebugPaths,
        cache: Cache,
        work: &Work,
    ) -> Result<Arc<Image>, Error> {
        let file = ElfFile::open(path)?;
        let places = SearchPaths::new(path, known_as, debug);
        let debug_file = file.section(".debug_info").is_none().then(|| places.debug_file(&file).map(Arc::new));
        let name = known_as.file_name().unwrap_or(known_as.as_os_str()).to_string_lossy();
        Ok(Self::new(file, debug_file, places, cache, Workplace::new(work, &name)))
    }

    /// Reads an image from bytes already in memory (the vdso / rr page read out of the process).
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Arc<Image>, Error> {
        Self::from_bytes_cached(name, bytes, Cache::default(), &Work::default())
    }

    /// Reads an image as [`Self::from_bytes`] does, with a cache of one's own.
    pub(crate) fn from_bytes_cached(
        name: &str,
        bytes: Vec<u8>,
        cache: Cache,
        work: &Work,
    ) -> Result<Arc<Image>, Error> {
        let file = ElfFile::parse(Path::new(name), Bytes::Owned(bytes))?;
        Ok(Self::new(file, None, SearchPaths::default(), cache, Workplace::new(work, name)))
    }

    fn new(
        file: ElfFile,
        debug_file: Option<Result<Arc<ElfFile>, Searched>>,
        places: SearchPaths,
        cache: Cache,
        work: Workplace,
    ) -> Arc<Image> {
        let problems = Problems::default();
        if let Some(Err(searched)) = &debug_file
            && searched.is_mismatch()
        {
            problems.add(Subject::DebugFile, format!("there is no debug info: {searched}"));
        }
        let file = Arc::new(file);
        let separate = debug_file.as_ref().and_then(|found| found.as_ref().ok());
        let symbols = Arc::new(Symbols::new(&file, separate, &work));
        Arc::new_cyclic(|this: &Weak<Self>| Image {
            file,
            debug_file,
            places: Arc::new(places),
            cache,
            problems: Arc::new(problems),
            work,
            debug: OnceLock::new(),
            choices: OnceLock::new(),
            cfa_rules: Mutex::default(),
            symbols,
            this: this.clone(),
        })
    }

    /// Answers a question out of the parsed debug information.
    pub(super) fn ask<R: NoAnswer>(&self, f: impl FnOnce(&Debug<'_>) -> R) -> R {
        self.unless_shortened(|| self.work.of_all().answer(|| self.with_debug(f), || R::no_answer(CANCELLED)))
            .unwrap_or_else(|| R::no_answer(SHORTER))
    }

    /// Answers a question out of the symbol tables.
    pub(super) fn ask_symbols<R: NoAnswer>(&self, f: impl FnOnce(&Symbols) -> R) -> R {
        self.unless_shortened(|| self.work.of_all().answer(|| f(&self.symbols), || R::no_answer(CANCELLED)))
            .unwrap_or_else(|| R::no_answer(SHORTER))
    }

    /// Runs `f` over the parsed debug information, which is loaded the first time.
    pub(crate) fn with_debug<R>(&self, f: impl FnOnce(&Debug<'_>) -> R) -> R {
        let loaded = self.debug.get_or_init(|| {
            let debug = self.debug_elf();
            let sections = Sections::read(&self.file, debug, &self.places, &self.problems, &self.cache, &self.work);
            LoadedDebug::of(sections, &self.symbols, self.this.clone())
        });
        loaded.with(f)
    }

    /// Returns the ELF file itself.
    pub(crate) fn elf(&self) -> &ElfFile {
        &self.file
    }

    /// Returns the file that has `.debug_info`: the image itself, or its separate debug file.
    pub(crate) fn debug_elf(&self) -> &Arc<ElfFile> {
        match self.separate() {
            Some(separate) if separate.section(".debug_info").is_some() => separate,
            _ => &self.file,
        }
    }

    /// Returns the file it was opened from.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Returns the separate debug file in use, if any.
    pub fn debug_file(&self) -> Option<&Path> {
        self.separate().map(|f| f.path())
    }

    /// Returns the separate debug file itself.
    pub(crate) fn separate(&self) -> Option<&Arc<ElfFile>> {
        self.debug_file.as_ref()?.as_ref().ok()
    }

    /// Returns the search in which a separate debug file was looked for in vain.
    pub(crate) fn searched(&self) -> Option<&Searched> {
        self.debug_file.as_ref()?.as_ref().err()
    }

    /// Returns the paths where other files are looked for.
    pub(crate) fn places(&self) -> &SearchPaths {
        &self.places
    }

    /// Returns the sections of the debug info, if they have been read.
    pub(crate) fn sections(&self) -> Option<&Sections> {
        self.debug.get().map(LoadedDebug::sections)
    }

    /// Returns whether a debug file that is found later would be of use.
    pub fn lacks_debug_info(&self) -> bool {
        !self.has_debug_info() && self.debug_file.is_some()
    }

    /// Returns what is missing of the debug info, or does not fit, as far as it was needed; with where it was looked
    /// for.
    pub fn problems(&self) -> Vec<String> {
        self.problems.all()
    }

    /// Takes the problems, but only what degraded an answer, and only what was not given before.
    pub fn take_problems(&self) -> Vec<String> {
        self.problems.take()
    }

    /// Blames what is missing for a question that had no answer: all that is missing may be the cause.
    pub fn blame_problems(&self) {
        self.problems.suffer(|_| true);
    }

    /// Returns whether there is `.debug_info`, in the file or in its debug file.
    pub fn has_debug_info(&self) -> bool {
        self.debug_elf().section(".debug_info").is_some()
    }

    /// Returns the architecture, by `e_machine`.
    pub fn arch(&self) -> Arch {
        self.file.arch
    }

    /// Returns the build-id, of NT_GNU_BUILD_ID.
    pub fn build_id(&self) -> Option<&[u8]> {
        self.file.build_id.as_deref()
    }

    /// Returns the entry point, `e_entry`.
    pub fn entry(&self) -> LinkAddr {
        self.file.entry
    }

    /// Returns the PT_LOAD segments, in the order of the program headers.
    pub fn segments(&self) -> &[Segment] {
        &self.file.segments
    }

    /// Returns the address of PT_DYNAMIC; `None` for a static executable.
    pub fn dynamic(&self) -> Option<LinkAddr> {
        self.file.dynamic
    }

    /// Returns where the program headers are in memory: what AT_PHDR gives for the executable, less the bias.
    pub fn program_headers(&self) -> Option<LinkAddr> {
        self.file.program_headers
    }

    /// Returns whether it is a program, and no library: by its type (ET_EXEC), or by what the linker notes (DF_1_PIE).
    pub fn is_program(&self) -> bool {
        self.file.is_program()
    }

    /// Returns the text of PT_INTERP.
    pub fn interpreter(&self) -> Option<&str> {
        self.file.interpreter.as_deref()
    }

    /// Returns the size in memory and the alignment of PT_TLS.
    pub fn tls_segment(&self) -> Option<(u64, u64)> {
        self.file.tls
    }

    /// Returns the section name for an address: `.text`, `.plt`, `.plt.sec`, `.plt.got`.
    pub fn section_at(&self, a: LinkAddr) -> Option<&str> {
        self.file.section_at(a).map(|s| s.name.as_str())
    }

    /// Returns whether an address is in a procedure linkage table, whose stubs jump to where a word of memory says.
    /// Stubs of indirect functions of the same file (R_X86_64_IRELATIVE) are in one, and have no name.
    pub fn is_linkage_stub(&self, a: LinkAddr) -> bool {
        self.section_at(a).is_some_and(|name| name.starts_with(".plt") || name == ".iplt")
    }

    /// Reads bytes as the file has them (rr patches memory; disassemble from here). `None` unless the file has them
    /// all.
    pub fn file_bytes(&self, at: LinkAddr, len: usize) -> Option<&[u8]> {
        self.unless_shortened(|| {
            let bytes = self.file.bytes_at(at, len)?;
            // Whether the file still has them shows when they are read.
            std::hint::black_box([bytes.first(), bytes.last()].map(Option::<&u8>::copied));
            Some(bytes)
        })
        .flatten()
    }
}

impl TypeLoader for Image {
    fn load(&self, key: u64) -> TypeRef {
        self.ask(|debug| debug.type_at(DieId(key)))
    }

    fn parts(&self, key: u64) -> Option<Arc<Parts>> {
        self.ask(|debug| debug.parts_of(DieId(key))).map(Arc::new)
    }

    fn described(&self, key: u64, address: u64, memory: &mut dyn Memory) -> Result<Value, Unavailable> {
        let read = || self.with_debug(|debug| debug.described_array(DieId(key), address, memory));
        self.unless_shortened(|| self.work.of_all().answer(read, || Err(Unavailable::Other(CANCELLED.to_owned()))))
            .unwrap_or_else(|| Err(Unavailable::Other(SHORTER.to_owned())))
    }
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Image>();
};
