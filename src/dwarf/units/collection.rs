//! The parsed debug information of an image: its units, and the DIEs in them (DWARF 5 sections 2 and 7.5).
//!
//! Nothing here is read before it is asked for: the list of units needs only their headers; a unit's abbreviations and
//! root DIE are parsed when somebody looks into it. Units of other files (`split.rs`) are read when somebody looks into
//! the unit that stands for them.

use crate::arch::LinkAddr;
use crate::dwarf::lines::table::{FileTable, LineTable};
use crate::dwarf::macros::table::MacroTable;
use crate::dwarf::model::die::DieId;
use crate::dwarf::names::lookup::Names;
use crate::dwarf::scopes::inline_chain::{BlockTree, UnitFunctions};
use crate::dwarf::sections::store::Sections;
use crate::dwarf::units::addresses::UnitAddresses;
use crate::dwarf::units::early::EarlyUnits;
use crate::dwarf::units::imports::Importers;
use crate::dwarf::units::split::{FileNumber, OtherFiles};
use gimli::{AttributeValue, Section, UnitOffset};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// A piece of a debug section. Both supported machines are little-endian.
pub(in crate::dwarf) type Slice<'a> = gimli::EndianSlice<'a, gimli::LittleEndian>;
pub(in crate::dwarf) type Unit<'a> = gimli::Unit<Slice<'a>>;
pub(in crate::dwarf) type UnitRef<'d, 'a> = gimli::UnitRef<'d, Slice<'a>>;
pub(in crate::dwarf) type Die<'a> = gimli::DebuggingInformationEntry<Slice<'a>>;

/// Half-open address ranges.
pub(in crate::dwarf) type Ranges = Vec<(LinkAddr, LinkAddr)>;

/// [`DieId`]s with this bit are offsets into `.debug_types` (DWARF 4 type units) instead of `.debug_info`.
const TYPES_SECTION: u64 = 1 << 63;

/// No list of ranges is followed further than this: a malformed one may be as long as its section.
const MAX_RANGES: usize = 1 << 16;

/// All debug and unwind sections of an image, borrowing the bytes that the image keeps.
pub(in crate::dwarf) struct Debug<'a> {
    pub(in crate::dwarf) sections: &'a Sections,
    /// The sections of the file with the debug info.
    pub(in crate::dwarf) dwarf: gimli::Dwarf<Slice<'a>>,
    /// Its units, by rising [`DieId`].
    units: OnceLock<Vec<UnitEntry<'a>>>,
    /// Some of them, while it is not known where all are.
    pub(in crate::dwarf) early: EarlyUnits<'a>,
    /// The files that it refers to.
    pub(in crate::dwarf) others: OtherFiles<'a>,
    /// `.eh_frame`, `.eh_frame_hdr` and `.debug_frame`, empty if absent.
    pub(in crate::dwarf) frames: FrameSections<'a>,
    /// Filled by `lookup.rs`.
    pub(in crate::dwarf) names: Names<'a>,
    located: OnceLock<gimli::Dwarf<Slice<'a>>>,
    /// Filled by `unit_addresses.rs`.
    pub(in crate::dwarf) addresses: UnitAddresses,
    signatures: OnceLock<HashMap<u64, DieId>>,
    /// Filled by `imports.rs`.
    pub(in crate::dwarf) importers: OnceLock<Importers>,
    /// Blocks of the functions looked into so far. Filled by `scopes.rs`.
    pub(in crate::dwarf) block_trees: Mutex<HashMap<DieId, Arc<BlockTree>>>,
    /// Names made so far. Filled by `functions.rs`.
    pub(in crate::dwarf) display_names: Mutex<HashMap<DieId, Arc<str>>>,
}

/// What `cfi.rs` works on.
pub(in crate::dwarf) struct FrameSections<'a> {
    pub(in crate::dwarf) eh_frame: gimli::EhFrame<Slice<'a>>,
    pub(in crate::dwarf) eh_frame_hdr: Slice<'a>,
    pub(in crate::dwarf) debug_frame: gimli::DebugFrame<Slice<'a>>,
    /// Link-time addresses that pc-relative, text-relative and data-relative pointers are based on.
    pub(in crate::dwarf) bases: gimli::BaseAddresses,
    /// FDEs by address, where there is no usable `.eh_frame_hdr`.
    pub(in crate::dwarf) index: crate::dwarf::unwind::cfi::FdeIndex,
}

/// A unit: its header, and what was parsed of it so far.
pub(in crate::dwarf) struct UnitEntry<'a> {
    /// Id that a DIE at offset 0 of the unit would have.
    pub(in crate::dwarf) base: u64,
    end: u64,
    header: gimli::UnitHeader<Slice<'a>>,
    parsed: OnceLock<Option<Unit<'a>>>,
    /// Filled by `lines.rs`.
    pub(in crate::dwarf) files: OnceLock<FileTable>,
    /// Filled by `lines.rs`.
    pub(in crate::dwarf) lines: OnceLock<LineTable>,
    /// Filled by `macros.rs`; `None` if there are none.
    pub(in crate::dwarf) macros: OnceLock<Option<MacroTable<'a>>>,
    /// Filled by `scopes.rs`.
    pub(in crate::dwarf) functions: OnceLock<UnitFunctions>,
    /// Filled by `prologue.rs`.
    pub(in crate::dwarf) starts_at_entry: OnceLock<bool>,
}

impl<'a> Debug<'a> {
    /// Takes the sections; `.debug_info` is walked from unit header to unit header.
    pub(in crate::dwarf) fn new(
        sections: &'a Sections,
        mut dwarf: gimli::Dwarf<Slice<'a>>,
        frames: FrameSections<'a>,
    ) -> Self {
        dwarf.populate_abbreviations_cache(gimli::AbbreviationsCacheStrategy::Duplicates);
        let debug = Self {
            sections,
            others: OtherFiles::default(),
            dwarf,
            units: OnceLock::new(),
            early: EarlyUnits::default(),
            frames,
            names: Names::default(),
            located: OnceLock::new(),
            addresses: UnitAddresses::default(),
            signatures: OnceLock::new(),
            importers: OnceLock::new(),
            block_trees: Mutex::new(HashMap::new()),
            display_names: Mutex::new(HashMap::new()),
        };
        if !sections.is_unpacking() {
            debug.units();
        }
        debug
    }

    /// All units of the file with the debug info, by rising offset. Some may be skeletons of units elsewhere.
    pub(in crate::dwarf) fn units(&self) -> &[UnitEntry<'a>] {
        self.units.get_or_init(|| {
            let sound = self.sections.wait_for_units();
            let units = if sound { list_units(&self.dwarf, FileNumber::MAIN) } else { Vec::new() };
            // There is a header in most of its pages.
            self.sections.forget_all();
            units
        })
    }

    /// Whether it is not known yet where all units are.
    pub(in crate::dwarf) fn is_incomplete(&self) -> bool {
        self.units.get().is_none() && self.sections.is_unpacking()
    }

    /// A unit together with the location lists of its file, which are not read before somebody asks for them.
    pub(in crate::dwarf) fn with_locations<'d>(&'d self, unit: UnitRef<'d, 'a>) -> UnitRef<'d, 'a> {
        if !std::ptr::eq(unit.dwarf, &self.dwarf) {
            return unit;
        }
        UnitRef::new(self.located.get_or_init(|| self.sections.with_locations()), unit.unit)
    }

    /// The unit that a DIE is in.
    pub(in crate::dwarf) fn unit_of(&self, die: DieId) -> Option<&UnitEntry<'a>> {
        if let Some(unit) = self.early_unit_of(die) {
            return Some(unit);
        }
        let units = self.units_of(FileNumber::of(die))?;
        let after = units.partition_point(|u| u.base <= die.0);
        let unit = units.get(after.checked_sub(1)?)?;
        (die.0 < unit.end).then_some(unit)
    }

    /// A DIE with its unit.
    pub(in crate::dwarf) fn die(&self, id: DieId) -> Option<(&UnitEntry<'a>, UnitRef<'_, 'a>, Die<'a>)> {
        let entry = self.unit_of(id)?;
        let unit = entry.unit(self)?;
        let die = unit.entry(entry.offset_of(id)?).ok()?;
        Some((entry, unit, die))
    }

    /// Whether the debug info is so large that it is not to be read as a whole.
    pub(in crate::dwarf) fn is_large(&self) -> bool {
        self.info_size() >= self.sections.cache.large
    }

    /// Bytes of `.debug_info`.
    pub(in crate::dwarf) fn info_size(&self) -> u64 {
        self.dwarf.debug_info.reader().len() as u64
    }

    /// The code of a DIE: DW_AT_low_pc and DW_AT_high_pc, or DW_AT_ranges (DWARF 5 section 2.17). Ranges of code that
    /// the linker discarded are left out.
    pub(in crate::dwarf) fn ranges(&self, unit: UnitRef<'_, 'a>, die: &Die<'a>) -> Ranges {
        if let Some(value) = die.attr_value(gimli::DW_AT_ranges) {
            return self.range_list(unit, value);
        }
        let low = die.attr_value(gimli::DW_AT_low_pc).and_then(|v| unit.attr_address(v).ok().flatten());
        let Some(low) = low else { return Vec::new() };
        let high = match die.attr_value(gimli::DW_AT_high_pc) {
            Some(AttributeValue::Udata(size)) => low.checked_add(size),
            Some(value) => unit.attr_address(value).ok().flatten(),
            None => None,
        };
        let live = |high: &u64| *high > low && !is_tombstone(low);
        high.filter(live).map(|high| (LinkAddr(low), LinkAddr(high))).into_iter().collect()
    }

    /// Where a block is entered: DW_AT_entry_pc if the block has the code there (an optimiser may have moved some of it
    /// before, and may have left nothing there), or else its first address.
    pub(in crate::dwarf) fn entry_address(&self, unit: UnitRef<'_, 'a>, die: &Die<'a>) -> Option<LinkAddr> {
        let ranges = self.ranges(unit, die);
        let (first, _) = *ranges.first()?;
        let entry = self.entry_named(unit, die, first);
        let inside = |entry: &LinkAddr| ranges.iter().any(|(start, end)| start <= entry && entry < end);
        Some(entry.filter(inside).unwrap_or(first))
    }

    /// What a block that begins at `first` itself calls its entry, whether that is inside it or not.
    pub(in crate::dwarf) fn entry_named(
        &self,
        unit: UnitRef<'_, 'a>,
        die: &Die<'a>,
        first: LinkAddr,
    ) -> Option<LinkAddr> {
        let value = die.attr_value(gimli::DW_AT_entry_pc)?;
        match unit.attr_address(value) {
            Ok(Some(address)) => Some(LinkAddr(address)),
            // Counted from the block's own address.
            _ => value.udata_value().and_then(|offset| first.0.checked_add(offset)).map(LinkAddr),
        }
    }

    /// The ranges that a DW_AT_ranges value stands for.
    pub(in crate::dwarf) fn range_list(&self, unit: UnitRef<'_, 'a>, value: AttributeValue<Slice<'a>>) -> Ranges {
        let mut ranges = Vec::new();
        let Ok(Some(mut list)) = unit.attr_ranges(value) else {
            return ranges;
        };
        while let Ok(Some(range)) = list.next() {
            if range.begin < range.end && !is_tombstone(range.begin) {
                ranges.push((LinkAddr(range.begin), LinkAddr(range.end)));
            }
            if ranges.len() >= MAX_RANGES {
                break;
            }
        }
        ranges
    }

    /// The DIE that an attribute of class reference points to, wherever it is.
    pub(in crate::dwarf) fn reference(&self, from: &UnitEntry<'a>, value: AttributeValue<Slice<'a>>) -> Option<DieId> {
        match value {
            AttributeValue::UnitRef(offset) => from.id_of(offset),
            AttributeValue::DebugInfoRef(offset) => from.file().die_at(offset.0 as u64),
            // DW_FORM_GNU_ref_alt, DW_FORM_ref_sup4 and DW_FORM_ref_sup8.
            AttributeValue::DebugInfoRefSup(offset) => {
                self.need_supplement();
                FileNumber::SUPPLEMENT.die_at(offset.0 as u64)
            }
            AttributeValue::DebugTypesRef(signature) => self.type_unit(from, signature.0),
            _ => None,
        }
    }

    /// The DIE that an attribute of `die` refers to.
    pub(in crate::dwarf) fn referenced(
        &self,
        from: &UnitEntry<'a>,
        die: &Die<'a>,
        attribute: gimli::DwAt,
    ) -> Option<DieId> {
        self.reference(from, die.attr_value(attribute)?)
    }

    /// The type that a type unit of the file with the debug info defines, by its signature.
    pub(in crate::dwarf) fn main_type_unit(&self, signature: u64) -> Option<DieId> {
        self.signatures.get_or_init(|| signatures(self.units())).get(&signature).copied()
    }

    /// A string attribute, wherever the string is kept.
    pub(in crate::dwarf) fn string(&self, unit: UnitRef<'_, 'a>, value: AttributeValue<Slice<'a>>) -> Option<&'a str> {
        if matches!(value, AttributeValue::DebugStrRefSup(_)) {
            self.need_supplement();
        }
        let text = unit.attr_string(value).ok()?;
        std::str::from_utf8(text.slice()).ok()
    }

    /// DW_AT_name.
    pub(in crate::dwarf) fn name(&self, unit: UnitRef<'_, 'a>, die: &Die<'a>) -> Option<&'a str> {
        self.string(unit, die.attr_value(gimli::DW_AT_name)?)
    }
}

/// The units of a file, by rising [`DieId`].
pub(in crate::dwarf) fn list_units<'a>(dwarf: &gimli::Dwarf<Slice<'a>>, file: FileNumber) -> Vec<UnitEntry<'a>> {
    let mut units = Vec::new();
    let mut headers = dwarf.units();
    // A malformed header ends the list: nothing says where the next one would be.
    while let Ok(Some(header)) = headers.next() {
        units.extend(UnitEntry::new(file, header));
    }
    let mut headers = dwarf.type_units();
    while let Ok(Some(header)) = headers.next() {
        units.extend(UnitEntry::new(file, header));
    }
    units
}

/// The types that type units define, by their signatures.
pub(in crate::dwarf) fn signatures(units: &[UnitEntry<'_>]) -> HashMap<u64, DieId> {
    let signature = |u: &UnitEntry<'_>| match u.header.type_() {
        gimli::UnitType::Type { type_signature, type_offset }
        | gimli::UnitType::SplitType { type_signature, type_offset } => Some((type_signature.0, u.id_of(type_offset)?)),
        _ => None,
    };
    units.iter().filter_map(signature).collect()
}

impl<'a> UnitEntry<'a> {
    /// `None` if DIEs of the unit would have no ids: its section is larger than any can be.
    pub(in crate::dwarf) fn new(file: FileNumber, header: gimli::UnitHeader<Slice<'a>>) -> Option<Self> {
        let types = header.section() == gimli::SectionId::DebugTypes;
        let base = file.die_at(header.offset().0 as u64)?.0 | if types { TYPES_SECTION } else { 0 };
        let length = header.length_including_self() as u64;
        file.die_at((header.offset().0 as u64).checked_add(length)?)?;
        Some(Self {
            base,
            end: base + length,
            header,
            parsed: OnceLock::new(),
            files: OnceLock::new(),
            lines: OnceLock::new(),
            macros: OnceLock::new(),
            functions: OnceLock::new(),
            starts_at_entry: OnceLock::new(),
        })
    }

    /// Whether a DIE is in the unit.
    pub(in crate::dwarf) fn has(&self, die: DieId) -> bool {
        (self.base..self.end).contains(&die.0)
    }

    /// Which file the unit is in.
    pub(in crate::dwarf) fn file(&self) -> FileNumber {
        FileNumber::of(DieId(self.base))
    }

    /// What is known of the unit before it is parsed.
    pub(in crate::dwarf) fn header(&self) -> &gimli::UnitHeader<Slice<'a>> {
        &self.header
    }

    /// The id of its root DIE.
    pub(in crate::dwarf) fn root(&self) -> Option<DieId> {
        self.id_of(self.header.root_offset())
    }

    /// The unit, parsed when first asked for; `None` if it is malformed.
    pub(in crate::dwarf) fn unit<'d>(&'d self, debug: &'d Debug<'a>) -> Option<UnitRef<'d, 'a>> {
        let dwarf = debug.dwarf_of(self.file())?;
        let parse = || {
            if self.file() == FileNumber::MAIN && self.header.section() == gimli::SectionId::DebugInfo {
                let start = self.header.offset().0;
                debug.sections.need_info(start..start + self.header.length_including_self());
            }
            let mut unit = dwarf.unit(self.header).ok()?;
            if let Some(skeleton) = debug.skeleton_of(self).and_then(|skeleton| skeleton.unit(debug)) {
                unit.copy_relocated_attributes(skeleton.unit);
                unit.comp_dir = unit.comp_dir.or(skeleton.comp_dir);
            }
            Some(unit)
        };
        self.parsed.get_or_init(parse).as_ref().map(|unit| unit.unit_ref(dwarf))
    }

    /// The image-wide id of a DIE of this unit; `None` if the offset is not in the unit.
    pub(in crate::dwarf) fn id_of(&self, offset: UnitOffset) -> Option<DieId> {
        let id = self.base.checked_add(offset.0 as u64)?;
        (id < self.end).then_some(DieId(id))
    }

    /// The offset within this unit of one of its DIEs.
    pub(in crate::dwarf) fn offset_of(&self, id: DieId) -> Option<UnitOffset> {
        let offset = id.0.checked_sub(self.base)?;
        if id.0 >= self.end {
            return None;
        }
        usize::try_from(offset).ok().map(UnitOffset)
    }
}

/// Whether a linker put this address where it discarded the code: 0 (GNU ld), or -1 and -2 (lld).
pub(in crate::dwarf) fn is_tombstone(address: u64) -> bool {
    address == 0 || address >= u64::MAX - 1
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Debug<'static>>();
};
