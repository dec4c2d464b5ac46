//! Where in the code a variable has a value, for saying why it has none elsewhere.

use crate::model::die::DieId;
use crate::sections::slice::Slice;
use crate::units::attributes::inherited_any;
use crate::units::collection::Units;
use crate::units::ranges::ranges;
use arch::LinkAddr;
use gimli::{Expression, Operation};

/// Entries of a location list that are looked at.
const MAX_ENTRIES: usize = 10_000;

/// Where debug info says that a variable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Availability {
    /// Nowhere: the compiler kept it in no register and at no address.
    Nowhere,
    /// Everywhere in its scope.
    Everywhere,
    /// In these half-open ranges of addresses, which rise and do not touch. What only the caller may know does not
    /// count.
    In(Vec<(LinkAddr, LinkAddr)>),
}

impl Units<'_> {
    /// Finds where in the code a variable has a location of its own, or a constant value.
    pub(crate) fn availability(&self, variable: DieId) -> Availability {
        let attributes = [gimli::DW_AT_location, gimli::DW_AT_const_value];
        let Some((kind, found)) = inherited_any(self, variable, &attributes) else {
            return Availability::Nowhere;
        };
        if kind == gimli::DW_AT_const_value {
            return Availability::Everywhere;
        }
        let encoding = found.unit.encoding();
        if let Some(expression) = found.value.exprloc_value() {
            let somewhere = is_known_here(expression, encoding);
            return if somewhere { Availability::Everywhere } else { Availability::Nowhere };
        }
        let Ok(Some(mut list)) = self.with_locations(found.unit).attr_locations(found.value) else {
            return Availability::Nowhere;
        };
        let mut ranges = Vec::new();
        while let Ok(Some(entry)) = list.next() {
            if ranges.len() >= MAX_ENTRIES {
                break;
            }
            if entry.range.begin < entry.range.end && is_known_here(entry.data, encoding) {
                ranges.push((LinkAddr(entry.range.begin), LinkAddr(entry.range.end)));
            }
        }
        if ranges.is_empty() { Availability::Nowhere } else { Availability::In(merged(ranges)) }
    }

    /// Returns all the code of a function, or of an inlined copy of one, as half-open ranges.
    pub(crate) fn code_of(&self, function: DieId) -> Vec<(LinkAddr, LinkAddr)> {
        (|| {
            let (_, unit, die) = self.die(function)?;
            Some(ranges(unit, &die))
        })()
        .unwrap_or_default()
    }
}

/// Returns whether an expression says where something is without asking the caller.
fn is_known_here(expression: Expression<Slice<'_>>, encoding: gimli::Encoding) -> bool {
    let mut operations = expression.operations(encoding);
    let mut any = false;
    while let Ok(Some(operation)) = operations.next() {
        match operation {
            Operation::EntryValue { .. } | Operation::ParameterRef { .. } => return false,
            Operation::Piece { .. } | Operation::Nop => {}
            _ => any = true,
        }
    }
    any
}

fn merged(mut ranges: Vec<(LinkAddr, LinkAddr)>) -> Vec<(LinkAddr, LinkAddr)> {
    ranges.sort();
    let mut joined: Vec<(LinkAddr, LinkAddr)> = Vec::with_capacity(ranges.len());
    for (start, end) in ranges {
        match joined.last_mut() {
            Some((_, last)) if start <= *last => *last = end.max(*last),
            _ => joined.push((start, end)),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::build;

    #[test]
    fn ranges_are_joined() {
        let range = |(a, b): (u64, u64)| (LinkAddr(a), LinkAddr(b));
        let ranges = [(8, 10), (1, 3), (3, 5), (9, 9), (20, 21)].map(range).to_vec();
        assert_eq!(merged(ranges), [(1, 5), (8, 10), (20, 21)].map(range));
        assert_eq!(merged(Vec::new()), []);
    }

    #[test]
    fn each_kind_of_location_is_somewhere() {
        let program = build("gcc", "-nostdlib -shared", &["locations.s"]);
        let pc = program.entry("function");
        let variables = program.image.variables_at(pc, 0);
        let find = |name: &str| variables.iter().find(|v| v.name == name).unwrap_or_else(|| panic!("{name}")).die;
        let (start, at) = (pc.0, |name| program.image.availability(find(name)));
        for name in ["on_the_stack", "in_a_register", "constant", "half_there", "implicit"] {
            assert_eq!(at(name), Availability::Everywhere, "{name}");
        }
        for name in ["on_entry", "on_entry_gnu", "nowhere", "all_pieces_missing", "empty"] {
            assert_eq!(at(name), Availability::Nowhere, "{name}");
        }
        let Availability::In(ranges) = at("moving") else { panic!("{:?}", at("moving")) };
        assert_eq!(ranges[0].0, LinkAddr(start));
    }
}
