//! What code and tables belong to: the class of a member function, the type that a Rust vtable is made for.

use super::DieId;
use super::image::Image;
use super::types::Owners;
use super::units::Debug;
use crate::arch::LinkAddr;
use crate::ctype::TypeRef;
use gimli::AttributeValue;

impl Image {
    /// The class that the function whose code is at an address is a member of.
    pub fn class_of_function(&self, at: LinkAddr) -> Option<TypeRef> {
        let class = self.with_debug(|debug| {
            let (entry, die) = debug.function_die_at(at)?;
            let id = entry.id_of(die)?;
            let qualified = debug.index().qualified(id)?;
            let bare = debug.index().bare_name(id)?;
            qualified.strip_suffix(bare)?.strip_suffix("::").map(str::to_owned)
        })?;
        self.type_named(None, &class)
    }

    /// Rust: the type whose vtable for some trait starts at an address. rustc describes each as a variable whose type
    /// names the implementing one (DW_AT_containing_type). `None` also where the linker has merged those of several
    /// types.
    pub fn vtable_owner(&self, at: LinkAddr) -> Option<TypeRef> {
        let owners = self.types.vtables(|| self.with_debug(vtables));
        let owner = (*owners.get(&at)?)?;
        Some(self.type_at(owner))
    }
}

/// The owners of all vtables.
fn vtables(debug: &Debug<'_>) -> Owners {
    let mut owners = Owners::new();
    for variable in debug.index().variables_ending("::{vtable}") {
        if let Some((address, owner)) = vtable(debug, variable) {
            owners
                .entry(address)
                .and_modify(|known| *known = known.filter(|k| same_name(debug, *k, owner)))
                .or_insert(Some(owner));
        }
    }
    owners
}

fn same_name(debug: &Debug<'_>, a: DieId, b: DieId) -> bool {
    a == b || debug.index().qualified(a).is_some_and(|name| Some(name) == debug.index().qualified(b))
}

/// Where a vtable is, and whose it is.
fn vtable(debug: &Debug<'_>, variable: DieId) -> Option<(LinkAddr, DieId)> {
    let (entry, unit, die) = debug.die(variable)?;
    let AttributeValue::Exprloc(location) = die.attr_value(gimli::DW_AT_location)? else { return None };
    let address = match location.operations(unit.encoding()).next().ok()?? {
        gimli::Operation::Address { address } => address,
        gimli::Operation::AddressIndex { index } => unit.address(index).ok()?,
        _ => return None,
    };
    let table = debug.referenced(entry, &die, gimli::DW_AT_type)?;
    let (entry, _, die) = debug.die(table)?;
    Some((LinkAddr(address), debug.referenced(entry, &die, gimli::DW_AT_containing_type)?))
}
