//! The facade: one ELF file with everything known about it.

use super::error::Error;
use super::locate::find_debug_file;
use super::object::{Bytes, ElfFile, SectionBytes};
use super::symbols::SymbolTable;
use super::types::TypeCache;
use super::units::{Debug, FrameSections, Slice};
use crate::arch::{Arch, LinkAddr};
use crate::ctype::TypeLoader;
use gimli::LittleEndian;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, Weak};

/// Where separate debug files are looked for.
#[derive(Clone, Debug, Default)]
pub struct DebugPaths {
    /// Roots that hold `.build-id/xx/yyyy.debug` and mirrored paths: `/usr/lib/debug`.
    pub directories: Vec<PathBuf>,
}

/// A PT_LOAD program header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// `p_vaddr`.
    pub address: LinkAddr,
    /// Bytes in memory.
    pub size: u64,
    /// Where it starts in the file.
    pub file_offset: u64,
    /// Bytes in the file; the rest of the segment is zero.
    pub file_size: u64,
    /// PF_X.
    pub executable: bool,
    /// PF_W.
    pub writable: bool,
}

/// Which name space of C a type's tag is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeTag {
    /// `struct` or `class`
    Struct,
    /// `union`
    Union,
    /// `enum`
    Enum,
}

/// Debug and unwind sections by name.
type Sections = HashMap<&'static str, SectionBytes>;

self_cell::self_cell!(
    /// Parsed debug information together with the bytes it borrows. Its caches make it invariant.
    struct LoadedDebug {
        owner: Sections,
        #[not_covariant]
        dependent: Debug,
    }
);

/// One ELF file with everything known about it. Opening is cheap; indexes are built when first needed. Send + Sync.
pub struct Image {
    file: Arc<ElfFile>,
    /// The separate debug file, if there is one.
    debug_file: Option<Arc<ElfFile>>,
    debug: OnceLock<LoadedDebug>,
    symbols: OnceLock<SymbolTable>,
    /// Types made so far.
    pub(super) types: TypeCache,
    this: Weak<Image>,
}

impl Image {
    /// Maps an ELF file and finds its separate debug file.
    pub fn open(path: &Path, debug: &DebugPaths) -> Result<Arc<Image>, Error> {
        let file = ElfFile::open(path)?;
        let debug_file = find_debug_file(&file, debug);
        Ok(Self::new(file, debug_file))
    }

    /// From bytes already in memory (the vdso / rr page read out of the process).
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Arc<Image>, Error> {
        Ok(Self::new(ElfFile::parse(Path::new(name), Bytes::Owned(bytes))?, None))
    }

    fn new(file: ElfFile, debug_file: Option<ElfFile>) -> Arc<Image> {
        Arc::new_cyclic(|this| Image {
            file: Arc::new(file),
            debug_file: debug_file.map(Arc::new),
            debug: OnceLock::new(),
            symbols: OnceLock::new(),
            types: TypeCache::default(),
            this: this.clone(),
        })
    }

    /// What resolves lazy links of types that this image makes.
    pub(super) fn type_loader(&self) -> Weak<dyn TypeLoader> {
        self.this.clone()
    }

    /// Runs `f` over the parsed debug information, which is loaded the first time.
    pub(super) fn with_debug<R>(&self, f: impl FnOnce(&Debug<'_>) -> R) -> R {
        let loaded =
            self.debug.get_or_init(|| LoadedDebug::new(self.read_sections(), |s| parse_sections(s, &self.file)));
        loaded.with_dependent(|_, debug| f(debug))
    }

    /// The symbol tables, read the first time.
    pub(super) fn symbols(&self) -> &SymbolTable {
        self.symbols.get_or_init(|| {
            let files: Vec<_> = std::iter::once(&self.file).chain(&self.debug_file).collect();
            SymbolTable::read(&files)
        })
    }

    /// Reads what the debugger needs of the file and its debug file. A section that cannot be read counts as absent.
    fn read_sections(&self) -> Sections {
        let mut sections = Sections::new();
        let debug = self.debug_elf();
        for name in DEBUG_SECTIONS.iter().map(|id| id.name()) {
            if let Ok(Some(bytes)) = debug.section_bytes(name) {
                sections.insert(name, bytes);
            }
        }
        for (name, files) in
            [(EH_FRAME, [&self.file, debug]), (EH_FRAME_HDR, [&self.file, debug]), (DEBUG_FRAME, [debug, &self.file])]
        {
            if let Some(bytes) = files.iter().find_map(|f| f.section_bytes(name).ok().flatten()) {
                sections.insert(name, bytes);
            }
        }
        sections
    }

    /// The ELF file itself.
    pub(super) fn elf(&self) -> &ElfFile {
        &self.file
    }

    /// The file that has `.debug_info`: the image itself, or its separate debug file.
    pub(super) fn debug_elf(&self) -> &Arc<ElfFile> {
        match &self.debug_file {
            Some(separate) if separate.section(".debug_info").is_some() => separate,
            _ => &self.file,
        }
    }

    /// The file it was opened from.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The separate debug file in use, if any.
    pub fn debug_file(&self) -> Option<&Path> {
        self.debug_file.as_ref().map(|f| f.path())
    }

    /// Whether there is `.debug_info`, in the file or in its debug file.
    pub fn has_debug_info(&self) -> bool {
        self.debug_elf().section(".debug_info").is_some()
    }

    /// `e_machine`.
    pub fn arch(&self) -> Arch {
        self.file.arch
    }

    /// NT_GNU_BUILD_ID.
    pub fn build_id(&self) -> Option<&[u8]> {
        self.file.build_id.as_deref()
    }

    /// `e_entry`.
    pub fn entry(&self) -> LinkAddr {
        self.file.entry
    }

    /// The PT_LOAD segments, in the order of the program headers.
    pub fn segments(&self) -> &[Segment] {
        &self.file.segments
    }

    /// Address of PT_DYNAMIC; `None` for a static executable.
    pub fn dynamic(&self) -> Option<LinkAddr> {
        self.file.dynamic
    }

    /// Where the program headers are in memory: what AT_PHDR gives for the executable, less the bias.
    pub fn program_headers(&self) -> Option<LinkAddr> {
        self.file.program_headers
    }

    /// Text of PT_INTERP.
    pub fn interpreter(&self) -> Option<&str> {
        self.file.interpreter.as_deref()
    }

    /// (size in memory, alignment) of PT_TLS.
    pub fn tls_segment(&self) -> Option<(u64, u64)> {
        self.file.tls
    }

    /// Section name for an address: `.text`, `.plt`, `.plt.sec`, `.plt.got`.
    pub fn section_at(&self, a: LinkAddr) -> Option<&str> {
        self.file.section_at(a).map(|s| s.name.as_str())
    }

    /// Bytes as the file has them (rr patches memory; disassemble from here). `None` unless the file has them all.
    pub fn file_bytes(&self, at: LinkAddr, len: usize) -> Option<&[u8]> {
        self.file.bytes_at(at, len)
    }
}

const EH_FRAME: &str = ".eh_frame";
const EH_FRAME_HDR: &str = ".eh_frame_hdr";
const DEBUG_FRAME: &str = ".debug_frame";

/// Sections that describe lines, scopes, types and locations. They belong together, so all are taken from one file.
const DEBUG_SECTIONS: [gimli::SectionId; 14] = [
    gimli::SectionId::DebugAbbrev,
    gimli::SectionId::DebugAddr,
    gimli::SectionId::DebugAranges,
    gimli::SectionId::DebugInfo,
    gimli::SectionId::DebugLine,
    gimli::SectionId::DebugLineStr,
    gimli::SectionId::DebugLoc,
    gimli::SectionId::DebugLocLists,
    gimli::SectionId::DebugRanges,
    gimli::SectionId::DebugRngLists,
    gimli::SectionId::DebugStr,
    gimli::SectionId::DebugStrOffsets,
    gimli::SectionId::DebugTypes,
    gimli::SectionId::DebugNames,
];

fn parse_sections<'a>(sections: &'a Sections, file: &ElfFile) -> Debug<'a> {
    let get = |name: &str| Slice::new(sections.get(name).map(|s| &**s).unwrap_or_default(), LittleEndian);
    let Ok(dwarf) = gimli::Dwarf::load(|id| Ok::<_, std::convert::Infallible>(get(id.name())));
    let address = |name: &str| file.sections.iter().find(|s| s.name == name).map(|s| s.address);
    let mut bases = gimli::BaseAddresses::default();
    if let Some(a) = address(EH_FRAME) {
        bases = bases.set_eh_frame(a);
    }
    if let Some(a) = address(EH_FRAME_HDR) {
        bases = bases.set_eh_frame_hdr(a);
    }
    if let Some(a) = address(".text") {
        bases = bases.set_text(a);
    }
    if let Some(a) = address(".got") {
        bases = bases.set_got(a);
    }
    let mut eh_frame = gimli::EhFrame::from(get(EH_FRAME));
    let mut debug_frame = gimli::DebugFrame::from(get(DEBUG_FRAME));
    // Both supported machines have 8-byte addresses.
    eh_frame.set_address_size(8);
    debug_frame.set_address_size(8);
    Debug::new(
        dwarf,
        FrameSections {
            eh_frame,
            eh_frame_hdr: get(EH_FRAME_HDR),
            debug_frame,
            bases,
            index: super::cfi::FdeIndex::default(),
        },
    )
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Image>();
};
