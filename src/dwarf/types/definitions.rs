//! Which definition a name leads to that all units can use: they may define different things by one name.

use crate::model::die::DieId;
use crate::names::entry::NameKind;
use crate::names::lookup::Names;
use crate::units::attributes::{for_each_child, inherited, is_flag_set};
use base::qualified::same_name;

/// Definitions of one name that are compared.
const MOST_DEFINITIONS: usize = 16;

/// Finds the definition of what all units can name so, by its whole name; `None` where units define different ones.
pub(super) fn one_definition(debug: &Names<'_>, kinds: &[NameKind], name: &str) -> Option<DieId> {
    let is_it = |id: &DieId| {
        let is_definition = debug.die(*id).is_some_and(|(_, _, die)| !is_flag_set(&die, gimli::DW_AT_declaration));
        is_definition && !debug.is_in_function(*id) && has_name(debug, *id, name)
    };
    // A table leads to definitions of just this name; to look at theirs again would read those of all units.
    let all: Vec<DieId> = match debug.tabled_types(kinds, name) {
        Some(tabled) => tabled,
        None => kinds.iter().flat_map(|kind| debug.find(*kind, name)).filter(is_it).take(MOST_DEFINITIONS).collect(),
    };
    let mut all = all.into_iter().take(MOST_DEFINITIONS);
    let first = all.next()?;
    let mut shape = None;
    for other in all {
        if shape.get_or_insert_with(|| shape_of(debug, first)) != &shape_of(debug, other) {
            return None;
        }
    }
    Some(first)
}

/// Returns the size of a record or an enumeration and the names of what it has.
fn shape_of<'a>(debug: &Names<'a>, id: DieId) -> (Option<u64>, Vec<Option<&'a str>>) {
    let size = inherited(debug, id, gimli::DW_AT_byte_size).and_then(|size| size.value.udata_value());
    let mut parts = Vec::new();
    for_each_child(debug, id, |entry, _, die| {
        if matches!(die.tag(), gimli::DW_TAG_member | gimli::DW_TAG_enumerator) {
            parts.push(entry.unit(debug).and_then(|unit| debug.name(unit, die)));
        }
    });
    (size, parts)
}

/// Returns whether a DIE has just this name, in any spelling, with no more scopes around it.
pub(super) fn has_name(debug: &Names<'_>, die: DieId, name: &str) -> bool {
    debug.qualified(die).is_some_and(|qualified| same_name(&qualified, name.strip_prefix("::").unwrap_or(name)))
}
