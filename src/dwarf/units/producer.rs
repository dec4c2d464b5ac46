//! Which compiler has made a unit, and what follows from that.

use super::collection::Units;
use super::entry::UnitEntry;
use crate::sections::slice::UnitRef;

impl<'a> UnitEntry<'a> {
    /// Returns whether breakpoints on the functions of this unit go on their first instructions: locations of variables
    /// are right even there, or it is assembler, which has no prologues.
    pub(crate) fn starts_at_entry(&self, units: &Units<'a>) -> bool {
        *self.starts_at_entry.get_or_init(|| self.unit(units).is_some_and(|unit| read_starts_at_entry(units, unit)))
    }
}

impl<'a> UnitEntry<'a> {
    /// Returns whether GCC has made the unit, or of a partial unit one that imports it.
    pub(crate) fn is_gcc(&self, units: &Units<'a>) -> bool {
        let own = |entry: &UnitEntry<'a>| producer(units, entry.unit(units)?);
        let producer = own(self).or_else(|| own(units.importer(self)?));
        producer.is_some_and(|producer| producer.starts_with("GNU "))
    }

    /// Returns whether LLVM has made the unit, for C, Fortran or Rust: `clang LLVM (rustc version 1.95.0)`.
    pub(crate) fn is_llvm(&self, units: &Units<'a>) -> bool {
        let producer = self.unit(units).and_then(|unit| producer(units, unit)).unwrap_or_default();
        ["clang ", " F90 Flang ", "flang"].iter().any(|name| producer.contains(name))
    }
}

impl<'a> UnitEntry<'a> {
    /// Returns whether the unit was compiled with an option, as far as DW_AT_producer states options: GCC states those
    /// that change code.
    pub(crate) fn has_option(&self, units: &Units<'a>, option: &str) -> bool {
        let producer = self.unit(units).and_then(|unit| producer(units, unit)).unwrap_or_default();
        producer.split_whitespace().any(|word| word == option)
    }
}

/// Returns DW_AT_producer of a unit.
pub(crate) fn producer<'a>(units: &Units<'a>, unit: UnitRef<'_, 'a>) -> Option<&'a str> {
    let root = unit.entry(unit.header.root_offset()).ok()?;
    root.attr_value(gimli::DW_AT_producer).and_then(|value| units.string(unit, value))
}

fn read_starts_at_entry<'a>(units: &Units<'a>, unit: UnitRef<'_, 'a>) -> bool {
    let Ok(root) = unit.entry(unit.header.root_offset()) else {
        return false;
    };
    let producer = producer(units, unit).unwrap_or_default();
    let language = root.attr_value(gimli::DW_AT_language);
    let assembler = language == Some(gimli::AttributeValue::Language(gimli::DW_LANG_Mips_Assembler));
    assembler || (is_gcc_4_5_or_later(producer) && has_location_lists(unit))
}

/// Returns whether a producer, such as `GNU C17 12.2.0 -mtune=…`, is GCC 4.5 or later, whose location lists can be
/// trusted inside prologues.
pub(crate) fn is_gcc_4_5_or_later(producer: &str) -> bool {
    gcc_version(producer).is_some_and(|version| version >= (4, 5))
}

/// Parses the version of GCC that a producer names; `None` if it is another compiler.
pub(crate) fn gcc_version(producer: &str) -> Option<(u32, u32)> {
    let rest = producer.strip_prefix("GNU ")?;
    let version =
        rest.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.'));
    let mut numbers = version.unwrap_or_default().split('.').map(|n| n.parse::<u32>().unwrap_or(0));
    Some((numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)))
}

/// Returns whether some variable or parameter of the unit has a location list. The abbreviations tell: each stands for
/// at least one DIE.
fn has_location_lists(unit: UnitRef<'_, '_>) -> bool {
    let abbreviations = (1..).map_while(|code| unit.abbreviations.get(code));
    abbreviations.into_iter().any(|abbreviation| {
        matches!(abbreviation.tag(), gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter)
            && abbreviation.attributes().iter().any(|a| a.name() == gimli::DW_AT_location && is_list(a.form()))
    })
}

fn is_list(form: gimli::DwForm) -> bool {
    matches!(form, gimli::DW_FORM_sec_offset | gimli::DW_FORM_loclistx | gimli::DW_FORM_data4 | gimli::DW_FORM_data8)
}
