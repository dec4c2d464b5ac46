//! Units that are in other files than the one with the debug info: split units, each in a `.dwo` file or all in a
//! `.dwp` package (DWARF 5 section 7.3.2, and the GNU extension of DWARF 4 that it was made from), and the units of the
//! supplementary file that dwz makes (DWARF 5 section 7.3.6).

use crate::dwarf::model::die::DieId;
use crate::dwarf::sections::problems::Subject;
use crate::dwarf::sections::store::{SectionSet, Skeleton};
use crate::dwarf::units::collection::{Debug, Slice, UnitEntry, list_units, signatures};
use gimli::{AttributeValue, DwoId, LittleEndian, UnitType};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Where the number of the file is in a [`DieId`]; below is the offset into the file's section. The highest bit is
/// taken by `.debug_types`.
const FILE_SHIFT: u32 = 40;
const FILE_BITS: u64 = (1 << 23) - 1;

/// First number of the files of split units; the number of the skeleton is added.
const FIRST_SPLIT: u64 = 1;
/// First number of the type units of a package; the row in its index is added.
const FIRST_PACKAGED_TYPE: u64 = 1 << 21;
const SUPPLEMENT: u64 = 1 << 22;

/// Which of the files of an image a unit is in. Each unit of a package is a file of its own: offsets count from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dwarf) struct FileNumber(u64);

/// The same, taken apart.
enum Which {
    Main,
    /// The file with the split unit of the skeleton with this number.
    Split(usize),
    /// The type unit of the package in this row of its index.
    PackagedType(u32),
    Supplement,
}

impl FileNumber {
    /// The file with the debug info.
    pub(in crate::dwarf) const MAIN: Self = Self(0);
    /// The supplementary file.
    pub(in crate::dwarf) const SUPPLEMENT: Self = Self(SUPPLEMENT);

    /// The file that a DIE is in.
    pub(in crate::dwarf) fn of(die: DieId) -> Self {
        Self(die.0 >> FILE_SHIFT & FILE_BITS)
    }

    fn split(skeleton: usize) -> Option<Self> {
        let number = (skeleton as u64).checked_add(FIRST_SPLIT)?;
        (number < FIRST_PACKAGED_TYPE).then_some(Self(number))
    }

    fn packaged_type(row: u32) -> Option<Self> {
        let number = FIRST_PACKAGED_TYPE + u64::from(row);
        (number < SUPPLEMENT).then_some(Self(number))
    }

    fn which(self) -> Which {
        match self.0 {
            0 => Which::Main,
            number if number < FIRST_PACKAGED_TYPE => Which::Split((number - FIRST_SPLIT) as usize),
            number if number < SUPPLEMENT => Which::PackagedType((number - FIRST_PACKAGED_TYPE) as u32),
            _ => Which::Supplement,
        }
    }

    /// The DIE at an offset of the file's `.debug_info`; `None` if no section is that large.
    pub(in crate::dwarf) fn die_at(self, offset: u64) -> Option<DieId> {
        (offset >> FILE_SHIFT == 0).then_some(DieId(self.0 << FILE_SHIFT | offset))
    }
}

/// One file of units.
struct Part<'a> {
    dwarf: gimli::Dwarf<Slice<'a>>,
    /// By rising [`DieId`].
    units: Vec<UnitEntry<'a>>,
    /// Index of the unit that the file is there for.
    own: usize,
    signatures: OnceLock<HashMap<u64, DieId>>,
}

impl<'a> Part<'a> {
    /// `None` if it has no unit that is wanted.
    fn new(
        dwarf: gimli::Dwarf<Slice<'a>>,
        file: FileNumber,
        is_own: impl Fn(&gimli::Dwarf<Slice<'a>>, &UnitEntry<'a>) -> bool,
    ) -> Option<Box<Self>> {
        let units = list_units(&dwarf, file);
        let own = units.iter().position(|unit| is_own(&dwarf, unit))?;
        Some(Box::new(Self { dwarf, units, own, signatures: OnceLock::new() }))
    }
}

/// The id that a split unit and its skeleton have in common.
fn split_id<'a>(dwarf: &gimli::Dwarf<Slice<'a>>, header: &gimli::UnitHeader<Slice<'a>>) -> Option<DwoId> {
    match header.type_() {
        UnitType::SplitCompilation(id) => Some(id),
        UnitType::Compilation if header.version() < 5 => {
            let abbreviations = dwarf.abbreviations(header).ok()?;
            let root = header.entry(&abbreviations, header.root_offset()).ok()?;
            match root.attr_value(gimli::DW_AT_GNU_dwo_id)? {
                AttributeValue::DwoId(id) => Some(id),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether these are the sections of a file with the split unit that has this id.
pub(in crate::dwarf) fn has_split_unit(sections: &SectionSet, id: u64) -> bool {
    let dwarf = split_sections(sections);
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        if split_id(&dwarf, &header) == Some(DwoId(id)) {
            return true;
        }
    }
    false
}

fn split_sections(sections: &SectionSet) -> gimli::Dwarf<Slice<'_>> {
    let Ok(dwarf) = gimli::Dwarf::load(|id| Ok::<_, std::convert::Infallible>(sections.of_split(id)));
    dwarf
}

/// The package of an image.
struct Package<'a> {
    parsed: gimli::DwarfPackage<Slice<'a>>,
    /// By the row in the index, which counts from 1.
    types: Box<[OnceLock<Option<Box<Part<'a>>>>]>,
}

/// The files that the debug info of an image refers to, opened when somebody looks into them.
#[derive(Default)]
pub(in crate::dwarf) struct OtherFiles<'a> {
    supplement: OnceLock<Vec<UnitEntry<'a>>>,
    package: OnceLock<Option<Box<Package<'a>>>>,
    /// By the number of the skeleton.
    split: OnceLock<SplitParts<'a>>,
}

type SplitParts<'a> = Box<[OnceLock<Option<Box<Part<'a>>>>]>;

impl<'a> Debug<'a> {
    /// The sections that a unit of this file is to be read with.
    pub(in crate::dwarf) fn dwarf_of(&self, file: FileNumber) -> Option<&gimli::Dwarf<Slice<'a>>> {
        match file.which() {
            Which::Main => Some(&self.dwarf),
            Which::Supplement => self.dwarf.sup(),
            Which::Split(_) | Which::PackagedType(_) => self.part(file).map(|part| &part.dwarf),
        }
    }

    /// The units of a file, by rising [`DieId`].
    pub(in crate::dwarf) fn units_of(&self, file: FileNumber) -> Option<&[UnitEntry<'a>]> {
        match file.which() {
            Which::Main => Some(self.units()),
            Which::Supplement => {
                let read = || self.dwarf.sup().map(|sup| list_units(sup, FileNumber::SUPPLEMENT)).unwrap_or_default();
                Some(self.others.supplement.get_or_init(read))
            }
            Which::Split(_) | Which::PackagedType(_) => self.part(file).map(|part| part.units.as_slice()),
        }
    }

    /// The unit with this number, or if that is a skeleton, the unit that it stands for. `None` if that one cannot be
    /// had.
    pub(in crate::dwarf) fn full(&self, number: usize) -> Option<&UnitEntry<'a>> {
        let entry = self.units().get(number)?;
        if !self.is_skeleton(entry) {
            return Some(entry);
        }
        let part = self.part(FileNumber::split(number)?)?;
        part.units.get(part.own)
    }

    /// The units that the unit with this number stands for: itself, or its split unit and the type units beside that.
    pub(in crate::dwarf) fn units_for(&self, number: usize) -> Vec<&UnitEntry<'a>> {
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

    /// The type units of the package, if the image has one that is in use.
    pub(in crate::dwarf) fn packaged_types(&self) -> Vec<&UnitEntry<'a>> {
        let rows = self.others.package.get().and_then(Option::as_ref).map_or(0, |package| package.types.len());
        let part = |row| self.part(FileNumber::packaged_type(u32::try_from(row).ok()?)?);
        (1..=rows).filter_map(part).filter_map(|part| part.units.get(part.own)).collect()
    }

    /// The skeleton of a split unit.
    pub(in crate::dwarf) fn skeleton_of(&self, entry: &UnitEntry<'a>) -> Option<&UnitEntry<'a>> {
        match (entry.file().which(), entry.header().type_()) {
            (Which::Split(_), UnitType::Type { .. } | UnitType::SplitType { .. }) => None,
            (Which::Split(number), _) => self.units().get(number),
            _ => None,
        }
    }

    /// The type that a type unit defines, by the signature that a DIE in `from` names it by.
    pub(in crate::dwarf) fn type_unit(&self, from: &UnitEntry<'a>, signature: u64) -> Option<DieId> {
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
    pub(in crate::dwarf) fn need_supplement(&self) {
        if self.sections.supplement.is_none() {
            self.sections.problems.suffer(|subject| subject == Subject::Supplement);
        }
    }

    /// Whether a unit of the file with the debug info only stands for one elsewhere.
    pub(in crate::dwarf) fn is_skeleton(&self, entry: &UnitEntry<'a>) -> bool {
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
