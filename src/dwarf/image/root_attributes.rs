//! What headers and root DIEs say of an image as a whole and of its units.

use crate::image::facade::Image;
use arch::LinkAddr;

/// What a unit says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFacts {
    /// DW_AT_comp_dir: where the compiler ran.
    pub directory: Option<String>,
    /// DW_AT_producer: which compiler, and its options.
    pub producer: Option<String>,
    /// DW_AT_language as GDB names it: `c`, `c++`, `asm`, `rust`; `None` for any other.
    pub language: Option<&'static str>,
    /// DWARF version of the unit.
    pub version: u16,
    /// Whether its macros are known.
    pub has_macros: bool,
}

impl Image {
    /// Returns the first address of `.text`, and one past its last.
    pub fn text(&self) -> Option<(LinkAddr, LinkAddr)> {
        let section = self.elf().section(".text")?;
        Some((LinkAddr(section.address), LinkAddr(section.address.saturating_add(section.size))))
    }

    /// Returns the facts of the unit at an address.
    pub fn unit_facts(&self, a: LinkAddr) -> Option<UnitFacts> {
        self.ask(|debug| {
            let entry = debug.unit_at(a)?;
            let unit = entry.unit(debug)?;
            let root = unit.entry(unit.header.root_offset()).ok()?;
            let text = |name| debug.string(unit, root.attr_value(name)?).map(str::to_owned);
            Some(UnitFacts {
                directory: text(gimli::DW_AT_comp_dir),
                producer: text(gimli::DW_AT_producer),
                language: crate::units::language::unit_language(debug, entry),
                version: unit.header.version(),
                has_macros: debug.macros.of_unit(debug, entry).is_some(),
            })
        })
    }
}
