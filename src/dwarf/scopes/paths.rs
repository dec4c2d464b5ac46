//! Where debug info has functions and variables, and what their linkage names make of that: Fortran's linkage names are
//! no paths, and Rust has methods in their type but what these declare in `{impl#0}`.

use crate::model::die::DieId;
use crate::naming::demangle::demangle;
use crate::types::by_die::Types;
use crate::units::attributes::{inherited, origin};

/// DW_AT_abstract_origin and DW_AT_specification are followed no further than this.
const MAX_HOPS: usize = 8;

impl Types<'_> {
    /// Returns the name of a function with the scopes that its declaration is in.
    pub(crate) fn path_of(&self, function: DieId) -> Option<String> {
        let declared = |die: &DieId| self.die(*die).and_then(|(entry, _, read)| origin(self, entry, &read));
        let innermost = std::iter::successors(Some(function), declared).take(MAX_HOPS).last()?;
        self.qualified(innermost)
    }

    /// Returns the path that the linkage name of a variable has.
    pub(crate) fn linkage_path(&self, variable: DieId) -> Option<String> {
        let linkage = inherited(self, variable, gimli::DW_AT_linkage_name)?;
        self.string(linkage.unit, linkage.value).and_then(demangle)
    }
}
