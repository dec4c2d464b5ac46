//! The parsed debug information of an image: its units, and the DIEs in them (DWARF 5 sections 2 and 7.5).
//!
//! Nothing here is read before it is asked for: the list of units needs only their headers; a unit's abbreviations and
//! root DIE are parsed when somebody looks into it. Units of other files are read when somebody looks into
//! the unit that stands for them.

use super::blocks::BlockTree;
use super::code_map::CodeMap;
use super::entry::{MOST_UNITS, UnitEntry, list_units, signatures};
use super::file_number::{FileNumber, Which};
use super::line_headers::HeaderAllowance;
use super::prologue::Prologue;
use super::unit_cache::PerUnit;
use super::units_in_other_files::{OtherFiles, Package, Part};
use crate::lines::allowance::RowAllowance;
use crate::model::die::DieId;
use crate::sections::missing_debug_info::Subject;
use crate::sections::slice::{Die, Slice, UnitRef};
use crate::sections::split_units::{split_id, split_sections};
use crate::sections::store::{Sections, Skeleton};
use crate::unwind::cfi::FrameSections;
use gimli::{AttributeValue, LittleEndian, SectionId, UnitType};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// The units of an image, borrowing the bytes that the image keeps.
pub(crate) struct Units<'a> {
    pub(crate) sections: &'a Sections,
    /// The call frame information of the image.
    pub(crate) frames: FrameSections<'a>,
    /// The sections of the file with the debug info.
    pub(crate) dwarf: gimli::Dwarf<Slice<'a>>,
    /// Its units, by rising [`DieId`].
    list: OnceLock<Vec<UnitEntry<'a>>>,
    /// Some of them, while it is not known where all are.
    early: PerUnit<UnitEntry<'a>>,
    /// The files that it refers to.
    others: OtherFiles<'a>,
    located: OnceLock<gimli::Dwarf<Slice<'a>>>,
    /// What is left to be read of its line tables.
    pub(super) rows: RowAllowance,
    /// What is left to be read of their headers.
    pub(super) headers: HeaderAllowance,
    pub(super) code: CodeMap,
    signatures: OnceLock<HashMap<u64, DieId>>,
    /// Units by the root DIEs of the partial units that they import, directly or not; of several, the first.
    pub(super) importers: OnceLock<HashMap<DieId, usize>>,
    /// Prologues of the functions looked into so far.
    pub(super) prologues: Mutex<HashMap<DieId, Option<Prologue>>>,
    /// Blocks of the functions looked into so far.
    pub(super) block_trees: Mutex<HashMap<DieId, Arc<BlockTree>>>,
}

impl<'a> Units<'a> {
    /// Takes the sections; `.debug_info` is walked from unit header to unit header.
    pub(crate) fn new(sections: &'a Sections) -> Self {
        let line_bytes = sections.debug().size_in_file(SectionId::DebugLine.name());
        let units = Self {
            sections,
            frames: FrameSections::of(sections),
            dwarf: sections.dwarf(),
            list: OnceLock::new(),
            early: PerUnit::default(),
            others: OtherFiles::default(),
            located: OnceLock::new(),
            rows: RowAllowance::of(line_bytes),
            headers: HeaderAllowance::of(line_bytes),
            code: CodeMap::default(),
            signatures: OnceLock::new(),
            importers: OnceLock::new(),
            prologues: Mutex::new(HashMap::new()),
            block_trees: Mutex::new(HashMap::new()),
        };
        if !sections.is_decompressing() {
            units.units();
        }
        units
    }

    /// Returns all units of the file with the debug info, by rising offset. Some may be skeletons of units elsewhere.
    pub(crate) fn units(&self) -> &[UnitEntry<'a>] {
        self.list.get_or_init(|| {
            let sound = self.sections.wait_for_units();
            let units = if sound {
                list_units(&self.dwarf, self.sections.main().outlines(), FileNumber::MAIN)
            } else {
                Vec::new()
            };
            if units.len() >= MOST_UNITS {
                let text = format!("more than {MOST_UNITS} units: what the others have is missing");
                self.sections.problems.add_suffered(Subject::DebugFile, text);
            }
            // There is a header in most of its pages.
            self.sections.forget_all();
            units
        })
    }

    /// Returns whether it is not known yet where all units are.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.list.get().is_none() && self.sections.is_decompressing()
    }

    /// Returns the unit together with the location lists of its file, which are not read before somebody asks for them.
    pub(crate) fn with_locations<'d>(&'d self, unit: UnitRef<'d, 'a>) -> UnitRef<'d, 'a> {
        if !std::ptr::eq(unit.dwarf, &self.dwarf) {
            return unit;
        }
        UnitRef::new(self.located.get_or_init(|| self.sections.with_locations()), unit.unit)
    }

    /// Finds the unit that a DIE is in.
    pub(crate) fn unit_of(&self, die: DieId) -> Option<&UnitEntry<'a>> {
        if let Some(unit) = self.early_unit_of(die) {
            return Some(unit);
        }
        let units = self.units_of(FileNumber::of(die))?;
        let after = units.partition_point(|u| u.base <= die.0);
        let unit = units.get(after.checked_sub(1)?)?;
        (die.0 < unit.end).then_some(unit)
    }

    /// Reads a DIE, and returns it with its unit.
    pub(crate) fn die(&self, id: DieId) -> Option<(&UnitEntry<'a>, UnitRef<'_, 'a>, Die<'a>)> {
        let entry = self.unit_of(id)?;
        let unit = entry.unit(self)?;
        let die = unit.entry(entry.offset_of(id)?).ok()?;
        Some((entry, unit, die))
    }

    /// Returns whether the debug info is so large that it is not to be read as a whole.
    pub(crate) fn is_large(&self) -> bool {
        self.info_size() >= self.sections.cache.large
    }

    /// Returns how many bytes are in `.debug_info`.
    pub(crate) fn info_size(&self) -> u64 {
        self.sections.main().info_size() as u64
    }

    /// Resolves the DIE that an attribute of class reference points to, wherever it is.
    pub(crate) fn reference(&self, from: &UnitEntry<'a>, value: AttributeValue<Slice<'a>>) -> Option<DieId> {
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

    /// Returns the DIE that an attribute of `die` refers to.
    pub(crate) fn referenced(&self, from: &UnitEntry<'a>, die: &Die<'a>, attribute: gimli::DwAt) -> Option<DieId> {
        self.reference(from, die.attr_value(attribute)?)
    }

    /// Finds the type that a type unit of the file with the debug info defines, by its signature.
    pub(crate) fn main_type_unit(&self, signature: u64) -> Option<DieId> {
        self.signatures.get_or_init(|| signatures(self.units())).get(&signature).copied()
    }

    /// Reads a string attribute, wherever the string is kept. What is not text of one line is no name.
    pub(crate) fn string(&self, unit: UnitRef<'_, 'a>, value: AttributeValue<Slice<'a>>) -> Option<&'a str> {
        if matches!(value, AttributeValue::DebugStrRefSup(_)) {
            self.need_supplement();
        }
        let text = unit.attr_string(value).ok()?;
        std::str::from_utf8(text.slice()).ok().filter(|text| !text.bytes().any(|byte| byte.is_ascii_control()))
    }

    /// Reads the DW_AT_name of a DIE.
    pub(crate) fn name(&self, unit: UnitRef<'_, 'a>, die: &Die<'a>) -> Option<&'a str> {
        self.string(unit, die.attr_value(gimli::DW_AT_name)?)
    }

    /// Finds the unit that a DIE is in, if not all units are known yet; waits until it is there.
    pub(crate) fn early_unit_of(&self, die: DieId) -> Option<&UnitEntry<'a>> {
        if !self.is_incomplete() || FileNumber::of(die) != FileNumber::MAIN {
            return None;
        }
        // Those of DIEs of `.debug_types` are greater than any.
        let range = self.sections.unit_around(usize::try_from(die.0).ok()?)?;
        let start = range.start;
        let read = || UnitEntry::new(FileNumber::MAIN, self.sections.early_unit(range)?);
        self.early.get_or_make(start as u64, read).filter(|unit| unit.has(die))
    }

    /// Returns the sections that a unit of this file is to be read with.
    pub(crate) fn dwarf_of(&self, file: FileNumber) -> Option<&gimli::Dwarf<Slice<'a>>> {
        match file.which() {
            Which::Main => Some(&self.dwarf),
            Which::Supplement => self.dwarf.sup(),
            Which::Split(_) | Which::PackagedType(_) => self.part(file).map(|part| &part.dwarf),
        }
    }

    /// Returns the units of a file, by rising [`DieId`].
    pub(crate) fn units_of(&self, file: FileNumber) -> Option<&[UnitEntry<'a>]> {
        match file.which() {
            Which::Main => Some(self.units()),
            Which::Supplement => {
                let read =
                    || self.dwarf.sup().map(|sup| list_units(sup, [], FileNumber::SUPPLEMENT)).unwrap_or_default();
                Some(self.others.supplement.get_or_init(read))
            }
            Which::Split(_) | Which::PackagedType(_) => self.part(file).map(|part| part.units.as_slice()),
        }
    }

    /// Returns the unit with this number, or if that is a skeleton, the unit that it stands for. `None` if that one
    /// cannot be had.
    pub(crate) fn full(&self, number: usize) -> Option<&UnitEntry<'a>> {
        let entry = self.units().get(number)?;
        if !self.is_skeleton(entry) {
            return Some(entry);
        }
        let part = self.part(FileNumber::split(number)?)?;
        part.units.get(part.own)
    }

    /// Returns the units that the unit with this number stands for: itself, or its split unit and the type units beside
    /// that.
    pub(crate) fn units_for(&self, number: usize) -> Vec<&UnitEntry<'a>> {
        match self.full(number) {
            Some(unit) if unit.file() == FileNumber::MAIN => vec![unit],
            Some(unit) => {
                let is_type = |u: &UnitEntry<'a>| {
                    matches!(u.header().type_(), UnitType::SplitType { .. } | UnitType::Type { .. })
                };
                let beside = self.units_of(unit.file()).unwrap_or_default().iter().filter(|u| is_type(u));
                std::iter::once(unit).chain(beside).collect()
            }
            None => Vec::new(),
        }
    }

    /// Returns the type units of the package, if the image has one that is in use.
    pub(crate) fn packaged_types(&self) -> Vec<&UnitEntry<'a>> {
        let rows = self.others.package.get().and_then(Option::as_ref).map_or(0, |package| package.types.len());
        let part = |row| self.part(FileNumber::packaged_type(u32::try_from(row).ok()?)?);
        (1..=rows).filter_map(part).filter_map(|part| part.units.get(part.own)).collect()
    }

    /// Finds the skeleton of a split unit.
    pub(crate) fn skeleton_of(&self, entry: &UnitEntry<'a>) -> Option<&UnitEntry<'a>> {
        match (entry.file().which(), entry.header().type_()) {
            (Which::Split(_), UnitType::Type { .. } | UnitType::SplitType { .. }) => None,
            (Which::Split(number), _) => self.units().get(number),
            _ => None,
        }
    }

    /// Finds the type that a type unit defines, by the signature that a DIE in `from` names it by.
    pub(crate) fn type_unit(&self, from: &UnitEntry<'a>, signature: u64) -> Option<DieId> {
        let beside = || match from.file().which() {
            Which::Split(_) => {
                let part = self.part(from.file())?;
                part.signatures.get_or_init(|| signatures(&part.units)).get(&signature).copied()
            }
            _ => None,
        };
        let packaged = || {
            let package = self.package().filter(|_| from.file() != FileNumber::MAIN)?;
            let file = FileNumber::packaged_type(package.parsed.tu_index.find(signature)?)?;
            let part = self.part(file)?;
            part.signatures.get_or_init(|| signatures(&part.units)).get(&signature).copied()
        };
        beside().or_else(packaged).or_else(|| self.main_type_unit(signature))
    }

    /// Notes that a unit refers to the supplementary file.
    pub(crate) fn need_supplement(&self) {
        if self.sections.supplement.is_none() {
            self.sections.problems.suffer(|subject| subject == Subject::Supplement);
        }
    }

    /// Returns whether a unit of the file with the debug info only stands for one elsewhere.
    pub(crate) fn is_skeleton(&self, entry: &UnitEntry<'a>) -> bool {
        // Before DWARF 5, an attribute of the root DIE tells.
        matches!(entry.header().type_(), UnitType::Skeleton(_))
            || entry.header().version() < 5 && entry.unit(self).is_some_and(|unit| unit.dwo_id.is_some())
    }

    fn part(&self, file: FileNumber) -> Option<&Part<'a>> {
        match file.which() {
            Which::Split(number) => {
                let all = self.others.split.get_or_init(|| self.units().iter().map(|_| OnceLock::new()).collect());
                all.get(number)?.get_or_init(|| self.read_split(number)).as_deref()
            }
            Which::PackagedType(row) => {
                let package = self.package()?;
                let read = || Part::new(package.parsed.tu_sections(row, &self.dwarf).ok()?, file, |_, _| true);
                package.types.get((row as usize).checked_sub(1)?)?.get_or_init(read).as_deref()
            }
            Which::Main | Which::Supplement => None,
        }
    }

    fn package(&self) -> Option<&Package<'a>> {
        let open = || {
            let sections = &self.sections.package()?.sections;
            let load = |id| Ok::<_, gimli::Error>(sections.of_split(id));
            let parsed = gimli::DwarfPackage::load(load, Slice::new(&[], LittleEndian)).ok()?;
            // An index without slots may claim any number of units.
            let rows = parsed.tu_index.unit_count().min(parsed.tu_index.slot_count());
            Some(Box::new(Package { parsed, types: (0..rows).map(|_| OnceLock::new()).collect() }))
        };
        self.others.package.get_or_init(open).as_deref()
    }

    fn read_split(&self, number: usize) -> Option<Box<Part<'a>>> {
        let skeleton = self.units().get(number)?.unit(self)?;
        let id = skeleton.dwo_id?;
        let file = FileNumber::split(number)?;
        let is_own = |dwarf: &gimli::Dwarf<Slice<'a>>, unit: &UnitEntry<'a>| split_id(dwarf, unit.header()) == Some(id);
        if let Some(package) = self.package()
            && let Ok(Some(dwarf)) = package.parsed.find_cu(id, &self.dwarf)
            && let Some(part) = Part::new(dwarf, file, is_own)
        {
            return Some(part);
        }
        let name = self.string(skeleton, skeleton.dwo_name().ok()??)?;
        let foreign = self.sections.split(&Skeleton {
            number,
            count: self.units().len(),
            name,
            compiled_in: skeleton.comp_dir.and_then(|directory| std::str::from_utf8(directory.slice()).ok()),
            id: id.0,
        })?;
        let mut dwarf = split_sections(&foreign.sections);
        dwarf.make_dwo(&self.dwarf);
        Part::new(dwarf, file, is_own)
    }
}

impl<'a> UnitEntry<'a> {
    /// Returns the unit, parsed when first asked for; `None` if it is malformed.
    pub(crate) fn unit<'d>(&'d self, units: &'d Units<'a>) -> Option<UnitRef<'d, 'a>> {
        let dwarf = units.dwarf_of(self.file())?;
        let parse = || {
            let is_info = self.file() == FileNumber::MAIN && self.header.section() == SectionId::DebugInfo;
            let header = if is_info { units.sections.unit(self.header)? } else { self.header };
            let abbreviations = dwarf.abbreviations(&header).ok()?;
            let root = header.entry(&abbreviations, header.root_offset()).ok();
            if root.is_some_and(|root| !units.can_have_lines(self, dwarf, &root)) {
                return None;
            }
            let mut unit = gimli::Unit::new_with_abbreviations(dwarf, header, abbreviations).ok()?;
            if let Some(skeleton) = units.skeleton_of(self).and_then(|skeleton| skeleton.unit(units)) {
                unit.copy_relocated_attributes(skeleton.unit);
                unit.comp_dir = unit.comp_dir.or(skeleton.comp_dir);
            }
            Some(unit)
        };
        self.parsed.get_or_init(parse).as_ref().map(|unit| unit.unit_ref(dwarf))
    }
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Units<'static>>();
};
