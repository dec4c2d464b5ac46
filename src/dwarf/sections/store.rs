//! The debug and unwind sections of an image, read from the files that have them and kept for as long as the image.

use super::missing_debug_info::{Problems, Subject};
use super::set::SectionSet;
use super::slice::Slice;
use super::split_units::has_split_unit;
use super::unit_header::whole;
use crate::cache::disk::Cache;
use crate::compressed::background_decompression::BackgroundDecompression;
use crate::elf::file::ElfFile;
use crate::elf::locate::{SearchPaths, Searched};
use crate::tasks::work::{Measure, READING, Workplace};
use base::untrusted::PathText as _;
use gimli::{SectionId, UnitHeader};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A file of debug info that is not the image's own.
pub(crate) struct Foreign {
    pub(crate) path: PathBuf,
    pub(crate) sections: SectionSet,
}

/// All sections of an image. Those of split units are read when a unit is asked for.
pub(crate) struct Sections {
    main: SectionSet,
    /// Location lists, read when somebody asks where a variable is.
    locations: OnceLock<SectionSet>,
    /// `.debug_aranges`, read when somebody asks which unit an address is of.
    aranges: OnceLock<SectionSet>,
    /// Macros, read when somebody asks for one of a unit that has some.
    macros: OnceLock<SectionSet>,
    /// `.gdb_index` and `.debug_names`, read when somebody asks for a name.
    names: OnceLock<SectionSet>,
    pub(crate) work: Workplace,
    debug: Arc<ElfFile>,
    pub(crate) cache: Cache,
    pub(crate) supplement: Option<Foreign>,
    /// Link-time addresses of the sections that unwind tables count from.
    bases: gimli::BaseAddresses,
    places: Arc<SearchPaths>,
    debug_file: Option<PathBuf>,
    package: OnceLock<Option<Foreign>>,
    /// By the number of the skeleton unit.
    split: OnceLock<Box<[OnceLock<Option<Foreign>>]>>,
    pub(crate) problems: Arc<Problems>,
}

impl Sections {
    /// Reads what the debugger needs of a file and of the file `debug` with its debug info, which may be the same. A
    /// section that cannot be read counts as absent.
    pub(crate) fn read(
        file: &Arc<ElfFile>,
        debug: &Arc<ElfFile>,
        places: &Arc<SearchPaths>,
        problems: &Arc<Problems>,
        cache: &Cache,
        work: &Workplace,
    ) -> Self {
        let damaged = |subject, found: Result<(), String>| {
            if let Err(text) = found {
                problems.add(subject, text);
            }
        };
        let mut main = SectionSet::default();
        damaged(Subject::DebugFile, main.read_debug(debug, cache, work));
        for (name, files) in [(EH_FRAME, [file, debug]), (EH_FRAME_HDR, [file, debug]), (DEBUG_FRAME, [debug, file])] {
            if let Some(bytes) = files.iter().find_map(|f| f.section_bytes(name).ok().flatten()) {
                main.insert(name, bytes);
            }
        }
        let supplement = match places.supplement(debug) {
            Some(Ok(file)) => {
                let file = Arc::new(file);
                let mut sections = SectionSet::default();
                let names = SUPPLEMENT_SECTIONS.iter().map(|id| id.name());
                damaged(Subject::Supplement, sections.read(&file, names, cache, work));
                Some(Foreign { path: file.path().to_owned(), sections })
            }
            Some(Err(searched)) => {
                let path = debug.path().in_text();
                let text =
                    format!("the supplementary file that {path} shares debug info with was not found: {searched}");
                problems.add(Subject::Supplement, text);
                None
            }
            None => None,
        };
        Self {
            main,
            locations: OnceLock::new(),
            aranges: OnceLock::new(),
            macros: OnceLock::new(),
            names: OnceLock::new(),
            work: work.clone(),
            debug: debug.clone(),
            cache: cache.clone(),
            supplement,
            bases: base_addresses(file),
            places: places.clone(),
            debug_file: (!Arc::ptr_eq(file, debug)).then(|| debug.path().to_owned()),
            package: OnceLock::new(),
            split: OnceLock::new(),
            problems: problems.clone(),
        }
    }

    /// Returns the sections of the file with the debug info, as gimli reads them.
    pub(crate) fn dwarf(&self) -> gimli::Dwarf<Slice<'_>> {
        let mut dwarf = self.main.dwarf();
        if let Some(supplement) = &self.supplement {
            let mut shared = supplement.sections.dwarf();
            shared.populate_abbreviations_cache(gimli::AbbreviationsCacheStrategy::Duplicates);
            dwarf.set_sup(shared);
        }
        dwarf.populate_abbreviations_cache(gimli::AbbreviationsCacheStrategy::Duplicates);
        dwarf
    }

    /// Returns one of the unwind sections: of the image's own file, or of its debug file.
    pub(crate) fn unwind_section(&self, id: SectionId) -> Slice<'_> {
        self.main.get(id.name())
    }

    /// Returns the link-time addresses of the sections that unwind tables count from.
    pub(crate) fn bases(&self) -> &gimli::BaseAddresses {
        &self.bases
    }

    /// Returns a file that a section is in, if that became shorter while it was mapped.
    pub(crate) fn shortened(&self) -> Option<&Path> {
        let later = [&self.locations, &self.aranges, &self.macros, &self.names];
        let own = std::iter::once(&self.main).chain(later.into_iter().filter_map(OnceLock::get));
        let split = self.split.get().into_iter().flatten().filter_map(|unit| unit.get()?.as_ref());
        let foreign = self.supplement.iter().chain(self.package_in_use()).chain(split);
        own.chain(foreign.map(|file| &file.sections)).find_map(SectionSet::shortened)
    }

    /// Waits for what the thread that decompresses `.debug_info` makes, as long as somebody wants it.
    fn wait(&self, decompression: &BackgroundDecompression, is_there: impl Fn(Duration) -> bool) {
        let size = self.main.info_size() as u64;
        let made = || if decompression.has_ended() { size } else { decompression.made() };
        self.work.wait(READING, Measure::Bytes, size, made, is_there);
    }

    /// Returns the decompression of `.debug_info`, if that is not known to its end from the beginning.
    pub(crate) fn decompression(&self) -> Option<&Arc<BackgroundDecompression>> {
        self.main.info_in_parts()?.decompression()
    }

    /// Returns whether `.debug_info` is being decompressed, and not known to its end.
    pub(crate) fn is_decompressing(&self) -> bool {
        self.decompression().is_some_and(|decompression| !decompression.has_ended())
    }

    /// Waits until it is known where all units of `.debug_info` are. Whether it is sound.
    pub(crate) fn wait_for_units(&self) -> bool {
        if let Some(decompression) = self.decompression() {
            self.wait(decompression, |patience| decompression.knows_units(patience));
        }
        if self.main.info_in_parts().is_none_or(|section| section.heads().is_ok()) {
            return true;
        }
        let text = self.debug.damaged(SectionId::DebugInfo.name()).map(|error| error.to_string());
        self.problems.add(Subject::DebugFile, text.unwrap_or_default());
        false
    }

    /// Returns where the unit of `.debug_info` around an offset is, if that is being decompressed; waits for it.
    pub(crate) fn unit_around(&self, offset: usize) -> Option<Range<usize>> {
        let decompression = self.decompression()?;
        self.wait(decompression, |patience| decompression.knows_unit(offset, patience));
        decompression.unit_around(offset)
    }

    /// Returns the file with the debug info.
    pub(crate) fn debug(&self) -> &Arc<ElfFile> {
        &self.debug
    }

    /// Returns the header of a unit of `.debug_info` with its entries; waits until they are there. `None` if they
    /// cannot be had.
    pub(crate) fn unit<'a>(&'a self, header: UnitHeader<Slice<'a>>) -> Option<UnitHeader<Slice<'a>>> {
        let end = header.offset().0.checked_add(header.length_including_self())?;
        self.wait_for_info(end);
        self.main.unit(header)
    }

    /// Returns the header of the unit of a `.debug_info` that is being decompressed, as [`Self::unit_around`] has it.
    pub(crate) fn early_unit(&self, range: Range<usize>) -> Option<UnitHeader<Slice<'_>>> {
        self.wait_for_info(range.end);
        let start = range.start;
        whole(self.main.info_in_parts()?.get(range)?, start)
    }

    /// Waits until `.debug_info` is decompressed so far.
    fn wait_for_info(&self, end: usize) {
        if let Some(decompression) = self.decompression() {
            self.wait(decompression, |patience| decompression.reaches(end, patience));
        }
    }

    /// Takes all of `.debug_info` and `.debug_str` out of memory; they are read again when they are needed.
    pub(crate) fn forget_all(&self) {
        self.main.forget_all();
    }

    /// Returns the sections of the file with the debug info that are read to begin with.
    pub(crate) fn main(&self) -> &SectionSet {
        &self.main
    }

    /// Returns `.debug_aranges` of the file with the debug info; empty if it has none.
    pub(crate) fn aranges(&self) -> gimli::DebugAranges<Slice<'_>> {
        let name = SectionId::DebugAranges.name();
        let set = self.aranges.get_or_init(|| {
            let mut set = SectionSet::default();
            // What cannot be read counts as absent: the units say the same.
            let _ = set.read(&self.debug, [name], &self.cache, &self.work);
            set
        });
        gimli::DebugAranges::from(set.get(name))
    }

    /// Returns one of [`MACRO_SECTIONS`] of the file with the debug info; empty if it has none.
    pub(crate) fn macro_section(&self, id: SectionId) -> Slice<'_> {
        let set = self.macros.get_or_init(|| {
            let mut set = SectionSet::default();
            let names = MACRO_SECTIONS.iter().map(|id| id.name());
            if let Err(text) = set.read(&self.debug, names, &self.cache, &self.work) {
                self.problems.add(Subject::DebugFile, text);
                self.problems.suffer(|subject| subject == Subject::DebugFile);
            }
            set
        });
        set.get(id.name())
    }

    /// Returns one of [`NAME_TABLES`] of the file with the debug info; empty if it has none.
    pub(crate) fn names_section(&self, name: &str) -> Slice<'_> {
        let set = self.names.get_or_init(|| {
            let mut set = SectionSet::default();
            // What cannot be read counts as absent: the units say the same.
            let _ = set.read(&self.debug, NAME_TABLES, &self.cache, &self.work);
            set
        });
        set.get(name)
    }

    /// Returns the sections of the file with the debug info, and besides, its location lists, read the first time.
    pub(crate) fn with_locations(&self) -> gimli::Dwarf<Slice<'_>> {
        let locations = self.locations.get_or_init(|| {
            let mut locations = SectionSet::default();
            let names = LOCATION_SECTIONS.iter().map(|id| id.name());
            if let Err(text) = locations.read(&self.debug, names, &self.cache, &self.work) {
                self.problems.add(Subject::DebugFile, text);
                self.problems.suffer(|subject| subject == Subject::DebugFile);
            }
            locations
        });
        let set = |id| if LOCATION_SECTIONS.contains(&id) { locations } else { &self.main };
        let Ok(dwarf) = gimli::Dwarf::load(|id| Ok::<_, std::convert::Infallible>(set(id).get(id.name())));
        dwarf
    }

    /// Opens the package of the image's split units, looked for the first time; `None` if there is none.
    pub(crate) fn package(&self) -> Option<&Foreign> {
        let open = || {
            let candidates = self.places.packages(self.debug_file.as_deref());
            let mut searched = Searched::default();
            searched.first(candidates, |file| {
                let (file, mut sections) = (Arc::new(file), SectionSet::default());
                let names = PACKAGE_SECTIONS.iter().chain(&SPLIT_SECTIONS).filter_map(|id| id.dwo_name());
                sections
                    .read(&file, names, &self.cache, &self.work)
                    .map_err(crate::elf::locate::Refusal::Unreadable)?;
                Ok(Foreign { path: file.path().to_owned(), sections })
            })
        };
        self.package.get_or_init(open).as_ref()
    }

    /// Returns the package, if it was looked for and there is one.
    pub(crate) fn package_in_use(&self) -> Option<&Foreign> {
        self.package.get()?.as_ref()
    }

    /// Opens the file with the split unit of a skeleton, looked for the first time. What is wrong is noted as a
    /// problem.
    pub(crate) fn split(&self, skeleton: &Skeleton<'_>) -> Option<&Foreign> {
        let all = self.split.get_or_init(|| (0..skeleton.count).map(|_| OnceLock::new()).collect());
        let open = || {
            let name = Path::new(skeleton.name);
            let candidates =
                self.places.split_units(name, skeleton.compiled_in.map(Path::new), self.debug_file.as_deref());
            let mut searched = Searched::default();
            let found = searched.first(candidates, |file| {
                let (file, mut sections) = (Arc::new(file), SectionSet::default());
                let names = SPLIT_SECTIONS.iter().filter_map(|id| id.dwo_name());
                sections
                    .read(&file, names, &self.cache, &self.work)
                    .map_err(crate::elf::locate::Refusal::Unreadable)?;
                if !has_split_unit(&sections, skeleton.id) {
                    return Err(crate::elf::locate::Refusal::NoUnit(skeleton.id));
                }
                Ok(Foreign { path: file.path().to_owned(), sections })
            });
            if found.is_none() {
                let package = self.package().map(|p| format!("; {} has no unit of its id", p.path.in_text()));
                let (name, package) = (skeleton.name, package.unwrap_or_default());
                let text = format!("the debug info of a unit is in {name}, which was not found: {searched}{package}");
                self.problems.add(Subject::Split(skeleton.number), text);
            }
            found
        };
        all.get(skeleton.number)?.get_or_init(open).as_ref()
    }
}

/// What a skeleton unit says about its split unit.
pub(crate) struct Skeleton<'s> {
    /// Which of the image's units it is, of so many.
    pub(crate) number: usize,
    pub(crate) count: usize,
    /// DW_AT_dwo_name.
    pub(crate) name: &'s str,
    /// DW_AT_comp_dir.
    pub(crate) compiled_in: Option<&'s str>,
    /// What both are known by.
    pub(crate) id: u64,
}

const EH_FRAME: &str = ".eh_frame";
const EH_FRAME_HDR: &str = ".eh_frame_hdr";
const DEBUG_FRAME: &str = ".debug_frame";

/// Tables of names that a linker or GDB adds.
const NAME_TABLES: [&str; 2] = [".gdb_index", ".debug_names"];

/// Sections that only the locations of variables need.
const LOCATION_SECTIONS: [SectionId; 2] = [SectionId::DebugLoc, SectionId::DebugLocLists];

/// Sections that only macros need.
const MACRO_SECTIONS: [SectionId; 2] = [SectionId::DebugMacro, SectionId::DebugMacinfo];

/// What a supplementary file has; it describes no code (DWARF 5 section 7.3.6).
const SUPPLEMENT_SECTIONS: [SectionId; 7] = [
    SectionId::DebugAbbrev,
    SectionId::DebugInfo,
    SectionId::DebugLine,
    SectionId::DebugLineStr,
    SectionId::DebugMacro,
    SectionId::DebugStr,
    SectionId::DebugStrOffsets,
];

/// What a file of split units has (DWARF 5 section 7.3.2.2); `.debug_loc.dwo` and `.debug_types.dwo` are from before.
const SPLIT_SECTIONS: [SectionId; 11] = [
    SectionId::DebugAbbrev,
    SectionId::DebugInfo,
    SectionId::DebugLine,
    SectionId::DebugLoc,
    SectionId::DebugLocLists,
    SectionId::DebugMacinfo,
    SectionId::DebugMacro,
    SectionId::DebugRngLists,
    SectionId::DebugStr,
    SectionId::DebugStrOffsets,
    SectionId::DebugTypes,
];

/// What a package has besides.
const PACKAGE_SECTIONS: [SectionId; 2] = [SectionId::DebugCuIndex, SectionId::DebugTuIndex];

fn base_addresses(file: &ElfFile) -> gimli::BaseAddresses {
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
    bases
}
