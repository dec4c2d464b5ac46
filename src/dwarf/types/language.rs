//! Which language a unit is written in (DWARF 5 section 7.12).

use crate::arch::LinkAddr;
use crate::dwarf::image::Image;
use crate::dwarf::units::{Debug, UnitEntry};

impl Image {
    /// "c", "c++", "rust", from DW_AT_language of the unit at an address. `None`: no unit is there, or it is written
    /// in another language.
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
        _ => None,
    }
}
