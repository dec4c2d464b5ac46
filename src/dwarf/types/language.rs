//! Which language a unit is written in (DWARF 5 section 7.12).

use crate::arch::LinkAddr;
use crate::dwarf::image::facade::Image;
use crate::dwarf::units::collection::{Debug, UnitEntry};

impl Image {
    /// "c", "c++", "rust", "fortran" and so on, from DW_AT_language of the unit at an address. `None`: no unit is there,
    /// or it is written in a language without a name here.
    pub fn language_at(&self, a: LinkAddr) -> Option<&'static str> {
        self.with_debug(|debug| unit_language(debug, debug.unit_at(a)?))
    }
}

/// The language of a unit, by the name it has in [`Image::language_at`].
pub(in crate::dwarf) fn unit_language<'a>(debug: &Debug<'a>, entry: &UnitEntry<'a>) -> Option<&'static str> {
    match debug.language(entry)? {
        gimli::DW_LANG_C | gimli::DW_LANG_C89 | gimli::DW_LANG_C99 | gimli::DW_LANG_C11 | gimli::DW_LANG_C17 => {
            Some("c")
        }
        gimli::DW_LANG_C_plus_plus
        | gimli::DW_LANG_C_plus_plus_03
        | gimli::DW_LANG_C_plus_plus_11
        | gimli::DW_LANG_C_plus_plus_14
        | gimli::DW_LANG_C_plus_plus_17
        | gimli::DW_LANG_C_plus_plus_20 => Some("c++"),
        gimli::DW_LANG_Rust => Some("rust"),
        gimli::DW_LANG_Fortran77
        | gimli::DW_LANG_Fortran90
        | gimli::DW_LANG_Fortran95
        | gimli::DW_LANG_Fortran03
        | gimli::DW_LANG_Fortran08
        | gimli::DW_LANG_Fortran18 => Some("fortran"),
        gimli::DW_LANG_Ada83 | gimli::DW_LANG_Ada95 | gimli::DW_LANG_Ada2005 | gimli::DW_LANG_Ada2012 => Some("ada"),
        gimli::DW_LANG_Pascal83 => Some("pascal"),
        gimli::DW_LANG_Modula2 => Some("modula-2"),
        gimli::DW_LANG_Cobol74 | gimli::DW_LANG_Cobol85 => Some("cobol"),
        gimli::DW_LANG_D => Some("d"),
        gimli::DW_LANG_Go => Some("go"),
        gimli::DW_LANG_ObjC => Some("objective-c"),
        _ => None,
    }
}

/// What an array counts from that does not say (DWARF 5 table 7.17).
pub(in crate::dwarf) fn first_index<'a>(debug: &Debug<'a>, entry: &UnitEntry<'a>) -> i64 {
    match unit_language(debug, entry) {
        Some("fortran" | "ada" | "pascal" | "modula-2" | "cobol") => 1,
        _ => debug.language(entry).and_then(|language| language.default_lower_bound()).map_or(0, |bound| bound as i64),
    }
}
