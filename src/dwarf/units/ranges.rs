//! The code of a DIE (DWARF 5 section 2.17).

use crate::sections::slice::{Die, Slice, UnitRef, is_tombstone};
use arch::LinkAddr;
use gimli::AttributeValue;

/// Half-open address ranges.
pub(crate) type Ranges = Vec<(LinkAddr, LinkAddr)>;

/// No list of ranges is followed further than this: a malformed one may be as long as its section.
const MAX_RANGES: usize = 1 << 16;

/// Reads the code of a DIE: DW_AT_low_pc and DW_AT_high_pc, or DW_AT_ranges (DWARF 5 section 2.17). Ranges of code that
/// the linker discarded are left out.
pub(crate) fn ranges<'a>(unit: UnitRef<'_, 'a>, die: &Die<'a>) -> Ranges {
    if let Some(value) = die.attr_value(gimli::DW_AT_ranges) {
        return range_list(unit, value);
    }
    let low = die.attr_value(gimli::DW_AT_low_pc).and_then(|v| unit.attr_address(v).ok().flatten());
    let Some(low) = low else { return Vec::new() };
    let high = match die.attr_value(gimli::DW_AT_high_pc) {
        Some(AttributeValue::Udata(size)) => low.checked_add(size),
        Some(value) => unit.attr_address(value).ok().flatten(),
        None => None,
    };
    let live = |high: &u64| *high > low && !is_tombstone(low);
    high.filter(live).map(|high| (LinkAddr(low), LinkAddr(high))).into_iter().collect()
}

/// Returns the address where a block is entered: DW_AT_entry_pc if the block has the code there (an optimiser may have
/// moved some of it before, and may have left nothing there), or else its first address.
pub(crate) fn entry_address<'a>(unit: UnitRef<'_, 'a>, die: &Die<'a>) -> Option<LinkAddr> {
    let ranges = ranges(unit, die);
    let (first, _) = *ranges.first()?;
    let entry = entry_named(unit, die, first);
    let inside = |entry: &LinkAddr| ranges.iter().any(|(start, end)| start <= entry && entry < end);
    Some(entry.filter(inside).unwrap_or(first))
}

/// Returns the address that a block that begins at `first` itself calls its entry, whether that is inside it or not.
pub(crate) fn entry_named<'a>(unit: UnitRef<'_, 'a>, die: &Die<'a>, first: LinkAddr) -> Option<LinkAddr> {
    let value = die.attr_value(gimli::DW_AT_entry_pc)?;
    match unit.attr_address(value) {
        Ok(Some(address)) => Some(LinkAddr(address)),
        // Counted from the block's own address.
        _ => value.udata_value().and_then(|offset| first.0.checked_add(offset)).map(LinkAddr),
    }
}

/// Reads the ranges that a DW_AT_ranges value stands for.
pub(crate) fn range_list<'a>(unit: UnitRef<'_, 'a>, value: AttributeValue<Slice<'a>>) -> Ranges {
    let mut ranges = Vec::new();
    let Ok(Some(mut list)) = unit.attr_ranges(value) else {
        return ranges;
    };
    while let Ok(Some(range)) = list.next() {
        if range.begin < range.end && !is_tombstone(range.begin) {
            ranges.push((LinkAddr(range.begin), LinkAddr(range.end)));
        }
        if ranges.len() >= MAX_RANGES {
            break;
        }
    }
    ranges
}
