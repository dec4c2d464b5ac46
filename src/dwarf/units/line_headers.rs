//! How long the headers of line programs may be that units name.
//!
//! They are parsed with their units. A source file takes one byte of a header at least and more than a hundred in
//! memory, and many units may name the same header.

use super::collection::Units;
use super::entry::UnitEntry;
use crate::sections::missing_debug_info::Subject;
use crate::sections::slice::{Die, Slice};
use base::untrusted::PathText as _;
use gimli::{AttributeValue, Section, UnitType};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of the longest header; compilers make half a megabyte of twenty thousand files.
const LONGEST: usize = 4 << 20;

/// What all headers may have together, however few bytes their section has in the file.
const SMALL_FILE: usize = 4 << 20;

/// Beyond that, so many bytes for each that the file has.
const EXPANSION: usize = 16;

/// Type units name the header of the unit that they come from, which is read for each: shorter ones do not count.
const SHORT: usize = 1 << 16;

/// The bytes of headers that may still be read of a file.
pub(super) struct HeaderAllowance {
    left: AtomicUsize,
}

impl HeaderAllowance {
    /// Creates the `HeaderAllowance` of a file with so many bytes of line programs, as they are in it.
    pub(super) fn of(bytes: usize) -> Self {
        Self { left: AtomicUsize::new(SMALL_FILE.saturating_add(bytes.saturating_mul(EXPANSION))) }
    }

    fn take(&self, length: usize) -> bool {
        let less = |left: usize| left.checked_sub(length);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }
}

impl<'a> Units<'a> {
    /// Returns whether the header of the line program that a root DIE names can be read. What cannot is noted as
    /// missing.
    pub(super) fn can_have_lines(
        &self,
        entry: &UnitEntry<'a>,
        dwarf: &gimli::Dwarf<Slice<'a>>,
        root: &Die<'a>,
    ) -> bool {
        let Some(AttributeValue::DebugLineRef(offset)) = root.attr_value(gimli::DW_AT_stmt_list) else { return true };
        let length = header_length(dwarf.debug_line.reader().slice(), offset.0).unwrap_or(0);
        let is_type = matches!(entry.header().type_(), UnitType::Type { .. } | UnitType::SplitType { .. });
        let counts = std::ptr::eq(dwarf, &self.dwarf) && !(is_type && length < SHORT);
        let can = length <= LONGEST && (!counts || self.headers.take(length));
        if !can {
            let path = self.sections.debug().path().in_text();
            let text = format!("{path} lists more source files than are read of a file of its size: units are missing");
            self.sections.problems.add_suffered(Subject::DebugFile, text);
        }
        can
    }
}

/// Reads the length of the header of a line program (DWARF 5 section 6.2.4).
fn header_length(section: &[u8], offset: usize) -> Option<usize> {
    let (first, rest) = section.get(offset..)?.split_first_chunk::<4>()?;
    let is_long = *first == [0xff; 4];
    let rest = if is_long { rest.get(8..)? } else { rest };
    let (version, rest) = rest.split_first_chunk::<2>()?;
    let rest = if u16::from_le_bytes(*version) >= 5 { rest.get(2..)? } else { rest };
    match is_long {
        true => usize::try_from(u64::from_le_bytes(*rest.first_chunk()?)).ok(),
        false => Some(u32::from_le_bytes(*rest.first_chunk()?) as usize),
    }
}

#[cfg(test)]
mod tests {
    use crate::Image;
    use crate::testing::{build, with_packed};

    #[test]
    fn a_unit_with_millions_of_source_files_is_left_out_with_a_reason() {
        // Nothing of the header but its length counts.
        let program = build("gcc", "-gdwarf-5 -O0", &["lines.c"]);
        let length = 6_u32 << 20;
        let mut line = vec![0; length as usize + 12];
        line[..4].copy_from_slice(&(length + 8).to_le_bytes());
        line[4..8].copy_from_slice(&[5, 0, 8, 0]);
        line[8..12].copy_from_slice(&length.to_le_bytes());
        let image = Image::from_bytes("x", with_packed(&program.bytes, &[(".debug_line", &line)])).unwrap();
        assert_eq!(image.line_at(program.entry("loop")), None);
        let problems = image.problems();
        assert!(problems[0].starts_with("x lists more source files than are read"), "{problems:?}");
        // Only the symbol is left of the function.
        assert!(image.functions_named("loop").iter().all(|function| function.die.is_none() && function.file.is_none()));
    }
}
